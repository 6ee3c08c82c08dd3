/** For tests that use the sandbox: a root that its user can reach, and a count of processes by a mark in their arguments. */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export function temporaryRoot(name = 'millpond-sandbox-'): string {
  const root = mkdtempSync(path.join(tmpdir(), name));
  chmodSync(root, 0o755);
  return root;
}

export function newMark(): string {
  return `mark-${randomBytes(8).toString('hex')}`;
}

/** Living processes of the machine whose arguments hold the mark. */
export function countMarked(mark: string): number {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(mark);
    } catch {
      return false;
    }
  }).length;
}

/** Waits until the condition holds; false if it does not in time. */
export async function eventually(condition: () => boolean, milliseconds = 60_000): Promise<boolean> {
  const end = Date.now() + milliseconds;
  while (Date.now() < end) {
    if (condition()) return true;
    await sleep(20);
  }
  return condition();
}

/** Our own children that have ended and have not been reaped. */
export function zombieChildren(): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const [state, parent] = line.slice(line.lastIndexOf(')') + 2).split(' ');
      return state === 'Z' && Number(parent) === process.pid;
    } catch {
      return false;
    }
  });
}
