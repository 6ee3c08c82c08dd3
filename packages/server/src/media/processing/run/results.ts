/**
 * Makes objects of files that a sandboxed program left. Each must be a plain file of its own when opened; it is hashed while
 * it is stored, and committed together with its task's item.
 */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createEtagStream, DEFAULT_MIME_TYPE, Fault, MIB } from '@millpond/protocol';
import { nodeHashing } from '../../../platform/hashing.ts';
import type { ObjectBlobs, StoredBody } from '../../../platform/small-blobs/index.ts';
import type { Bucket } from '../../../storage/buckets/index.ts';
import type { CommitHook, Objects } from '../../../storage/objects/index.ts';

const CHUNK_BYTES = MIB;
/** A result is committed as soon as its bytes are stored: no token has to be still valid for it. */
const NO_DEADLINE = 2 ** 40;

export interface StoredFile extends StoredBody {
  readonly size: number;
  readonly hash: string;
  readonly mimeType: string;
}

export interface ResultTarget {
  readonly bucket: Bucket;
  readonly key: string;
  readonly expiresAt: Date | undefined;
  readonly endUser: string | undefined;
  /** 0 by default. */
  readonly storageClass?: number;
  /** For events of the bucket; the result of a command if undefined. */
  readonly way?: 'record' | 'snapshot';
}

export interface ResultDeps {
  readonly objects: Objects;
  readonly blobs: Pick<ObjectBlobs, 'openBody'>;
}

export class Results {
  readonly #deps: ResultDeps;

  constructor(deps: ResultDeps) {
    this.#deps = deps;
  }

  /** Stores the bytes in the blob store; no row names them yet. */
  async store(file: string, mimeType: string | undefined, signal: AbortSignal): Promise<StoredFile> {
    // The result must be neither a link to elsewhere nor something that blocks.
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { nlink, size } = await checkedStat(handle);
      if (nlink !== 1) throw new Error('the result has a second name');
      const stored = await this.#write(handle, size, signal);
      return { ...stored, size, mimeType: mimeType ?? DEFAULT_MIME_TYPE };
    } finally {
      await handle.close();
    }
  }

  /** Whether an object exists now; a moment later one may. */
  async isTaken({ bucket, key }: Pick<ResultTarget, 'bucket' | 'key'>): Promise<boolean> {
    return (await this.#deps.objects.find(bucket, key)) !== undefined;
  }

  /**
   * Whether it was written: without `overwrite`, an existing object stays, whatever it contains. Bytes that were not
   * written belong to nobody and may be removed at once: they can't be committed again.
   */
  async commit(
    file: StoredFile,
    place: ResultTarget,
    overwrite: boolean,
    also: CommitHook,
  ): Promise<{ written: boolean }> {
    const { blobId, inline, size, hash, mimeType } = file;
    const object = {
      bucketId: place.bucket.id,
      key: place.key,
      blobId,
      segments: [{ id: blobId, size }],
      fsize: size,
      inline,
      hash,
      mimeType,
      detectedType: mimeType,
      storageClass: place.storageClass ?? 0,
      endUser: place.endUser,
      meta: undefined,
      deadline: NO_DEADLINE,
      expiresAt: place.expiresAt,
      way: place.way ?? ('process' as const),
    };
    try {
      return await this.#deps.objects.commit(object, overwrite ? 'overwrite' : 'insert', also);
    } catch (error) {
      if (error instanceof Fault && error.fault === 'fileExists') return { written: false };
      throw error;
    }
  }

  async #write(
    handle: FileHandle,
    size: number,
    signal: AbortSignal,
  ): Promise<StoredBody & { readonly hash: string }> {
    const writer = this.#deps.blobs.openBody({ tier: 'STANDARD', signal, expectedBytes: size });
    const etag = createEtagStream(nodeHashing);
    try {
      for (let at = 0; at < size; ) {
        const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - at));
        const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
        if (bytesRead === 0) throw new Error('the result became shorter');
        const read = chunk.subarray(0, bytesRead);
        etag.update(read);
        await writer.write(read);
        at += bytesRead;
      }
      return { ...(await writer.finish()), hash: etag.digest().etag };
    } catch (error) {
      await writer.abort();
      throw error;
    }
  }
}

async function checkedStat(handle: FileHandle): Promise<{ nlink: number; size: number }> {
  const stat = await handle.stat();
  if (!stat.isFile()) throw new Error('the result is not a plain file');
  return stat;
}
