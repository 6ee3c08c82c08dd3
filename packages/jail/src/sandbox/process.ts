/** One program in bubblewrap, from start to end. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { type SandboxSetup, sandboxCommand } from './command-line.ts';
import { SandboxSetupError } from './faults.ts';
import { followStatus, type SandboxStatus } from './status.ts';
import { type ProcessExit, type SandboxedProcess, type StartOptions, supervise } from './supervise.ts';

/** If the kill takes longer than this, the sandbox itself hangs and is killed from outside. */
const KILL_GRACE_MS = 2000;

export function startSandboxed(setup: SandboxSetup, options: StartOptions): SandboxedProcess {
  const { child, status } = spawnSandboxed(setup, options);
  let onStarted: (() => void) | undefined;
  const sandboxStatus = followStatus(status, () => onStarted?.());
  return supervise(
    {
      child,
      stdin: child.stdin,
      stdout: child.stdout,
      stderr: child.stderr,
      pid: () => sandboxStatus.pid,
      whenStarted(listener) {
        onStarted = listener;
      },
      kill: () => kill(child, sandboxStatus.pid),
      ending: (stderr) => endingOf(sandboxStatus, stderr),
    },
    options,
  );
}

function spawnSandboxed(setup: SandboxSetup, options: StartOptions) {
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
    return { child, status: child.stdio[4] as Readable };
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

function endingOf(status: SandboxStatus, stderr: string): ProcessExit | SandboxSetupError {
  const code = status.exitCode;
  if (code === undefined) return new SandboxSetupError(`the sandbox could not be set up: ${stderr.trim()}`);
  // As in a shell: 128 plus the signal number.
  const signal = code > 128 ? signalNames.get(code - 128) : undefined;
  return signal === undefined
    ? { outcome: 'exited', code, signal, stderr }
    : { outcome: 'killed', code: undefined, signal, stderr };
}
