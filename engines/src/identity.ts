// Which process is ours. A pid alone is not enough: it is reused once our process has ended. Together with its start
// time and its boot it is unique, and only such a match is ever signalled.

import { readdirSync, readFileSync } from 'node:fs';
import { readOrNothing } from './text-file.ts';

export type Identity = { pid: number; started: string; boot: string };

type ProcessLine = { state: string; parent: number; started: string };

export function identify(pid: number): Identity | undefined {
  const line = readProcess(pid);
  return line && line.state !== 'Z' ? { pid, started: line.started, boot: bootId() } : undefined;
}

export function isAlive(identity: Identity): boolean {
  const now = identify(identity.pid);
  return now !== undefined && now.started === identity.started && now.boot === identity.boot;
}

export function isPaused(identity: Identity): boolean {
  return isAlive(identity) && readProcess(identity.pid)?.state === 'T';
}

// True if the signal went to exactly the process that was identified.
export function signal(identity: Identity, name: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false;
  try {
    process.kill(identity.pid, name);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

export function childrenOf(parent: Identity): Identity[] {
  if (!isAlive(parent)) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readProcess(Number(name))?.parent === parent.pid)
    .map((name) => identify(Number(name)))
    .filter((child) => child !== undefined);
}

// Memory of a process and its children in MiB. Shared pages are divided among the processes that share them, so that
// PostgreSQL's buffers are not counted once per connection.
export function memoryMiB(identity: Identity): number {
  const kibibytes = [identity, ...childrenOf(identity)].map(({ pid }) => {
    const found = /^Pss:\s+(\d+) kB$/m.exec(readOrNothing(`/proc/${pid}/smaps_rollup`));
    return Number(found?.[1] ?? 0);
  });
  return Math.round(kibibytes.reduce((sum, each) => sum + each, 0) / 1024);
}

export function formatIdentity({ pid, started, boot }: Identity): string {
  return `${pid} ${started} ${boot}\n`;
}

export function parseIdentity(text: string): Identity | undefined {
  const [, pid, started, boot] = /^([1-9]\d{0,9}) (\d+) (\S+)\n$/.exec(text) ?? [];
  if (pid === undefined || started === undefined || boot === undefined) return undefined;
  return { pid: Number(pid), started, boot };
}

function readProcess(pid: number): ProcessLine | undefined {
  const text = readOrNothing(`/proc/${pid}/stat`);
  // The second field is the command in brackets, and may itself contain spaces and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent] = fields;
  const started = fields[19];
  if (state === undefined || parent === undefined || started === undefined) return undefined;
  return { state, parent: Number(parent), started };
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}
