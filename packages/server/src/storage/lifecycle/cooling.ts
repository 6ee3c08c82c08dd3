/** Gives an object a colder class: recorded at once; if its bytes then lie in the wrong tier, a job of the same commit moves them. */
import { isArchiveClass } from '@millpond/protocol';
import type { RequestClassMove } from '../objects/index.ts';
import type { ClassChange, LifecycleStore } from './lifecycle.store.ts';

export class Cooling {
  readonly #store: LifecycleStore;
  readonly #requestMove: RequestClassMove | undefined;

  /** Without a queue, the job that looks for misplaced bytes finds them. */
  constructor(store: LifecycleStore, requestMove?: RequestClassMove) {
    this.#store = store;
    this.#requestMove = requestMove;
  }

  /** False if that version no longer exists, or is already that cold. */
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
