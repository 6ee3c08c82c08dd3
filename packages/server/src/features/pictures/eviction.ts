/** Keeps the kept results within their bound: a job that lets go what has no source any more, then what is used least. */
import type { BlobStore } from '../../platform/blobs/index.ts';
import type { PictureStore } from './picture-store.ts';

/** As long as a gateway may still name a result that was let go, and a slow client may read it. */
const LEFTOVER_MS = 600_000;
/** A little more than must be goes, so that the next few results don't call for it again. */
const DOWN_TO = 0.95;

export interface EvictionOptions {
  readonly mostBytes: number;
  readonly leftoverMs?: number;
}

export class Eviction {
  readonly #store: PictureStore;
  readonly #blobs: BlobStore;
  readonly #options: EvictionOptions;

  constructor(store: PictureStore, blobs: BlobStore, options: EvictionOptions) {
    this.#store = store;
    this.#blobs = blobs;
    this.#options = options;
  }

  /** How many results were let go. */
  async run(cancel: AbortSignal): Promise<number> {
    const { removed } = await this.#store.purge();
    const evicted = await this.#evict(cancel);
    await this.#removeLeftovers(cancel);
    return removed + evicted;
  }

  async #evict(cancel: AbortSignal): Promise<number> {
    const { mostBytes } = this.#options;
    const bytes = await this.#store.totalBytes();
    let excess = bytes > mostBytes ? bytes - DOWN_TO * mostBytes : 0;
    let evicted = 0;
    while (excess > 0 && !cancel.aborted) {
      const gone = await this.#store.evict(Math.ceil(excess));
      if (gone.removed === 0) break;
      evicted += gone.removed;
      excess -= Number(gone.bytes);
    }
    return evicted;
  }

  /** Bytes first: a row that stays is tried again, bytes without a row would be found by nobody. */
  async #removeLeftovers(cancel: AbortSignal): Promise<void> {
    while (!cancel.aborted) {
      const blobIds = await this.#store.leftovers(this.#options.leftoverMs ?? LEFTOVER_MS);
      if (blobIds.length === 0) return;
      await this.#blobs.remove(blobIds, cancel);
      await this.#store.forget(blobIds);
    }
  }
}
