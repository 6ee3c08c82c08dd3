/**
 * `npm run answers -- BEFORE AFTER`: two folders that recorder.ts wrote while the same tests ran against two versions of the server.
 * Prints each request that both got and the answers that only one of them gave. Exit code 1 if there is one.
 *
 * To record: `MILLPOND_TEST_ANSWERS=/tmp/after npm run acceptance -- --project disk`. For a version that does not know the variable, add it
 * and `NODE_OPTIONS=--import=<this folder>/recorder.ts` to its `.engines/millpond.env`.
 */
import { createReadStream, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { answerPattern, requestPattern } from './patterns.ts';
import type { RecordedAnswer } from './recorder.ts';

/** By request: each answer, and how often it was given. */
type Answers = ReadonlyMap<string, ReadonlyMap<string, number>>;

const [before = '', after = ''] = process.argv.slice(2);
const missing = [before, after].find((folder) => folder === '' || !existsSync(folder));
if (missing !== undefined) {
  const why =
    missing === ''
      ? 'usage: npm run answers -- <folder before> <folder after>'
      : `there is no folder ${missing}`;
  process.stderr.write(`${why}\nWhat writes them: docs/contributing/testing.md, “Two versions compared”\n`);
  process.exit(2);
}
const [left, right] = await Promise.all([readAnswers(before), readAnswers(after)]);
let differing = 0;
for (const [request, answers] of left) {
  const others = right.get(request);
  if (others === undefined) continue;
  const [gone, added] = [missingIn(others, answers), missingIn(answers, others)];
  if (gone.length + added.length === 0) continue;
  differing++;
  process.stdout.write(
    `${[request, ...gone.map((line) => `  - ${line}`), ...added.map((line) => `  + ${line}`)].join('\n')}\n`,
  );
}
const both = [...left.keys()].filter((request) => right.has(request)).length;
process.stdout.write(
  `${both} kinds of requests in both, ${left.size - both} only before, ${right.size - both} only after; ${differing} were answered differently\n`,
);
process.exitCode = differing === 0 ? 0 : 1;

function missingIn(some: ReadonlyMap<string, number>, all: ReadonlyMap<string, number>): string[] {
  return [...all].filter(([answer]) => !some.has(answer)).map(([answer, count]) => `${count} × ${answer}`);
}

async function readAnswers(folder: string): Promise<Answers> {
  const found = new Map<string, Map<string, number>>();
  for (const name of await readdir(folder)) {
    for await (const line of createInterface({ input: createReadStream(path.join(folder, name)) })) {
      const recorded = parseLine(line);
      if (recorded === undefined) continue;
      const [request, answer] = [requestPattern(recorded), answerPattern(recorded)];
      const answers = found.get(request) ?? new Map<string, number>();
      found.set(request, answers.set(answer, (answers.get(answer) ?? 0) + 1));
    }
  }
  return found;
}

/** The last line of a server that was killed may be cut off. */
function parseLine(line: string): RecordedAnswer | undefined {
  try {
    return JSON.parse(line) as RecordedAnswer;
  } catch {
    return undefined;
  }
}
