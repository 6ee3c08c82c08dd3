/**
 * Blobs on a local disk: for development, tests and single machines. Durable after fsync of file and folder;
 * kill -9 at any point leaves temporary files (removed by abortStale) but never a part of a blob.
 */
import { constants } from 'node:fs';
import { makeFolder } from '@millpond/base';
import { type BlobId, hourAt, hourOf } from '../blob-id.ts';
import { copyByStream } from '../copy.ts';
import {
  BlobCorruptError,
  BlobNotFoundError,
  BlobStoreUnavailableError,
  BlobTooLargeError,
} from '../errors.ts';
import type { BlobStore, Tier, WriteOptions } from '../store.ts';
import {
  access,
  close,
  codeOf,
  copyFile,
  diskFault,
  fdatasync,
  fstat,
  open,
  readAt,
  rmdir,
  stat,
  unlink,
  writeAll,
} from './files.ts';
import { createHourFolders } from './folders.ts';
import {
  blobPath,
  folderOf,
  hourFolder,
  TIERS,
  temporaryFolder,
  temporaryPath,
  tierFolder,
} from './layout.ts';
import { listHour, listHours, removeStale } from './list.ts';
import { pumpFile } from './read.ts';
import { openDiskWriter } from './writer.ts';

export interface DiskBlobOptions {
  /** Absolute path; created if missing. One file system holds all of it. */
  readonly root: string;
}

/** Hours more recent than this may still get blobs, so their empty folders stay. */
const FOLDER_REST_MS = 2 * 3_600_000;
const MAX_CONCURRENT_UNLINKS = 32;

export function createDiskBlobStore({ root }: DiskBlobOptions): BlobStore {
  const hourFolders = createHourFolders();

  /** Fills a temporary file and gives it the blob's name; whatever fails, no temporary file is left behind. */
  async function store(
    id: BlobId,
    { tier, signal }: WriteOptions,
    fill: (path: string) => Promise<void>,
  ): Promise<void> {
    signal?.throwIfAborted();
    const temporary = temporaryPath(root, id);
    try {
      await fill(temporary);
      signal?.throwIfAborted();
      await hourFolders.place(temporary, folderOf(root, tier, id), blobPath(root, tier, id));
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw diskFault(error, 'writing a blob');
    }
  }

  async function openBlob(id: BlobId): Promise<number> {
    for (const tier of TIERS) {
      try {
        return await open(blobPath(root, tier, id), 'r');
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw diskFault(error, 'opening a blob');
      }
    }
    throw new BlobNotFoundError(id);
  }

  async function withBlob<T>(id: BlobId, work: (fd: number, size: number) => Promise<T>): Promise<T> {
    const fd = await openBlob(id);
    try {
      return await work(fd, (await fstat(fd)).size);
    } catch (error) {
      throw diskFault(error, 'reading a blob');
    } finally {
      await close(fd);
    }
  }

  async function locate(id: BlobId): Promise<{ size: number; tier: Tier } | undefined> {
    for (const tier of TIERS) {
      try {
        return { size: (await stat(blobPath(root, tier, id))).size, tier };
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw diskFault(error, 'looking at a blob');
      }
    }
    return undefined;
  }

  async function removeOne(id: BlobId): Promise<void> {
    for (const tier of TIERS) {
      try {
        await unlink(blobPath(root, tier, id));
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw diskFault(error, 'removing a blob');
      }
    }
  }

  const self: BlobStore = {
    put: (id, chunks, options) =>
      store(id, options, async (temporary) => {
        const fd = await open(temporary, 'wx', 0o640);
        try {
          await writeAll(fd, chunks, 0);
          await fdatasync(fd);
        } finally {
          await close(fd);
        }
      }),

    openWriter: (id, options) => openDiskWriter(root, hourFolders, id, options),

    read: (id, range, sink, signal) =>
      withBlob(id, async (fd, size) => {
        signal?.throwIfAborted();
        const end = range.offset + range.length;
        if (end > size) throw new BlobCorruptError(id, `holds ${size} bytes, requested up to ${end}`);
        if (range.length > 0) await pumpFile(fd, id, range, sink, signal);
      }),

    readAll: (id, maxBytes, signal) =>
      withBlob(id, async (fd, size) => {
        signal?.throwIfAborted();
        if (size > maxBytes) throw new BlobTooLargeError(id, maxBytes);
        const whole = Buffer.allocUnsafeSlow(size);
        const count = size === 0 ? 0 : await readAt(fd, whole, size, 0);
        if (count < size) throw new BlobCorruptError(id, `holds ${count} bytes, expected ${size}`);
        return whole;
      }),

    stat: locate,

    async remove(ids, signal) {
      for (let at = 0; at < ids.length; at += MAX_CONCURRENT_UNLINKS) {
        signal?.throwIfAborted();
        await Promise.all(ids.slice(at, at + MAX_CONCURRENT_UNLINKS).map(removeOne));
      }
      const old = hourAt(Math.max(0, Date.now() - FOLDER_REST_MS));
      const hours = new Set(ids.filter((id) => hourOf(id) < old).map(hourOf));
      for (const hour of hours) {
        // The system refuses this while anything is left in the folder, which is what we want.
        for (const tier of TIERS) await rmdir(hourFolder(root, tier, hour)).catch(() => undefined);
      }
    },

    async copy(from, to, options) {
      const found = await locate(from);
      if (!found) throw new BlobNotFoundError(from);
      try {
        await store(to, options, async (temporary) => {
          await copyFile(blobPath(root, found.tier, from), temporary, constants.COPYFILE_FICLONE_FORCE);
          const fd = await open(temporary, 'r+');
          try {
            await fdatasync(fd);
          } finally {
            await close(fd);
          }
        });
      } catch (error) {
        if (!cannotClone(error)) throw error;
        await copyByStream(self, from, to, options);
      }
    },

    presign: () => undefined,
    listHours: () => listHours(root),
    list: (hour, options = {}) => listHour(root, hour, options),
    abortStale: (olderThan) => removeStale(root, olderThan.getTime()),

    async ensureReady() {
      try {
        for (const folder of [root, temporaryFolder(root), ...TIERS.map((tier) => tierFolder(root, tier))])
          makeFolder(folder, 0o750);
        const device = (await stat(temporaryFolder(root))).dev;
        for (const tier of TIERS)
          if ((await stat(tierFolder(root, tier))).dev !== device)
            throw new BlobStoreUnavailableError(`${tier} and tmp must be on the same file system`, {
              retryable: false,
            });
      } catch (error) {
        throw diskFault(error, 'preparing the blob folder');
      }
    },

    // The two folders are siblings: if one is writable, both are.
    probeColdClass: () => Promise.resolve(undefined),

    async ping() {
      try {
        await access(temporaryFolder(root), constants.W_OK);
      } catch (error) {
        throw diskFault(error, 'looking at the blob folder');
      }
    },

    close: async () => undefined,
  };
  return self;
}

const CLONE_REFUSED = new Set(['ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EINVAL', 'ENOTTY']);

function cannotClone(error: unknown): boolean {
  return error instanceof BlobStoreUnavailableError && CLONE_REFUSED.has(codeOf(error.cause) ?? '');
}
