/** What the machine knows of its processes: from /proc on Linux, from `ps` elsewhere. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ProcessTable {
  /** Where process ids count: two containers may have the same ones. */
  space(): string;
  /** Tells a process from a later one with the same id; undefined if there is none. */
  startTime(pid: number): string | undefined;
  /** Command lines of all processes that may be seen. */
  commandLines(): { readonly pid: number; readonly command: string }[];
  /** In use by a process and all below it; pages shared by several are counted for each of them. */
  treeMemoryBytes(pid: number): number;
  /** How often that may be asked for. */
  readonly memoryEveryMs: number;
}

/** Pages of statm; 4 KiB on x86_64, and on aarch64 as Debian builds it. */
const PAGE_BYTES = 4096;

export const linuxProcesses: ProcessTable = {
  space: () => readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, ''),
  startTime(pid) {
    const line = readProc(`${pid}/stat`);
    // The program's name may hold spaces and brackets; the fields after it do not.
    return line === '' ? undefined : line.slice(line.lastIndexOf(')') + 2).split(' ')[19];
  },
  commandLines: () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ pid: Number(name), command: readProc(`${name}/cmdline`) })),
  treeMemoryBytes: (pid) => [pid, ...descendants(pid)].reduce((sum, each) => sum + residentBytes(each), 0),
  memoryEveryMs: 100,
};

function residentBytes(pid: number): number {
  const [, pages] = readProc(`${pid}/statm`).split(' ');
  return Number(pages ?? 0) * PAGE_BYTES;
}

function descendants(pid: number): number[] {
  return threads(pid).flatMap((thread) =>
    readProc(`${pid}/task/${thread}/children`)
      .split(' ')
      .filter((child) => child !== '')
      .flatMap((child) => [Number(child), ...descendants(Number(child))]),
  );
}

function threads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Empty if the process is gone by now, or another user's. */
function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, 'latin1');
  } catch {
    return '';
  }
}

export const psProcesses: ProcessTable = {
  space: () => '0',
  startTime(pid) {
    const at = Date.parse(ps('-o', 'lstart=', '-p', String(pid)));
    return Number.isNaN(at) ? undefined : String(at);
  },
  commandLines: () =>
    ps('-A', '-o', 'pid=,command=')
      .split('\n')
      .map((line) => {
        const [pid = ''] = line.trim().split(' ', 1);
        return { pid: Number(pid), command: line.trim().slice(pid.length + 1) };
      }),
  treeMemoryBytes(pid) {
    const rows = ps('-A', '-o', 'pid=,ppid=,rss=')
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number));
    const bytesOf = (root: number): number =>
      rows.reduce((sum, [id = 0, parent = 0, kibibytes = 0]) => {
        if (id === root) return sum + kibibytes * 1024;
        return parent === root ? sum + bytesOf(id) : sum;
      }, 0);
    return bytesOf(pid);
  },
  memoryEveryMs: 1000,
};

/** Empty if it finds nothing. */
function ps(...args: readonly string[]): string {
  try {
    return execFileSync('ps', args, { encoding: 'utf8', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } });
  } catch {
    return '';
  }
}

export const processTable = process.platform === 'linux' ? linuxProcesses : psProcesses;
