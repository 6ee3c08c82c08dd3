// Starts and stops long-running servers. What was started is recorded in a file next to its data, and nothing that
// isn't recorded there is ever stopped.

import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from './fault.ts';
import {
  formatIdentity,
  type Identity,
  identify,
  isAlive,
  isPaused,
  parseIdentity,
  signal,
} from './processes/identity.ts';
import type { Account } from './run.ts';

export type Daemon = {
  name: string;
  command: string;
  args: string[];
  folder: string;
  pidFile: string;
  logFile: string;
  account?: Account | undefined;
};

export function running(daemon: Daemon): Identity | undefined {
  let text: string;
  try {
    text = readFileSync(daemon.pidFile, 'utf8');
  } catch {
    return undefined;
  }
  const identity = parseIdentity(text);
  return identity && isAlive(identity) ? identity : undefined;
}

// Starts the daemon unless it is running; a paused one continues. True if something had to be done.
export function start(daemon: Daemon): boolean {
  const current = running(daemon);
  if (current) return isPaused(current) && signal(current, 'SIGCONT');
  for (const file of [daemon.pidFile, daemon.logFile]) mkdirSync(dirname(file), { recursive: true });
  const log = openSync(daemon.logFile, 'a', 0o600);
  try {
    const child = spawn(daemon.command, daemon.args, {
      cwd: daemon.folder,
      detached: true,
      stdio: ['ignore', log, log],
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' },
      ...daemon.account,
    });
    // A command that can't be started shows as a missing pid; without a listener it would end this process.
    child.on('error', () => undefined);
    const identity = child.pid === undefined ? undefined : identify(child.pid);
    if (!identity) throw new EngineError(`${daemon.name} did not start: ${lastLines(daemon)}`);
    writeFileSync(daemon.pidFile, formatIdentity(identity), { mode: 0o600 });
    child.unref();
  } finally {
    closeSync(log);
  }
  return true;
}

// Asks with the given signal, and after this many seconds kills what is still running.
export async function stop(daemon: Daemon, ask: NodeJS.Signals, seconds: number): Promise<void> {
  const identity = running(daemon);
  if (identity) {
    signal(identity, ask);
    signal(identity, 'SIGCONT');
    if (!(await gone(identity, seconds))) {
      signal(identity, 'SIGKILL');
      if (!(await gone(identity, 10)))
        throw new EngineError(`${daemon.name} (pid ${identity.pid}) can't be stopped`);
    }
  }
  rmSync(daemon.pidFile, { force: true });
}

export async function gone(identity: Identity, seconds: number): Promise<boolean> {
  const end = performance.now() + seconds * 1000;
  while (isAlive(identity)) {
    if (performance.now() > end) return false;
    await sleep(20);
  }
  return true;
}

export function lastLines(daemon: Daemon): string {
  try {
    return readFileSync(daemon.logFile, 'utf8').trimEnd().split('\n').slice(-15).join('\n');
  } catch {
    return '(no log)';
  }
}
