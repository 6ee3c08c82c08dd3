/**
 * Watches over one started program: it ends by itself, at one of its limits, or when `end` is called; in each case `ended`
 * settles only when its whole process tree is gone. It rejects only if the program could not be started.
 */
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { captureEnd } from './capture.ts';
import type { SandboxedCommand } from './command-line.ts';
import { SandboxSetupError } from './faults.ts';
import type { KillReason, RunOutcome } from './limits.ts';
import { processTable } from './process-table.ts';
import { startWatch } from './watch.ts';

export interface StartOptions extends SandboxedCommand {
  readonly signal?: AbortSignal | undefined;
}

export interface ProcessExit {
  readonly outcome: RunOutcome;
  /** If the program exited. */
  readonly code: number | undefined;
  /** If the program was killed. */
  readonly signal: string | undefined;
  /** The end of its standard error. */
  readonly stderr: string;
}

export interface SandboxedProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly ended: Promise<ProcessExit>;
  /** Kills the whole tree; the first reason counts. */
  end(reason: KillReason): void;
  /** Current use of all its processes together; 0 before it runs. */
  memoryBytes(): number;
}

/** A program that was just spawned, in whichever way. */
export interface SpawnedProgram {
  readonly child: ChildProcess;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The first process of its tree; undefined until it is known. */
  readonly pid: () => number | undefined;
  /** Called once when that is known. */
  readonly whenStarted: (listener: () => void) => void;
  /** Kills the whole tree. */
  readonly kill: () => void;
  /** How it ended by itself, once it has. */
  readonly ending: (stderr: string) => ProcessExit | SandboxSetupError;
}

export function supervise(
  spawned: SpawnedProgram,
  { limits, jobDir, signal }: StartOptions,
): SandboxedProcess {
  const { child, stdin, stdout, stderr, pid, kill } = spawned;
  const errors = captureEnd(stderr, limits.stderrBytes);
  let reason: KillReason | undefined;
  let stopWatch: (() => void) | undefined;

  const end = (why: KillReason): void => {
    if (reason !== undefined) return;
    reason = why;
    kill();
  };
  const onAbort = (): void => end('aborted');

  spawned.whenStarted(() => {
    const first = pid();
    if (first === undefined) return;
    if (reason !== undefined) kill();
    else stopWatch = startWatch({ pid: first, jobDir, limits, onExceeded: end });
  });
  const wall = Number.isFinite(limits.wallMs) ? setTimeout(end, limits.wallMs, 'timeout') : undefined;
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });

  const ended = new Promise<ProcessExit>((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(wall);
      stopWatch?.();
      signal?.removeEventListener('abort', onAbort);
    };
    child.once('error', (error) => {
      settle();
      reject(new SandboxSetupError(`the program did not start: ${error.message}`));
    });
    child.once('close', () => {
      settle();
      const result: ProcessExit | SandboxSetupError =
        reason === undefined
          ? spawned.ending(errors())
          : { outcome: reason, code: undefined, signal: undefined, stderr: errors() };
      if (result instanceof SandboxSetupError) reject(result);
      else resolve(result);
    });
  });
  // Anyone who awaits it sees the fault; a caller that only ends the process must not bring down ours.
  ended.catch(() => undefined);
  // A program that does not read its input to the end is no fault of ours.
  stdin.on('error', () => undefined);
  return {
    stdin,
    stdout,
    ended,
    end,
    memoryBytes: () => {
      const first = pid();
      return first === undefined ? 0 : processTable.treeMemoryBytes(first);
    },
  };
}
