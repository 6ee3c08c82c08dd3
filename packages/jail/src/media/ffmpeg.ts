/** One run of ffmpeg in the sandbox: progress, a stall check, and what its exit means. */
import { availableParallelism } from 'node:os';
import type { Mount, RunResult, Sandbox, SandboxedProcess } from '../sandbox/index.ts';
import { explainFfmpeg } from './engine-messages.ts';
import { ProcessingError, sanitizeStderr } from './failure.ts';
import { type MediaLimits, sandboxLimits } from './limits.ts';

export interface FfmpegRun {
  readonly sandbox: Sandbox;
  readonly program: string;
  readonly args: readonly string[];
  readonly mounts: readonly Mount[];
  readonly folder: string;
  readonly limits: MediaLimits;
  readonly signal: AbortSignal;
  /** How long the result will be; without it no progress is reported. */
  readonly seconds: number | undefined;
  readonly onProgress: (fraction: number) => void;
}

const ALWAYS = [
  '-nostdin',
  '-hide_banner',
  '-v',
  'error',
  '-nostats',
  '-progress',
  'pipe:1',
  '-stats_period',
  '0.5',
  '-y',
];

/** Returns the end of what the engine said. */
export async function runFfmpeg(run: FfmpegRun): Promise<string> {
  run.signal.throwIfAborted();
  const started = run.sandbox.start({
    program: run.program,
    args: [...ALWAYS, ...run.args],
    mounts: run.mounts,
    jobDir: run.folder,
    limits: sandboxLimits(run.limits),
    signal: run.signal,
  });
  started.stdin.end();
  const began = performance.now();
  const watchdog = watchMoving(started, run.limits.stallMs);
  const follow = followProgress((microseconds) => {
    watchdog.moved();
    if (run.seconds !== undefined && run.seconds > 0)
      run.onProgress(Math.min(1, microseconds / 1e6 / run.seconds));
  });
  started.stdout.on('data', follow);
  try {
    const exit = await started.ended;
    throwIfFailed(exit, run.limits, processorSeconds(began));
    return exit.stderr;
  } finally {
    watchdog.stop();
  }
}

/** Processor seconds of all processors together since then. */
export function processorSeconds(began: number): number {
  return ((performance.now() - began) / 1000) * availableParallelism();
}

function watchMoving(started: SandboxedProcess, stallMs: number): { moved(): void; stop(): void } {
  let timer = setTimeout(() => started.end('timeout'), stallMs);
  return {
    moved() {
      clearTimeout(timer);
      timer = setTimeout(() => started.end('timeout'), stallMs);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Returns if the engine ended well. `couldHaveUsed`: seconds of all processors since it began. */
export function throwIfFailed(
  { outcome, code, signal, stderr }: Omit<RunResult, 'stdout'>,
  { cpuSeconds }: MediaLimits,
  couldHaveUsed: number,
): void {
  const words = sanitizeStderr(stderr);
  switch (outcome) {
    case 'timeout':
      throw new ProcessingError('limit', 'it took too long', words);
    case 'memory':
      throw new ProcessingError('limit', 'it took too much memory', words);
    case 'disk':
    case 'output':
      throw new ProcessingError('limit', 'the result is too large', words);
    case 'aborted':
      throw new ProcessingError('aborted', 'it was cancelled');
    case 'killed':
      if (signal === 'SIGXFSZ') throw new ProcessingError('limit', 'the result is too large', words);
      if (signal === 'SIGXCPU') throw new ProcessingError('limit', 'it took too much processor time', words);
      // The kernel sends the same signal for exceeded processor time as for a machine without memory.
      if (signal === 'SIGKILL' && couldHaveUsed >= cpuSeconds)
        throw new ProcessingError('limit', 'it took too much processor time', words);
      if (signal === 'SIGKILL') throw new ProcessingError('machine', 'the engine was killed', words);
      throw new ProcessingError('source', `the engine crashed (${signal})`, words);
    case 'exited':
      if (code === 0) return;
      // ffmpeg catches the signals of its limits and exits in its own way, often silently.
      if (
        code === 123 ||
        (code === 255 && couldHaveUsed >= cpuSeconds) ||
        /received signal (?:24|25)/.test(words)
      )
        throw new ProcessingError('limit', 'it took too much processor time', words);
      if (words.includes('File too large'))
        throw new ProcessingError('limit', 'the result is too large', words);
      if (words.includes('No space left on device'))
        throw new ProcessingError('machine', 'no space left', words);
      throw new ProcessingError('source', explainFfmpeg(words), words);
  }
}

/** An engine's progress, from the lines that `ffmpeg -progress` writes. Bounded, whatever the input. */
const MAX_LINE_LENGTH = 256;

/** Calls back with the microseconds of the result written so far, whenever they have grown. */
export function followProgress(onAdvance: (microseconds: number) => void): (chunk: Buffer) => void {
  let rest = '';
  let furthest = -1;
  return (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = (lines.pop() ?? '').slice(-MAX_LINE_LENGTH);
    for (const line of lines) {
      // The first lines may say N/A or a negative time.
      const microseconds = Number(/^out_time_us=(\d{1,15})$/.exec(line)?.[1] ?? Number.NaN);
      if (!(microseconds > furthest)) continue;
      furthest = microseconds;
      onAdvance(microseconds);
    }
  };
}
