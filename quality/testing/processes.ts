/** Memory and processor time of processes, from the kernel's figures. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Memory {
  /** Shared pages are divided among the processes that share them: what the machine really uses. */
  readonly residentMiB: number;
  /** As `ps` shows it, added up: shared pages count once for each process. */
  readonly sumOfRssMiB: number;
  readonly processes: number;
}

/** The same on every Linux that Node runs on. */
export const TICKS_PER_SECOND = 100;

/** Memory of a process and all that it started. */
export function memoryOf(pid: number): Memory {
  const maps = familyOf(pid).map((each) => readOrNothing(`/proc/${each}/smaps_rollup`));
  return {
    residentMiB: sumOf(maps, /^Pss:\s+(\d+) kB$/m),
    sumOfRssMiB: sumOf(maps, /^Rss:\s+(\d+) kB$/m),
    processes: maps.filter((text) => text !== '').length,
  };
}

/** Resident memory of one process in MiB: now, or the peak so far. 0 once it has ended. */
export function residentMiB(pid: number, when: 'now' | 'most'): number {
  const field = when === 'now' ? /^VmRSS:\s+(\d+)/m : /^VmHWM:\s+(\d+)/m;
  return Number(field.exec(readOrNothing(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

/** CPU time of a process and all that it started, including processes that have ended since, if their parent has reaped them. */
export function cpuSecondsOf(pid: number): number {
  const ticks = familyOf(pid).map((each) => {
    const stat = statOf(each);
    return stat === undefined ? 0 : stat.ticks + stat.ticksOfEnded;
  });
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

/** A process and all that it started, whichever thread did; empty if it has ended. */
export function familyOf(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
    );
    return [pid, ...children.flatMap(familyOf)];
  } catch {
    return [];
  }
}

export interface ProcessStat {
  readonly name: string;
  /** Distinguishes it from a later process with the same PID. */
  readonly started: string;
  readonly ticks: number;
  /** CPU ticks of its children that have ended. */
  readonly ticksOfEnded: number;
}

/** Undefined for a process that has ended. */
export function statOf(pid: number): ProcessStat | undefined {
  const text = readOrNothing(`/proc/${pid}/stat`);
  if (text === '') return undefined;
  // The name of the command, in brackets, may contain spaces.
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  return {
    name: text.slice(text.indexOf('(') + 1, end),
    started: fields[19] ?? '',
    ticks: Number(fields[11]) + Number(fields[12]),
    ticksOfEnded: Number(fields[13]) + Number(fields[14]),
  };
}

function sumOf(maps: readonly string[], field: RegExp): number {
  const kibibytes = maps.reduce((sum, text) => sum + Number(field.exec(text)?.[1] ?? 0), 0);
  return Math.round(kibibytes / 1024);
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
