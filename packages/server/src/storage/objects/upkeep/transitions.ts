/** Moves objects to colder classes when their lifecycle says so, a batch at a time. May crash at any point and be rerun. */
import type { RequestClassMoves } from '../upkeep-requests.ts';
import type { ChangedDue, TransitionStore } from './transition.store.ts';

const BATCH = 500;

export class Transitions {
  readonly #store: TransitionStore;
  readonly #requestMoves: RequestClassMoves | undefined;

  /** Without a queue, the job that looks for misplaced bytes finds them. */
  constructor(store: TransitionStore, requestMoves?: RequestClassMoves) {
    this.#store = store;
    this.#requestMoves = requestMoves;
  }

  /** The number of objects whose class changed. */
  async run(cancel: AbortSignal, batch = BATCH): Promise<number> {
    let total = 0;
    while (!cancel.aborted) {
      const { found, changed } = await this.#changeDue(batch);
      total += changed;
      if (found < batch) break;
    }
    return total;
  }

  /** The class change, and the jobs that move the bytes, in one commit. */
  #changeDue(batch: number): Promise<ChangedDue> {
    return this.#store.transaction(async (transaction) => {
      const due = await this.#store.changeDue(batch, transaction);
      if (due.misplaced.length > 0) await this.#requestMoves?.(transaction, due.misplaced);
      return due;
    });
  }
}
