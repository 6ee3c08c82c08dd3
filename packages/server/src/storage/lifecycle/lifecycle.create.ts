/** Builds the feature that applies lifecycle rules. */
import { isArchiveClass } from '@millpond/protocol';
import type { Authenticate } from '../../identity/accounts/index.ts';
import type { Database } from '../../platform/db/database.ts';
import { everySeconds, type Feature } from '../../platform/feature.ts';
import type { Buckets } from '../buckets/index.ts';
import type { RequestClassMove } from '../objects/index.ts';
import { lifecycleRoutes } from './lifecycle.routes.ts';
import { Lifecycle, type LifecycleDeps } from './lifecycle.service.ts';
import { type ClassChange, LifecycleStore } from './lifecycle.store.ts';

export interface CreateLifecycleDeps {
  readonly region: Database;
  readonly ruledBuckets: LifecycleDeps['ruledBuckets'];
  readonly buckets: Buckets;
  readonly authenticate: Authenticate;
  /** Absent where no queue is open. */
  readonly requestMove: RequestClassMove | undefined;
}

/** Settings by name. */
export interface LifecycleSettings {
  readonly region: string;
  readonly lifecycleEvery: number;
}

export function createLifecycle(deps: CreateLifecycleDeps, settings: LifecycleSettings): Feature {
  const store = new LifecycleStore(deps.region);
  const classTransition = new ClassTransition(store, deps.requestMove);
  const lifecycle = new Lifecycle({
    ruledBuckets: deps.ruledBuckets,
    store,
    changeClass: (change) => classTransition.changeClass(change),
    region: settings.region,
    everySeconds: settings.lifecycleEvery / 1000,
  });
  return {
    routes: lifecycleRoutes({ ...deps, store }),
    jobs: [
      {
        name: 'lifecycle',
        everySeconds: everySeconds(settings.lifecycleEvery),
        says: 'lifecycle rules applied',
        run: (signal) => lifecycle.run(signal),
      },
    ],
    metrics: [],
  };
}

/** Gives an object a colder class: recorded at once; if its bytes then lie in the wrong tier, a job of the same commit moves them. */
export class ClassTransition {
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
