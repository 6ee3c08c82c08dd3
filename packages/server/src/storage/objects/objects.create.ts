/** Builds the objects feature: the service itself, every operation, lists, and upkeep. */
import type { Log } from '@millpond/base';
import type { Dialect } from '@millpond/protocol';
import type { Accounts, Authenticate, Tenants } from '../../identity/accounts/index.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Queue } from '../../platform/queue/queue.ts';
import type { SmallBlobs } from '../../platform/small-blobs/index.ts';
import type { Buckets } from '../buckets/index.ts';
import { listRoutes } from './lists/list.routes.ts';
import { recordLists } from './lists/list.store.ts';
import { Lists } from './lists/list.ts';
import { Objects } from './objects.service.ts';
import { ObjectStore } from './objects.store.ts';
import { ArchiveStore } from './operations/archive.store.ts';
import { type ArchiveOptions, archiveOperations } from './operations/archive.ts';
import { BulkObjects } from './operations/bulk.ts';
import { BulkStore } from './operations/bulk-operations.store.ts';
import { ChangesStore } from './operations/changes.store.ts';
import { changeOperations } from './operations/changes.ts';
import { MetadataStore } from './operations/metadata.store.ts';
import { metadataOperations } from './operations/metadata.ts';
import { operationRoutes } from './operations/operation.routes.ts';
import type { Operation } from './operations/operation.ts';
import { PageOperations } from './operations/page.ts';
import { RelocateStore } from './operations/relocate.store.ts';
import { relocateOperations } from './operations/relocate.ts';
import { objectOperations } from './operations/stat-and-delete.ts';
import { createPacks, type PackFeature, type PackSettings } from './packs/packs.create.ts';
import { S3Objects } from './s3/s3-objects.ts';
import { trashRoutes } from './trash/trash.routes.ts';
import { BucketTrash } from './trash/trash.service.ts';
import { OwnersTrashStore } from './trash/trash.store.ts';
import { dropRoutes } from './upkeep/drop.routes.ts';
import type { BucketDrops } from './upkeep/drop-bucket.ts';
import { createUpkeep, type UpkeepFeature, type UpkeepSettings } from './upkeep/objects-upkeep.create.ts';
import { type RequestClassMove, type UpkeepRequests, upkeepRequests } from './upkeep-requests.ts';

export interface ObjectDeps {
  readonly region: Database;
  readonly blobs: SmallBlobs;
  readonly log: Log;
  readonly accounts: Accounts;
  readonly authenticate: Authenticate;
  readonly buckets: Buckets;
  readonly tenants: Tenants;
  readonly dialect: Dialect;
  /** Operator commands have none: they commit nothing that needs one. */
  readonly queue: Queue | undefined;
}

/** Settings by name. */
export interface ObjectSettings extends UpkeepSettings, PackSettings {
  readonly restoreArchive: number;
  readonly restoreDeepArchive: number;
  readonly timeFactor: number;
}

export interface ObjectsFeature extends Feature, Pick<UpkeepFeature, 'collector' | 'restores' | 'undelete'> {
  readonly objects: Objects;
  /** For the listener of that protocol. */
  readonly s3: S3Objects;
  readonly packing: PackFeature['packing'];
  /** Copies within the caller's transaction. */
  readonly copies: Pick<RelocateStore, 'relocate'>;
  /** For work on many objects. */
  readonly pages: PageOperations;
  readonly requestMove: RequestClassMove | undefined;
  /** Bytes in the engine that no object has: the trash, and holes in packs. */
  unnamedBytes(): Promise<number>;
  /** Drops an account's bucket, which must be empty. */
  readonly dropBucket: BucketDrops['drop'];
}

export function createObjects(deps: ObjectDeps, settings: ObjectSettings): ObjectsFeature {
  const { region, log, buckets, dialect, authenticate } = deps;
  const store = new ObjectStore(region);
  const relocations = new RelocateStore(region);
  const requests = upkeepRequests(deps.queue, deps.tenants);
  const objects = new Objects(store, buckets, {
    commitWindowMs: settings.commitWindow,
    dialect,
    requestMerge: requests.merge,
    requestMove: requests.move,
  });
  const upkeep = createUpkeep({ ...deps, store }, settings);
  const packs = createPacks(region, deps.blobs, settings);
  const trash = new BucketTrash({
    store: new OwnersTrashStore(region),
    undelete: upkeep.undelete,
    graceMs: settings.trashGrace,
  });
  const operations: readonly Operation[] = [
    ...objectOperations(objects, new BulkObjects({ store: new BulkStore(region), buckets, dialect })),
    ...relocateOperations({ store: relocations, objects: store, buckets, requestMerge: requests.merge }),
    ...changeOperations(new ChangesStore(region), buckets),
    ...metadataOperations({ store: new MetadataStore(region), buckets, dialect }),
    ...restoreOperations(deps, settings, requests),
  ];
  return {
    objects,
    s3: new S3Objects(region, archiveOptions(settings), requests),
    copies: relocations,
    packing: packs.packing,
    pages: new PageOperations({
      archive: new ArchiveStore(region),
      many: new BulkStore(region),
      relocations,
      options: archiveOptions(settings),
      requests,
    }),
    requestMove: requests.move,
    collector: upkeep.collector,
    restores: upkeep.restores,
    undelete: upkeep.undelete,
    async unnamedBytes() {
      const [{ bytes: trashed }, { bytes, liveBytes }] = await Promise.all([
        upkeep.trashFigures.read(),
        packs.figures(),
      ]);
      return trashed + bytes - liveBytes;
    },
    dropBucket: (...which) => upkeep.drops.drop(...which),
    routes: [
      ...operationRoutes({
        operations,
        authenticate,
        onFailure: (reqid, err) => log.error({ reqid, err }, 'operation of a batch failed'),
      }),
      ...listRoutes({ lists: new Lists(recordLists(region), dialect), buckets, authenticate }),
      ...dropRoutes(upkeep.drops, authenticate),
      ...trashRoutes({ trash, buckets, authenticate }),
    ],
    jobs: [...upkeep.jobs, ...packs.jobs],
    metrics: [...upkeep.metrics, ...packs.metrics],
  };
}

function archiveOptions({ restoreArchive, restoreDeepArchive, timeFactor }: ObjectSettings): ArchiveOptions {
  return { archiveMs: restoreArchive, deepArchiveMs: restoreDeepArchive, timeFactor };
}

function restoreOperations(
  { region, buckets }: ObjectDeps,
  settings: ObjectSettings,
  requests: UpkeepRequests,
): Operation[] {
  return archiveOperations({
    store: new ArchiveStore(region),
    buckets,
    options: archiveOptions(settings),
    requestMove: requests.move,
  });
}
