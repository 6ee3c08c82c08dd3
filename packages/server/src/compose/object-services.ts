/** Builds what has to do with objects: themselves, every operation on them, and the work in their background. */
import type { Dialect } from '@millpond/protocol';
import type { Config } from '../config/config.ts';
import type { Infra } from '../engines/infra.ts';
import type { Accounts, Authenticate } from '../features/accounts/index.ts';
import type { Buckets } from '../features/buckets/index.ts';
import {
  ArchiveStore,
  archiveOperations,
  ChangesStore,
  ClassMover,
  ClassMoveStore,
  ClosedAccounts,
  Collector,
  changeOperations,
  EmptyingStore,
  Expiry,
  ExpiryStore,
  ListStore,
  Lists,
  listRoutes,
  ManyObjects,
  ManyStore,
  Merger,
  MergeStore,
  MetadataStore,
  metadataOperations,
  ObjectStore,
  Objects,
  objectOperations,
  operationRoutes,
  RelocateStore,
  relocateOperations,
  TransitionStore,
  Transitions,
  TrashStore,
  Undelete,
  UndeleteStore,
} from '../features/objects/index.ts';
import type { Route } from '../platform/web/index.ts';
import type { QueueRequests } from './queue-requests.ts';

export interface ObjectServices {
  readonly classMover: ClassMover;
  readonly closedAccounts: ClosedAccounts;
  readonly collector: Collector;
  readonly expiry: Expiry;
  readonly merger: Merger;
  readonly transitions: Transitions;
  readonly undelete: Undelete;
}

export interface ObjectServiceParts {
  readonly accounts: Accounts;
  readonly authenticate: Authenticate;
  readonly buckets: Buckets;
  readonly dialect: Dialect;
  readonly requests: QueueRequests;
}

export function makeObjectServices(
  infra: Infra,
  config: Config,
  parts: ObjectServiceParts,
): { readonly objects: Objects; readonly services: ObjectServices; readonly routes: readonly Route[] } {
  const { region, blobs } = infra;
  const { accounts, authenticate, buckets, dialect, requests } = parts;
  const { commitWindow: commitWindowMs, trashGrace } = config;
  const store = new ObjectStore(region);
  const objects = new Objects(store, buckets, {
    commitWindowMs,
    dialect,
    requestMerge: requests.merge,
    requestMove: requests.move,
  });
  const operations = [
    ...objectOperations(objects, new ManyObjects({ store: new ManyStore(region), buckets, dialect })),
    ...relocateOperations({
      store: new RelocateStore(region),
      objects: store,
      buckets,
      requestMerge: requests.merge,
    }),
    ...changeOperations(new ChangesStore(region), buckets),
    ...metadataOperations({ store: new MetadataStore(region), buckets, dialect }),
    ...archiveOperations({
      store: new ArchiveStore(region),
      buckets,
      options: {
        archiveMs: config.restoreArchive,
        deepArchiveMs: config.restoreDeepArchive,
        timeFactor: config.timeFactor,
      },
      requestMove: requests.move,
    }),
  ];
  const mergeStore = new MergeStore(region);
  const rewriting = { objects: store, blobs, commitWindowMs };
  return {
    objects,
    services: {
      classMover: new ClassMover({ store: new ClassMoveStore(region), swaps: mergeStore, ...rewriting }),
      closedAccounts: new ClosedAccounts({
        accounts,
        buckets,
        store: new EmptyingStore(region),
        region: config.region,
      }),
      collector: new Collector(new TrashStore(region), blobs, {
        trashGraceMs: trashGrace,
        sweepAgeMs: config.sweepAge,
      }),
      expiry: new Expiry(new ExpiryStore(region)),
      merger: new Merger({ store: mergeStore, ...rewriting }),
      transitions: new Transitions(new TransitionStore(region), requests.moves),
      undelete: new Undelete({ store: new UndeleteStore(region), buckets, graceMs: trashGrace }),
    },
    routes: [
      ...operationRoutes({
        operations,
        authenticate,
        onFailure: (reqid, err) => infra.log.error({ reqid, err }, 'operation of a batch failed'),
      }),
      ...listRoutes({ lists: new Lists(new ListStore(region), dialect), buckets, authenticate }),
    ],
  };
}
