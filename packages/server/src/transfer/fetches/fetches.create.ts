/** Builds the ways to get files from other servers, on top of what they share. */
import type { OutboundClient } from '@millpond/outbound';
import type { Callbacks, DeliveriesFeature } from '../../events/deliveries/index.ts';
import type { Authenticate, Keyring, Tenants } from '../../identity/accounts/index.ts';
import type { Database } from '../../platform/db/database.ts';
import { DAY_SECONDS, type Feature } from '../../platform/feature.ts';
import { LONG_RETRIES, type Queue } from '../../platform/queue/queue.ts';
import type { ObjectBlobs } from '../../platform/small-blobs/index.ts';
import type { Buckets } from '../../storage/buckets/index.ts';
import type { Objects } from '../../storage/objects/index.ts';
import { AsyncCallbacks } from './async-callbacks.ts';
import { AsyncStore } from './async-fetches.store.ts';
import { AsyncFetches, FETCH_SLOTS, type RequestFetch } from './async-fetches.ts';
import { fetchRoutes } from './fetches.routes.ts';
import { type FetchCommitHook, Fetches } from './fetches.service.ts';
import { MirrorStore } from './mirror.store.ts';
import { Mirror } from './mirror.ts';

export interface FetchDeps {
  readonly region: Database;
  readonly outbound: OutboundClient;
  readonly blobs: ObjectBlobs;
  readonly buckets: Buckets;
  readonly objects: Objects;
  readonly keyring: Keyring;
  readonly tenants: Tenants;
  readonly callbacks: Callbacks;
  readonly deliveries: DeliveriesFeature['callbackRecords'];
  readonly authenticate: Authenticate;
  /** Whether a callback to this URL could be mistaken for one of our own calls. */
  readonly isOwnPath: (url: string) => boolean;
  /** Absent in an operator's commands: they fetch nothing. */
  readonly queue: Queue | undefined;
  readonly onCommit: FetchCommitHook;
}

/** The settings, by name. */
export interface FetchSettings {
  readonly fetchTimeout: number;
  readonly fetchMaxSize: number;
  readonly asyncFetchTimeout: number;
  readonly timeFactor: number;
  readonly mirrorFills: number;
  readonly fetchesPerAccount: number;
  readonly plainHttp: boolean;
}

export interface FetchesFeature extends Feature {
  readonly mirror: Mirror;
}

/** Files to be fetched in the background. */
const FETCH_QUEUE = 'fetch';

export function createFetches(deps: FetchDeps, settings: FetchSettings): FetchesFeature {
  const { region, outbound, blobs, buckets, objects, tenants, authenticate, onCommit, queue } = deps;
  const { plainHttp } = settings;
  const shared = { outbound, blobs, buckets, objects, tenants, maxBytes: settings.fetchMaxSize };
  const waited = {
    ...shared,
    timeoutMs: settings.fetchTimeout,
    fetchesPerAccount: settings.fetchesPerAccount,
  };
  const fetches = new Fetches({ ...waited, onCommit });
  const mirror = new Mirror({
    ...waited,
    store: new MirrorStore(region),
    fillsPerBucket: settings.mirrorFills,
  });
  const asyncFetches = new AsyncFetches({
    ...shared,
    timeoutMs: settings.asyncFetchTimeout,
    timeFactor: settings.timeFactor,
    onCommit,
    store: new AsyncStore(region),
    callbacks: new AsyncCallbacks(deps),
    requestFetch: queue && requestsTo(queue, tenants),
  });
  return {
    mirror,
    routes: fetchRoutes({ fetches, asyncFetches, mirror, buckets, outbound, authenticate, plainHttp }),
    jobs: [
      {
        name: 'fetch-forget',
        everySeconds: DAY_SECONDS,
        says: 'old fetches deleted',
        run: async (signal) => ({ forgotten: await asyncFetches.forget(signal) }),
      },
      {
        queues: { [FETCH_QUEUE]: { kind: 'normal', ...LONG_RETRIES } },
        slots: FETCH_SLOTS,
        run: (job) => asyncFetches.run(job),
      },
    ],
    metrics: [],
  };
}

function requestsTo(queue: Queue, tenants: Tenants): RequestFetch {
  return ({ client }, { fetch_id: fetchId, uid }, afterSeconds) => {
    const account = tenants.turnOf(uid);
    return afterSeconds === 0
      ? queue.enqueue(client, FETCH_QUEUE, { fetchId }, { account })
      : queue.enqueueLater(client, FETCH_QUEUE, { fetchId }, afterSeconds, { account });
  };
}
