// What the system knows of a process: from /proc on Linux, from `ps` elsewhere.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readOrNothing } from '../text-file.ts';

export type ProcessLine = { state: string; parent: number; started: string };

export type ProcessTable = {
  // Process ids and start times count within one boot.
  boot(): string;
  read(pid: number): ProcessLine | undefined;
  childrenOf(pid: number): number[];
  // Shared pages are divided among the processes that share them, so that PostgreSQL's buffers are not counted once per connection.
  memoryKiB(pid: number): number;
};

export const linuxProcesses: ProcessTable = {
  boot: () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
  read(pid) {
    const text = readOrNothing(`/proc/${pid}/stat`);
    // The second field is the command in brackets, and may itself contain spaces and brackets.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, parent] = fields;
    const started = fields[19];
    if (state === undefined || parent === undefined || started === undefined) return undefined;
    return { state, parent: Number(parent), started };
  },
  childrenOf: (pid) =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && linuxProcesses.read(Number(name))?.parent === pid)
      .map(Number),
  memoryKiB(pid) {
    const found = /^Pss:\s+(\d+) kB$/m.exec(readOrNothing(`/proc/${pid}/smaps_rollup`));
    return Number(found?.[1] ?? 0);
  },
};

// The time at which a process started is a date here, which no other boot repeats; shared memory is counted in each process.
export const otherProcesses: ProcessTable = {
  boot: () => '-',
  read(pid) {
    const [, state, parent, date] =
      /^\s*(\S)\S*\s+(\d+)\s+(.+?)\s*$/.exec(ps(pid, 'state=,ppid=,lstart=')) ?? [];
    const started = Date.parse(date ?? '') / 1000;
    if (state === undefined || Number.isNaN(started)) return undefined;
    return { state, parent: Number(parent), started: String(started) };
  },
  childrenOf: (pid) =>
    runPs('-A', '-o', 'pid=,ppid=')
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .flatMap(([child, parent]) => (child !== undefined && parent === pid ? [child] : [])),
  memoryKiB: (pid) => Number(ps(pid, 'rss=')),
};

export const processes = process.platform === 'linux' ? linuxProcesses : otherProcesses;

const ps = (pid: number, columns: string) => runPs('-p', String(pid), '-o', columns);

function runPs(...args: string[]): string {
  return spawnSync('ps', args, { encoding: 'utf8', env: { PATH: process.env.PATH, LC_ALL: 'C' } }).stdout;
}
