/** Commands as somebody runs them who has just cloned the project: an ordinary user, on a machine with neither bubblewrap nor ffmpeg. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

export interface Newcomer {
  readonly home: string;
  /** Runs a command in a folder; throws with its output if it fails. Returns its standard output. */
  run(folder: string, ...command: string[]): string;
  /** The same, whatever its exit code. */
  attempt(folder: string, ...command: string[]): { readonly code: number | null; readonly output: string };
}

const USER = 65534;
const HIDDEN = ['/usr/bin/bwrap', '/usr/bin/ffmpeg', '/usr/bin/ffprobe'].filter((file) => existsSync(file));
/** Nothing can be run where the empty device lies. */
const HIDE = HIDDEN.map((file) => `mount --bind /dev/null ${file}`).join(' && ');
const MAX_OUTPUT = 64 * 1024 * 1024;
const TIMEOUT_MS = 900_000;

/** Root can hide programs from a user and become that user; anybody else is one, on the machine as it is. `first` is looked into before PATH. */
export function newcomer(
  home: string,
  first: readonly string[],
  environment: Readonly<Record<string, string>>,
): Newcomer {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) execFileSync('chown', ['-R', `${USER}:${USER}`, home]);
  const become = `setpriv --reuid=${USER} --regid=${USER} --clear-groups -- "$@"`;
  const before = isRoot
    ? ['unshare', '--mount', '--', 'sh', '-ec', `${HIDE === '' ? '' : `${HIDE} && `}exec ${become}`, 'sh']
    : [];
  const env = {
    // No tool of the checkout that this runs in.
    PATH: [
      ...first,
      ...(process.env.PATH ?? '').split(path.delimiter).filter((folder) => !folder.includes('node_modules')),
    ].join(path.delimiter),
    HOME: home,
    TMPDIR: process.env.TMPDIR ?? '/tmp',
    ...environment,
  };
  const attempt: Newcomer['attempt'] = (folder, ...command) => {
    const [file = '', ...args] = [...before, ...command];
    const { status, stdout, stderr, error } = spawnSync(file, args, {
      cwd: folder,
      env,
      encoding: 'utf8',
      maxBuffer: MAX_OUTPUT,
      timeout: TIMEOUT_MS,
    });
    if (error !== undefined) throw error;
    return { code: status, output: status === 0 ? stdout : `${stdout}\n${stderr}` };
  };
  return {
    home,
    attempt,
    run(folder, ...command) {
      const { code, output } = attempt(folder, ...command);
      if (code !== 0)
        throw new Error(`${command.join(' ')} exited with ${code}:\n${output.trim().slice(-3000)}`);
      return output;
    },
  };
}
