/**
 * Listing and cleaning up. An hour of a disk store is read whole and sorted in memory: a single machine's hour holds at most
 * some hundred thousand names.
 */
import { join } from 'node:path';
import { type BlobId, blobTime, isHour, parseEngineKey } from '../blob-id.ts';
import type { BlobEntry, ListOptions, Tier } from '../store.ts';
import { codeOf, diskFault, readdir, stat, unlink } from './files.ts';
import { blobPath, hourFolder, idOfTemporary, TIERS, temporaryFolder, tierFolder } from './layout.ts';

const MAX_PAGE_SIZE = 1000;
const MAX_CONCURRENT_STATS = 64;

export async function listHours(root: string): Promise<string[]> {
  const hours = new Set<string>();
  for (const tier of TIERS) {
    for (const name of await namesIn(tierFolder(root, tier))) if (isHour(name)) hours.add(name);
  }
  return [...hours].sort();
}

export async function* listHour(
  root: string,
  hour: string,
  options: ListOptions,
): AsyncGenerator<readonly BlobEntry[]> {
  const { after, signal } = options;
  const pageSize = Math.min(options.pageSize ?? MAX_PAGE_SIZE, MAX_PAGE_SIZE);
  const found: { id: BlobId; tier: Tier }[] = [];
  for (const tier of TIERS) {
    for (const name of await namesIn(hourFolder(root, tier, hour))) {
      const id = parseEngineKey(`${hour}/${name}`);
      if (id !== undefined && (after === undefined || id > after)) found.push({ id, tier });
    }
  }
  found.sort((one, other) => (one.id < other.id ? -1 : 1));
  for (let at = 0; at < found.length; at += pageSize) {
    signal?.throwIfAborted();
    const page = await withSizes(root, found.slice(at, at + pageSize));
    if (page.length > 0) yield page;
  }
}

async function withSizes(root: string, found: readonly { id: BlobId; tier: Tier }[]): Promise<BlobEntry[]> {
  const entries: BlobEntry[] = [];
  for (let at = 0; at < found.length; at += MAX_CONCURRENT_STATS) {
    const some = found.slice(at, at + MAX_CONCURRENT_STATS);
    const sizes = await Promise.all(some.map(({ id, tier }) => sizeOf(blobPath(root, tier, id))));
    some.forEach(({ id }, index) => {
      const size = sizes[index];
      // Removed since the folder was read.
      if (size !== undefined) entries.push({ id, size });
    });
  }
  return entries;
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw diskFault(error, 'listing blobs');
  }
}

/** Removes temporary files of bodies begun before the time; a writer still using one then fails to finish. */
export async function removeStale(root: string, olderThan: number): Promise<number> {
  let removed = 0;
  for (const name of await namesIn(temporaryFolder(root))) {
    const id = idOfTemporary(name);
    if (id === undefined || blobTime(id) >= olderThan) continue;
    try {
      await unlink(join(temporaryFolder(root), name));
      removed++;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw diskFault(error, 'removing a stale file');
    }
  }
  return removed;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw diskFault(error, 'listing blobs');
  }
}
