/** Gives an object a colder class: recorded at once, and where its bytes lie elsewhere then, moved by a job of the same commit. */
import { isArchiveClass } from '@millpond/protocol';
import type { RequestClassMove } from '../objects/index.ts';
import type { ClassChange, LifecycleStore } from './store.ts';

export class Cooling {
  readonly #store: LifecycleStore;
  readonly #requestMove: RequestClassMove | undefined;

  /** Without a queue the bytes are found by the job that looks for misplaced ones. */
  constructor(store: LifecycleStore, requestMove?: RequestClassMove) {
    this.#store = store;
    this.#requestMove = requestMove;
  }

  /** False where that version is there no more, or is that cold already. */
  changeClass(change: ClassChange): Promise<boolean> {
    return this.#store.transaction(async (transaction) => {
      const changed = await this.#store.changeClass(change, transaction);
      if (changed === undefined) return false;
      if (changed.cold !== isArchiveClass(change.storageClass))
        await this.#requestMove?.(transaction, changed.blob_id);
      return true;
    });
  }
}
