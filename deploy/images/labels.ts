/** Labels of the images that only a build knows; the others are in the Containerfile. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { baseNames, ROOT } from './containerfile.ts';

const run = promisify(execFile);
const PREFIX = 'org.opencontainers.image';
export const REVISION = `${PREFIX}.revision`;

/** The commit of this checkout; of one with changes, which no commit has, it says so. */
export async function readRevision(): Promise<string> {
  const git = async (...args: readonly string[]) => (await run('git', args, { cwd: ROOT })).stdout.trim();
  const changed = await git('status', '--porcelain');
  return `${await git('rev-parse', 'HEAD')}${changed === '' ? '' : CHANGED}`;
}

const CHANGED = '-changed';

export function isCommit(revision: string): boolean {
  return !revision.endsWith(CHANGED);
}

/** `timestamp`: in seconds; otherwise now. */
export async function labelsOf(timestamp: number | undefined): Promise<Readonly<Record<string, string>>> {
  const { debian } = await baseNames();
  const { stdout: digest } = await run('podman', ['image', 'inspect', '--format', '{{.Digest}}', debian]);
  return {
    [REVISION]: await readRevision(),
    [`${PREFIX}.created`]: new Date(timestamp === undefined ? Date.now() : timestamp * 1000).toISOString(),
    [`${PREFIX}.base.name`]: debian,
    [`${PREFIX}.base.digest`]: digest.trim(),
  };
}
