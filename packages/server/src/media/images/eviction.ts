/** Keeps the cached results within their bound: a job that evicts results whose source is gone, then the least recently used. */
import type { BlobStore } from '@millpond/blobs';
import type { ImageStore } from './image.store.ts';

/** How long a gateway may still name an evicted result, and a slow client may read it. */
const LEFTOVER_MS = 600_000;
/** Evicts a little more than necessary, so that the next few results don't trigger it again. */
const DOWN_TO = 0.95;

export interface EvictionOptions {
  readonly maxBytes: number;
  readonly leftoverMs?: number;
}

export class Eviction {
  readonly #store: ImageStore;
  readonly #blobs: BlobStore;
  readonly #options: EvictionOptions;

  constructor(store: ImageStore, blobs: BlobStore, options: EvictionOptions) {
    this.#store = store;
    this.#blobs = blobs;
    this.#options = options;
  }

  /** Returns the number of evicted results. */
  async run(cancel: AbortSignal): Promise<number> {
    const { removed } = await this.#store.purge();
    const evicted = await this.#evict(cancel);
    await this.#removeLeftovers(cancel);
    return removed + evicted;
  }

  async #evict(cancel: AbortSignal): Promise<number> {
    const { maxBytes } = this.#options;
    const bytes = await this.#store.totalBytes();
    let excess = bytes > maxBytes ? bytes - DOWN_TO * maxBytes : 0;
    let evicted = 0;
    while (excess > 0 && !cancel.aborted) {
      const gone = await this.#store.evict(Math.ceil(excess));
      if (gone.removed === 0) break;
      evicted += gone.removed;
      excess -= Number(gone.bytes);
    }
    return evicted;
  }

  /** Bytes first: a row that stays is tried again, but nobody would find bytes without a row. */
  async #removeLeftovers(cancel: AbortSignal): Promise<void> {
    while (!cancel.aborted) {
      const blobIds = await this.#store.leftovers(this.#options.leftoverMs ?? LEFTOVER_MS);
      if (blobIds.length === 0) return;
      await this.#blobs.remove(blobIds, cancel);
      await this.#store.forget(blobIds);
    }
  }
}
