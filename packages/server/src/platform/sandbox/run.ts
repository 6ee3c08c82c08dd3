/** One program in the sandbox from its input to its output, all within limits. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { captureAll } from './capture.ts';
import type { SandboxSetup } from './command-line.ts';
import { type Ended, type SandboxedProcess, type StartOptions, startSandboxed } from './process.ts';

export interface RunOptions extends StartOptions {
  /** Passed on standard input; empty by default. */
  readonly stdin?: Uint8Array | Readable | undefined;
}

export interface RunResult extends Ended {
  readonly stdout: Buffer;
}

export async function runSandboxed(
  setup: SandboxSetup,
  options: RunOptions,
  onStart: (started: SandboxedProcess) => void,
): Promise<RunResult> {
  const started = startSandboxed(setup, options);
  onStart(started);
  const { stdin, limits } = options;
  const output = captureAll(started.stdout, limits.stdoutBytes, () => started.end('output'));
  if (stdin === undefined) started.stdin.end();
  else if (stdin instanceof Readable) void feed(stdin, started);
  else started.stdin.end(stdin);
  const ended = await started.ended;
  return { ...ended, stdout: output() };
}

async function feed(source: Readable, started: SandboxedProcess): Promise<void> {
  try {
    await pipeline(source, started.stdin);
  } catch {
    // To the program, a source that broke off would look like a short file; a program that stops reading is done.
    if (source.errored !== null) started.end('aborted');
  }
}
