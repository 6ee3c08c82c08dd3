/** One program from its input to its output, all within limits. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { captureAll } from './capture.ts';
import type { ProcessExit, SandboxedProcess, StartOptions } from './supervise.ts';

export interface RunOptions extends StartOptions {
  /** Passed on standard input; empty by default. */
  readonly stdin?: Uint8Array | Readable | undefined;
}

export interface RunResult extends ProcessExit {
  readonly stdout: Buffer;
}

/** `start` starts it. */
export async function runToEnd(
  start: (options: StartOptions) => SandboxedProcess,
  options: RunOptions,
): Promise<RunResult> {
  const started = start(options);
  const { stdin, limits } = options;
  const output = captureAll(started.stdout, limits.stdoutBytes, () => started.end('output'));
  if (stdin === undefined) started.stdin.end();
  else if (stdin instanceof Readable) void feed(stdin, started);
  else started.stdin.end(stdin);
  const exit = await started.ended;
  return { ...exit, stdout: output() };
}

async function feed(source: Readable, started: SandboxedProcess): Promise<void> {
  try {
    await pipeline(source, started.stdin);
  } catch {
    // To the program, a source that broke off would look like a short file; a program that stops reading is done.
    if (source.errored !== null) started.end('aborted');
  }
}
