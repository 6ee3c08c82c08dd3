/** Starts this command again as a process of its own that outlives it, with its output in a file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { environmentWithoutNpm } from './npx.ts';

export interface BackgroundProcess {
  readonly child: ChildProcess;
  /** The end of what it has written by now; what earlier ones wrote into the same file is not of it. */
  readonly output: () => string;
}

const OUTPUT_BYTES = 1000;

/** With `ipc`, the two can send each other messages. */
export function startInBackground(
  args: readonly string[],
  logFile: string,
  channel: 'ipc' | 'none' = 'none',
): BackgroundProcess {
  const log = openSync(logFile, 'a+', 0o600);
  const begin = fstatSync(log).size;
  const child = spawn(process.execPath, [process.argv[1] ?? '', ...args], {
    detached: true,
    env: environmentWithoutNpm(),
    stdio: channel === 'ipc' ? ['ignore', log, log, 'ipc'] : ['ignore', log, log],
  });
  return {
    child,
    output() {
      const end = fstatSync(log).size;
      const bytes = Buffer.alloc(Math.max(0, Math.min(OUTPUT_BYTES, end - begin)));
      readSync(log, bytes, 0, bytes.length, end - bytes.length);
      closeSync(log);
      return bytes.toString('utf8').trim();
    },
  };
}
