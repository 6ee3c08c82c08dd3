/**
 * The limits that the kernel cannot enforce without cgroups: the memory of all processes of a sandbox together, and the
 * contents of its job directory. Checked several times a second.
 */
import { lstat, opendir } from 'node:fs/promises';
import path from 'node:path';
import type { JobLimits, KillReason } from './limits.ts';
import { processTable } from './process-table.ts';

const DISK_CHECK_INTERVAL_MS = 500;

export interface WatchOptions {
  /** The first of its processes, as seen from here. */
  readonly pid: number;
  readonly jobDir: string | undefined;
  readonly limits: JobLimits;
  readonly onExceeded: (reason: KillReason) => void;
}

/** Returns a function that ends the watch. */
export function startWatch({ pid, jobDir, limits, onExceeded }: WatchOptions): () => void {
  const memory = setInterval(() => {
    if (processTable.treeMemoryBytes(pid) > limits.memoryBytes) onExceeded('memory');
  }, processTable.memoryEveryMs);
  let looking = false;
  const disk =
    jobDir === undefined
      ? undefined
      : setInterval(() => {
          if (looking) return;
          looking = true;
          void exceedsDisk(jobDir, limits).then((exceeded) => {
            looking = false;
            if (exceeded) onExceeded('disk');
          });
        }, DISK_CHECK_INTERVAL_MS);
  return () => {
    clearInterval(memory);
    clearInterval(disk);
  };
}

async function exceedsDisk(jobDir: string, limits: JobLimits): Promise<boolean> {
  let bytes = 0;
  let files = 0;
  const folders = [jobDir];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await opendir(folder).catch(() => undefined);
    if (entries === undefined) continue;
    try {
      for await (const entry of entries) {
        const file = path.join(folder, entry.name);
        bytes += await diskBytes(file);
        if (++files > limits.files || bytes > limits.totalBytes) return true;
        if (entry.isDirectory()) folders.push(file);
      }
    } catch {
      // The folder disappeared while it was read; the next check sees what is left.
    }
  }
  return false;
}

/** Its space on the disk: a sparse source is as large as what was written of it. */
async function diskBytes(file: string): Promise<number> {
  const stat = await lstat(file).catch(() => undefined);
  return stat === undefined ? 0 : stat.blocks * 512;
}
