/**
 * Runs sequences in several lanes side by side. The first that fails ends the run; it is then replayed alone and shrunk, so that
 * what remains is what it takes. A sequence is named by the seed, the number of its batch, and its place in it.
 */
import { hash } from 'node:crypto';
import fc from 'fast-check';
import type { Findings } from '../report.ts';
import type { RunContext } from '../run-environment.ts';
import { wordsOf } from './command.ts';
import { SequenceError, type Stage } from './stage.ts';

const LANES = 12;
const BATCH = 10;
const PROGRESS_INTERVAL_MS = 10_000;
const SHRINK_TIMEOUT_MS = 120_000;

/** Which sequence, and of which run. */
interface Name {
  readonly seed: string;
  readonly batch: number;
  readonly path: string;
}

export async function runLanes(
  { options, signal, say }: RunContext,
  stage: Stage,
  count: number,
  findings: Findings,
): Promise<void> {
  const replayed = nameIn(options.seed);
  if (replayed !== undefined) {
    await shrink(stage, replayed, findings, say);
    return;
  }
  const failures: [Name, unknown][] = [];
  let next = 0;
  const saying = setInterval(() => say(`${stage.sequences} sequences`), PROGRESS_INTERVAL_MS);
  const lane = async (): Promise<void> => {
    while (next * BATCH < count && failures.length === 0 && !signal.aborted) {
      const batch = next++;
      const numRuns = Math.min(BATCH, count - batch * BATCH);
      const named = (path: number) => nameText({ seed: options.seed, batch, path: String(path) });
      const details = await fc.check(stage.propertyInLane(named), {
        seed: seedOf(options.seed, batch),
        numRuns,
        endOnFailure: true,
      });
      const { failed, counterexamplePath, errorInstance } = details;
      if (failed)
        failures.push([{ seed: options.seed, batch, path: counterexamplePath ?? '' }, errorInstance]);
    }
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
  } finally {
    clearInterval(saying);
  }
  signal.throwIfAborted();
  say(`${stage.sequences} sequences; waiting for their events`);
  for (const [text, fault] of await stage.untilTold()) {
    const name = nameIn(text);
    if (name !== undefined) failures.push([name, new Error(fault)]);
  }
  const [first] = failures;
  if (first !== undefined) {
    say(`${reportOf(...first)}\nit is replayed alone`);
    await shrink(stage, first[0], findings, say);
  }
  for (const failure of failures) findings.add('wrong', reportOf(...failure));
}

function reportOf(name: Name, error: unknown): string {
  const story = error instanceof SequenceError ? error.story : [];
  return `${wordsOf(error)}; sequence ${nameText(name)}: ${story.join(' | ')}`;
}

function nameText({ seed, batch, path }: Name): string {
  return `${seed}/${batch}/${path}`;
}

/** Adds what is left of a sequence that fails alone, too. */
async function shrink(
  stage: Stage,
  { seed, batch, path }: Name,
  findings: Findings,
  say: RunContext['say'],
): Promise<void> {
  const details = await fc.check(stage.property(), {
    seed: seedOf(seed, batch),
    path,
    numRuns: 1,
    interruptAfterTimeLimit: SHRINK_TIMEOUT_MS,
  });
  if (!details.failed || details.errorInstance === null) {
    say('alone it did not fail');
    return;
  }
  findings.add('wrong', `shrunk: ${reportOf({ seed, batch, path }, details.errorInstance)}`);
}

function seedOf(seed: string, batch: number): number {
  return hash('sha256', `${seed}/${batch}`, 'buffer').readInt32LE(0);
}

/** `<seed>/<batch>/<path>` names one sequence, any other text a run. */
function nameIn(text: string): Name | undefined {
  const [, seed, batch, path] = /^([^/]+)\/(\d+)\/([\d:]+)$/.exec(text) ?? [];
  if (seed === undefined || batch === undefined || path === undefined) return undefined;
  return { seed, batch: Number(batch), path };
}
