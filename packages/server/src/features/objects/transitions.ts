/** Objects go to colder classes when their lifecycle says so, a batch at a time. Can die anywhere and be run again. */
import type { TransitionStore } from './transition-store.ts';

const BATCH = 500;

export class Transitions {
  readonly #store: TransitionStore;

  constructor(store: TransitionStore) {
    this.#store = store;
  }

  /** The number of objects whose class changed. */
  async run(cancel: AbortSignal, batch = BATCH): Promise<number> {
    let total = 0;
    while (!cancel.aborted) {
      const { found, changed } = await this.#store.changeDue(batch);
      total += changed;
      if (found < batch) break;
    }
    return total;
  }
}
