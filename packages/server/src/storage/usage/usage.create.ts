/** Builds usage: what accounts and buckets hold and request, and quotas. */
import type { Log } from '@millpond/base';
import type { Accounts, Authenticate } from '../../identity/accounts/index.ts';
import type { Database } from '../../platform/db/database.ts';
import { DAY_SECONDS, everySeconds, type Feature } from '../../platform/feature.ts';
import type { Buckets } from '../buckets/index.ts';
import { RequestCounter } from './request-counter.ts';
import { type ClassUsageRow, UsageFiguresStore } from './usage.figures.store.ts';
import { usageMetrics } from './usage.metrics.ts';
import { usageRoutes } from './usage.routes.ts';
import { Usage } from './usage.service.ts';
import { UsageStore } from './usage.store.ts';
import { operatorRoutes } from './usage-operator.routes.ts';

export interface UsageDeps {
  readonly region: Database;
  readonly log: Log;
  readonly accounts: Accounts;
  readonly buckets: Buckets;
  readonly authenticate: Authenticate;
}

export interface UsageFeature extends Feature {
  readonly requests: RequestCounter;
  readonly usage: Usage;
  /** By class, of these buckets, or of the whole region. */
  stored(bucketIds: readonly bigint[] | undefined): Promise<readonly ClassUsageRow[]>;
}

export function createUsage(deps: UsageDeps, settings: { readonly usageFoldEvery: number }): UsageFeature {
  const { region, log, accounts, buckets, authenticate } = deps;
  const store = new UsageStore(region);
  const usage = new Usage(store, buckets);
  const regional = new UsageFiguresStore(region);
  return {
    usage,
    stored: (bucketIds) => (bucketIds === undefined ? regional.byClass() : store.usageOf(bucketIds)),
    requests: new RequestCounter(store, log),
    routes: [...usageRoutes(usage, buckets, authenticate), ...operatorRoutes({ accounts, buckets, usage })],
    jobs: [
      {
        name: 'usage-fold',
        everySeconds: everySeconds(settings.usageFoldEvery),
        async run(signal) {
          await usage.fold(signal);
          return {};
        },
      },
      {
        name: 'usage-tidy',
        everySeconds: DAY_SECONDS,
        async run() {
          await usage.tidy();
          return {};
        },
      },
    ],
    metrics: usageMetrics(regional),
  };
}
