// Which process is ours. A pid alone is not enough: it is reused once our process has ended. Together with its start
// time and its boot it is unique, and only such a match is ever signalled.

import { processes } from './table.ts';

export type Identity = { pid: number; started: string; boot: string };

export function identify(pid: number): Identity | undefined {
  const line = processes.read(pid);
  return line && line.state !== 'Z' ? { pid, started: line.started, boot: processes.boot() } : undefined;
}

export function isAlive(identity: Identity): boolean {
  const now = identify(identity.pid);
  return now !== undefined && now.started === identity.started && now.boot === identity.boot;
}

export function isPaused(identity: Identity): boolean {
  return isAlive(identity) && processes.read(identity.pid)?.state === 'T';
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
  return processes
    .childrenOf(parent.pid)
    .map(identify)
    .filter((child) => child !== undefined);
}

/** What a process and its children use. */
export function memoryMiB(identity: Identity): number {
  const kibibytes = [identity, ...childrenOf(identity)].map(({ pid }) => processes.memoryKiB(pid));
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
