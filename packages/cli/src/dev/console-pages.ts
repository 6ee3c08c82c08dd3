/**
 * The console's pages in a checkout: the first `millpond dev` builds them, and the first after they have changed. Published
 * packages contain them.
 */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { MissingProgram } from './live.ts';

const run = promisify(execFile);

const CONSOLE = path.join(import.meta.dirname, '../../../console');
const BUILD = 'build/main.ts';
const BUILT = 'dist/index.html';

/** Builds what is missing or old; says why there are no pages if that fails. */
export async function buildConsolePages(
  say: (line: string) => void,
  folder = CONSOLE,
): Promise<MissingProgram | undefined> {
  const program = path.join(folder, BUILD);
  if (!existsSync(program) || isBuilt(folder)) return undefined;
  say("building the console's pages, once in a checkout: about ten seconds");
  try {
    await run(process.execPath, [program]);
    return undefined;
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    const said = stderr.trim().split('\n')[0] || message;
    if (existsSync(path.join(folder, BUILT))) {
      say(`the console's pages are those of before: they could not be built (${said})`);
      return undefined;
    }
    return {
      program: 'the console',
      off: 'the console',
      reason: `its pages could not be built (${said})`,
      remedy: 'npm ci, then npm run console',
    };
  }
}

/** Only its own sources count: whoever works on the server shall not wait for the pages at every start. */
function isBuilt(folder: string): boolean {
  const built = statSync(path.join(folder, BUILT), { throwIfNoEntry: false });
  if (built === undefined) return false;
  const sources = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !path.relative(folder, entry.parentPath).startsWith('dist'),
  );
  return sources.every(
    ({ parentPath, name }) => statSync(path.join(parentPath, name)).mtimeMs <= built.mtimeMs,
  );
}
