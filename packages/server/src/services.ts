/** Builds the features on the engines, from the lowest floor up, and gathers their routes. */
import { type Dialect, dialects } from '@millpond/protocol';
import type { Config } from './config/config.ts';
import { AccountStore, Accounts, authenticator, Keyring } from './features/accounts/index.ts';
import { BucketStore, Buckets, bucketRoutes } from './features/buckets/index.ts';
import { Downloads, downloadRoutes } from './features/downloads/index.ts';
import {
  Collector,
  ListStore,
  Lists,
  ObjectStore,
  Objects,
  objectRoutes,
  TrashStore,
} from './features/objects/index.ts';
import { Uploads, uploadRoutes } from './features/uploads/index.ts';
import type { Infra } from './infra.ts';
import type { Route } from './platform/web/index.ts';

export interface Services {
  readonly accounts: Accounts;
  readonly buckets: Buckets;
  readonly collector: Collector;
  readonly routes: readonly Route[];
}

export function makeServices(infra: Infra, config: Config): Services {
  const dialect: Dialect = dialects[config.dialect];
  const times = { freshMs: config.controlCache, staleMs: config.controlStale };

  const accountStore = new AccountStore(infra.control);
  const accounts = new Accounts(accountStore, infra.sealer);
  const keyring = new Keyring(accountStore, infra.sealer, times);
  const authenticate = authenticator(keyring, dialect);

  const bucketStore = new BucketStore(infra.control, infra.region);
  const buckets = new Buckets(bucketStore, {
    region: config.region,
    maxBuckets: config.maxBuckets,
    ...times,
  });

  const objects = new Objects(new ObjectStore(infra.region), buckets, {
    commitWindowMs: config.commitWindow,
  });
  const lists = new Lists(new ListStore(infra.region));
  const collector = new Collector(new TrashStore(infra.region), infra.blobs, {
    trashGraceMs: config.trashGrace,
    sweepAgeMs: config.sweepAge,
  });

  const uploads = new Uploads({ keyring, buckets, objects, blobs: infra.blobs }, config);
  const downloads = new Downloads({
    keyring,
    objects,
    blobs: infra.blobs,
    dialect,
    sendBytes: config.sendBytes,
  });

  return {
    accounts,
    buckets,
    collector,
    routes: [
      ...bucketRoutes(buckets, authenticate),
      ...objectRoutes({ objects, lists, buckets, authenticate }),
      ...uploadRoutes(uploads),
      ...downloadRoutes(downloads, buckets),
    ],
  };
}
