/** Large content and the memory of a process that it passes through. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export const MIB = 1024 * 1024;
/** What MILLPOND_TEST_LARGE_MIB says, else 256 MiB. */
export const LARGE_SIZE = Number(process.env.MILLPOND_TEST_LARGE_MIB ?? 256) * MIB;
/** The most that a process may grow by, whatever the size. */
export const MAX_GROWTH = 150 * MIB;

const BLOCK = createHash('shake256', { outputLength: MIB }).update('noise').digest();

/** Blocks that differ, so that no layer can be clever about them. */
export function* largeBlocks(): Generator<Buffer> {
  for (let at = 0; at < LARGE_SIZE; at += MIB) {
    const block = Buffer.from(BLOCK);
    block.writeDoubleLE(at, 0);
    yield block;
  }
}

export function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
}

export async function peakDuring<T>(pid: number, work: Promise<T>): Promise<{ result: T; peak: number }> {
  let peak = 0;
  let done = false;
  const watching = (async () => {
    while (!done) {
      peak = Math.max(peak, memoryOf(pid));
      await sleep(20);
    }
  })();
  try {
    return { result: await work, peak: Math.max(peak, memoryOf(pid)) };
  } finally {
    done = true;
    await watching;
  }
}
