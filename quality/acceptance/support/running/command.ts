/** The `millpond` command as a process of the test's own, with its output and its exit code; it ends with the test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { COMMAND } from '@millpond/testing';
import { onTestFinished } from 'vitest';

export interface Finished {
  readonly code: number | null;
  readonly output: string;
}

export interface RunningCommand {
  readonly process: ChildProcess;
  /** What it has written so far. */
  output(): string;
  readonly finished: Promise<Finished>;
}

export function startCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): RunningCommand {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { PATH: process.env.PATH, MILLPOND_CONFIG: '/dev/null', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const finished = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  return { process: child, output: () => output, finished };
}
