/** Builds the ways in which files come from other servers on what they share. */
import type { BlobStore } from '../../platform/blobs/index.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Outbound } from '../../platform/outbound/index.ts';
import type { Keyring } from '../accounts/index.ts';
import type { Buckets } from '../buckets/index.ts';
import type { Callbacks, DeliveryStore } from '../deliveries/index.ts';
import type { Objects } from '../objects/index.ts';
import { AsyncCallbacks } from './async-callbacks.ts';
import { AsyncFetches, type RequestFetch } from './async-fetches.ts';
import { AsyncStore } from './async-store.ts';
import { Mirror } from './mirror.ts';
import { MirrorStore } from './mirror-store.ts';
import { type AlsoFetched, Fetches } from './service.ts';

export interface FetchingParts {
  readonly region: Database;
  readonly outbound: Outbound;
  readonly blobs: BlobStore;
  readonly buckets: Buckets;
  readonly objects: Objects;
  readonly keyring: Keyring;
  readonly callbacks: Callbacks;
  readonly deliveries: DeliveryStore;
  /** Whether a callback to this URL could be taken for a call of our own. */
  readonly isOwnPath: (url: string) => boolean;
  /** Absent where no queue is open. */
  readonly requestFetch: RequestFetch | undefined;
  readonly also: AlsoFetched;
}

export interface FetchingOptions {
  readonly fetchTimeout: number;
  readonly fetchMaxSize: number;
  readonly asyncFetchTimeout: number;
  readonly mirrorFills: number;
  readonly fetchesPerAccount: number;
}

export interface Fetching {
  readonly fetches: Fetches;
  readonly mirror: Mirror;
  readonly asyncFetches: AsyncFetches;
}

export function createFetching(parts: FetchingParts, options: FetchingOptions): Fetching {
  const { region, outbound, blobs, buckets, objects, also } = parts;
  const shared = { outbound, blobs, buckets, objects, maxBytes: options.fetchMaxSize };
  const waited = { ...shared, timeoutMs: options.fetchTimeout, fetchesPerAccount: options.fetchesPerAccount };
  return {
    fetches: new Fetches({ ...waited, also }),
    mirror: new Mirror({
      ...waited,
      store: new MirrorStore(region),
      fillsPerBucket: options.mirrorFills,
    }),
    asyncFetches: new AsyncFetches({
      ...shared,
      timeoutMs: options.asyncFetchTimeout,
      also,
      store: new AsyncStore(region),
      callbacks: new AsyncCallbacks(parts),
      requestFetch: parts.requestFetch,
    }),
  };
}
