/**
 * One program in the sandbox, from start to end. It ends by itself, at one of its limits, or when `end` is called; in each case
 * `ended` settles only when the whole process tree is gone. It rejects only if the sandbox could not be set up.
 */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { captureEnd } from './capture.ts';
import { type Inside, type SandboxSetup, sandboxCommand } from './command-line.ts';
import { SandboxBroken } from './faults.ts';
import type { KillReason, RunOutcome } from './limits.ts';
import { followStatus, type SandboxStatus } from './status.ts';
import { startWatch, treeMemoryBytes } from './watch.ts';

export interface StartOptions extends Inside {
  readonly signal?: AbortSignal | undefined;
}

export interface Ended {
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
  readonly ended: Promise<Ended>;
  /** Kills the whole tree; the first reason counts. */
  end(reason: KillReason): void;
  /** Current use of all its processes together; 0 before it runs. */
  memoryBytes(): number;
}

/** If the kill takes longer than this, the sandbox itself hangs and is killed from outside. */
const KILL_GRACE_MS = 2000;

export function startSandboxed(setup: SandboxSetup, options: StartOptions): SandboxedProcess {
  const { limits, jobDir, signal } = options;
  const { child, stdin, stdout, stderr, status } = spawnSandboxed(setup, options);
  const errors = captureEnd(stderr, limits.stderrBytes);
  let reason: KillReason | undefined;
  let stopWatch: (() => void) | undefined;

  const end = (why: KillReason): void => {
    if (reason !== undefined) return;
    reason = why;
    kill(child, sandboxStatus.pid);
  };
  const onAbort = (): void => end('aborted');

  const sandboxStatus = followStatus(status, (pid) => {
    if (reason !== undefined) kill(child, pid);
    else stopWatch = startWatch({ pid, jobDir, limits, onExceeded: end });
  });
  const wall = Number.isFinite(limits.wallMs) ? setTimeout(end, limits.wallMs, 'timeout') : undefined;
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });

  const ended = new Promise<Ended>((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(wall);
      stopWatch?.();
      signal?.removeEventListener('abort', onAbort);
    };
    child.once('error', (error) => {
      settle();
      reject(new SandboxBroken(`the sandbox did not start: ${error.message}`));
    });
    child.once('close', () => {
      settle();
      const result = judge(reason, sandboxStatus, errors());
      if (result instanceof SandboxBroken) reject(result);
      else resolve(result);
    });
  });
  // Anyone who awaits it sees the fault; a caller that only ends the process must not bring down ours.
  ended.catch(() => undefined);
  return {
    stdin,
    stdout,
    ended,
    end,
    memoryBytes: () => (sandboxStatus.pid === undefined ? 0 : treeMemoryBytes(sandboxStatus.pid)),
  };
}

interface Spawned {
  readonly child: ChildProcess;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly status: Readable;
}

function spawnSandboxed(setup: SandboxSetup, options: StartOptions): Spawned {
  const [file = '', ...args] = sandboxCommand(setup, options);
  // Opened again each time: the sandbox reads it to its end, and the position belongs to the open file.
  const filter = openSync(setup.filterPath, 'r');
  try {
    const child = spawn(file, args, {
      cwd: '/',
      env: {},
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', filter, 'pipe'],
    }) as ChildProcessByStdio<Writable, Readable, Readable>;
    // A program that does not read its input to the end is no fault of ours.
    child.stdin.on('error', () => undefined);
    return {
      child,
      stdin: child.stdin,
      stdout: child.stdout,
      stderr: child.stderr,
      status: child.stdio[4] as Readable,
    };
  } finally {
    closeSync(filter);
  }
}

/**
 * Kills process 1 of the sandbox, which takes all others with it; its parent reaps it and exits by itself. While its pid is
 * unknown the parent is left alone: killing the parent first would leave an orphan.
 */
function kill(child: ChildProcess, pid: number | undefined): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
  const hard = setTimeout(() => child.kill('SIGKILL'), KILL_GRACE_MS);
  child.once('exit', () => clearTimeout(hard));
}

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

function judge(reason: KillReason | undefined, status: SandboxStatus, stderr: string): Ended | SandboxBroken {
  if (reason !== undefined) return { outcome: reason, code: undefined, signal: undefined, stderr };
  const code = status.exitCode;
  if (code === undefined) return new SandboxBroken(`the sandbox could not be set up: ${stderr.trim()}`);
  // As in a shell: 128 plus the signal number.
  const signal = code > 128 ? signalNames.get(code - 128) : undefined;
  return signal === undefined
    ? { outcome: 'exited', code, signal, stderr }
    : { outcome: 'killed', code: undefined, signal, stderr };
}
