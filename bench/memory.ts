/** Memory and processor time of a process and all that it started. */
import { readFileSync } from 'node:fs';

export interface Memory {
  /** Pages that are shared are divided among those that share them: what the machine really gives. */
  readonly residentMiB: number;
  /** As `ps` shows it, added up: shared pages count once for each process. */
  readonly sumOfRssMiB: number;
  readonly processes: number;
}

/** The same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

export function memoryOf(pid: number): Memory {
  const maps = family(pid).map((each) => readOrNothing(`/proc/${each}/smaps_rollup`));
  return {
    residentMiB: sumOf(maps, /^Pss:\s+(\d+) kB$/m),
    sumOfRssMiB: sumOf(maps, /^Rss:\s+(\d+) kB$/m),
    processes: maps.filter((text) => text !== '').length,
  };
}

/** Also of what has ended since, where its parent has noticed. */
export function cpuSecondsOf(pid: number): number {
  const ticks = family(pid).map((each) => {
    const text = readOrNothing(`/proc/${each}/stat`);
    // Fields 14 to 17: user and system time, its own and its children's.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  });
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

function sumOf(maps: readonly string[], field: RegExp): number {
  const kibibytes = maps.reduce((sum, text) => sum + Number(field.exec(text)?.[1] ?? 0), 0);
  return Math.round(kibibytes / 1024);
}

function family(pid: number): number[] {
  const children = readOrNothing(`/proc/${pid}/task/${pid}/children`).trim();
  return [pid, ...(children === '' ? [] : children.split(' ').flatMap((child) => family(Number(child))))];
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
