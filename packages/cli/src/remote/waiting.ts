/** Waiting for work on the server to end: never longer than was agreed, and saying for what. */
import type { Command } from 'commander';
import { printDuration, readDuration } from '../option-readers.ts';

export interface WaitOptions {
  readonly wait?: boolean;
  /** In seconds. */
  readonly timeout: number;
}

const HOUR_SECONDS = 3600;

/** It goes on, and this command has waited as long as it was to. */
export class WaitTimeoutError extends Error {}

export function addWaitOptions(command: Command): Command {
  return command
    .option('--wait', 'wait until it has ended and show its progress; exit code 1 if it failed')
    .option(
      '--timeout <time>',
      'with --wait: at most this long, such as 90s, 10m or 2h; then exit code 5 (default: 1h)',
      readDuration,
      HOUR_SECONDS,
    );
}

/** `work` is told to end when the time is up; `state` says then what it was waiting for. */
export async function withinTimeout<Result>(
  { timeout }: WaitOptions,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
  state: () => string,
): Promise<Result> {
  process.stderr.write(`waiting for at most ${printDuration(timeout)}\n`);
  const over = AbortSignal.timeout(timeout * 1000);
  try {
    return await work(signal === undefined ? over : AbortSignal.any([signal, over]));
  } catch (error) {
    if (!over.aborted || signal?.aborted) throw error;
    throw new WaitTimeoutError(`it has not ended after ${printDuration(timeout)}: ${state()}`);
  }
}
