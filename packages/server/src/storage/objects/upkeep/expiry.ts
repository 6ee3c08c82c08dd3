/** Removes expired objects (`deleteAfterDays`), a batch at a time. May crash at any point and be rerun. */
import type { ExpiryStore } from './expiry.store.ts';

const BATCH = 500;

export class Expiry {
  readonly #store: ExpiryStore;

  constructor(store: ExpiryStore) {
    this.#store = store;
  }

  /** The number of objects removed. */
  async run(cancel: AbortSignal, batch = BATCH): Promise<number> {
    let total = 0;
    while (!cancel.aborted) {
      const { found, removed } = await this.#store.removeDue(batch);
      total += removed;
      if (found < batch) break;
    }
    return total;
  }
}
