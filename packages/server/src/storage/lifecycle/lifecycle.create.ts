/** Builds the feature that applies lifecycle rules. */
import type { Authenticate } from '../../identity/accounts/index.ts';
import type { Database } from '../../platform/db/database.ts';
import { everySeconds, type Feature } from '../../platform/feature.ts';
import type { Buckets } from '../buckets/index.ts';
import type { RequestClassMove } from '../objects/index.ts';
import { Cooling } from './cooling.ts';
import { lifecycleRoutes } from './lifecycle.routes.ts';
import { Lifecycle, type LifecycleDeps } from './lifecycle.service.ts';
import { LifecycleStore } from './lifecycle.store.ts';

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
  const cooling = new Cooling(store, deps.requestMove);
  const lifecycle = new Lifecycle({
    ruledBuckets: deps.ruledBuckets,
    store,
    changeClass: (change) => cooling.changeClass(change),
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
