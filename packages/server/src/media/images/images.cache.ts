/**
 * Cached results: rows in the region that name blobs. A gateway remembers the rows it has seen for a moment (the bytes of
 * released results stay longer than that), and reports their use now and then, in batches.
 */
import type { Log } from '@millpond/base';
import { type BlobStore, newBlobId } from '@millpond/blobs';
import type { MemoryResult } from '@millpond/jail';
import { etagOf } from '@millpond/protocol';
import { nodeHashing } from '../../platform/hashing.ts';
import type { ImageCacheKey, ImageRow, ImageStore } from './image.store.ts';

export interface ImageCacheDeps {
  readonly store: ImageStore;
  readonly blobs: BlobStore;
  readonly log: Log;
  /** Maximum bytes of all results together; 0: nothing is cached. */
  readonly maxBytes: number;
  readonly commitWindowMs: number;
}

const REMEMBER_MS = 30_000;
const MAX_REMEMBERED = 20_000;
const REPORT_INTERVAL_MS = 10_000;
const MAX_USES = 1000;
/** The share of all space that one result may take: a few large ones must not push out everything else. */
const MAX_SHARE = 1 / 8;

export class ImageCache {
  readonly #deps: ImageCacheDeps;
  readonly #remembered = new Map<string, { readonly row: ImageRow; readonly until: number }>();
  readonly #uses = new Map<string, ImageCacheKey>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: ImageCacheDeps) {
    this.#deps = deps;
  }

  async find(name: ImageCacheKey, cancel: AbortSignal): Promise<ImageRow | undefined> {
    if (this.#deps.maxBytes === 0) return undefined;
    const id = textOf(name);
    const remembered = this.#remembered.get(id);
    if (remembered !== undefined && remembered.until > performance.now()) return remembered.row;
    const row = await this.#deps.store.find(name, cancel);
    if (row === undefined) return undefined;
    if (row.is_due) this.#note(id, name);
    this.#remember(id, row);
    return row;
  }

  /** The row of a new result. If it can't be cached, it is served all the same. */
  async keep(name: ImageCacheKey, result: MemoryResult | 'original'): Promise<ImageRow> {
    const row = rowOf(result);
    const bytes = result === 'original' ? undefined : result.bytes;
    const { maxBytes, log } = this.#deps;
    if (maxBytes === 0 || Number(row.size) > maxBytes * MAX_SHARE) return row;
    try {
      const kept = await this.#store(name, row, bytes);
      this.#remember(textOf(name), kept);
      return kept;
    } catch (error) {
      log.warn(
        { error: error instanceof Error ? error.message : String(error) },
        'a result could not be kept',
      );
      return row;
    }
  }

  /** Writes the noted uses. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const names = [...this.#uses.values()];
    this.#uses.clear();
    if (names.length > 0) await this.#deps.store.touch(names);
  }

  async #store(name: ImageCacheKey, row: ImageRow, bytes: Buffer | undefined): Promise<ImageRow> {
    const { store, blobs, commitWindowMs } = this.#deps;
    if (bytes === undefined) return store.insert(name, row, commitWindowMs);
    const blobId = newBlobId();
    await blobs.put(blobId, [bytes], { tier: 'STANDARD' });
    const kept = await store.insert(name, { ...row, blob_id: blobId }, commitWindowMs);
    // Another gateway was faster. If this fails, the sweep finds the bytes: no row names them.
    if (kept.blob_id !== blobId) await blobs.remove([blobId]);
    return kept;
  }

  #remember(id: string, row: ImageRow): void {
    this.#remembered.delete(id);
    this.#remembered.set(id, { row, until: performance.now() + REMEMBER_MS });
    if (this.#remembered.size <= MAX_REMEMBERED) return;
    const [oldest] = this.#remembered.keys();
    if (oldest !== undefined) this.#remembered.delete(oldest);
  }

  #note(id: string, name: ImageCacheKey): void {
    // Uses that find no room are noted at the next use.
    if (this.#uses.size < MAX_USES) this.#uses.set(id, name);
    this.#timer ??= setTimeout(() => {
      this.flush().catch((error: unknown) =>
        this.#deps.log.warn({ error: String(error) }, 'uses of kept results could not be recorded'),
      );
    }, REPORT_INTERVAL_MS).unref();
  }
}

function rowOf(result: MemoryResult | 'original'): ImageRow {
  if (result === 'original') return { blob_id: null, size: 0n, hash: '', mime_type: '' };
  const { bytes, mimeType } = result;
  return {
    blob_id: null,
    size: BigInt(bytes.length),
    hash: etagOf(nodeHashing, bytes),
    mime_type: mimeType,
  };
}

/** One string per name, as a map key. */
export function textOf({ sourceBlob, work }: ImageCacheKey): string {
  return `${sourceBlob} ${work.toString('base64url')}`;
}
