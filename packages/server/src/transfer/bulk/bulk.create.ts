/** Builds the feature of work on many objects. */
import type { BlobStore } from '@millpond/blobs';
import type { Authenticate, Tenants } from '../../identity/accounts/index.ts';
import type { ProcessingFeature } from '../../media/processing/index.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Feature, HOUR_SECONDS } from '../../platform/feature.ts';
import type { Queue, QueueDefinition } from '../../platform/queue/queue.ts';
import type { Buckets } from '../../storage/buckets/index.ts';
import type { ObjectsFeature } from '../../storage/objects/index.ts';
import { BulkCounts, bulkMetrics } from './bulk.metrics.ts';
import { bulkRoutes } from './bulk.routes.ts';
import { Bulk, type Requeue } from './bulk.service.ts';
import { BulkStore } from './bulk.store.ts';
import { BulkObjectStore } from './bulk-object.store.ts';
import { BulkRunner } from './runner.ts';

export interface CreateBulkDeps {
  readonly region: Database;
  readonly blobs: BlobStore;
  readonly buckets: Buckets;
  readonly authenticate: Authenticate;
  readonly tenants: Tenants;
  readonly pages: ObjectsFeature['pages'];
  readonly objectSources: ProcessingFeature['objectSources'];
  readonly results: ProcessingFeature['results'];
  /** Absent in an operator's commands, which submit nothing. */
  readonly queue: Queue | undefined;
}

const BULK_QUEUE = 'bulk';
/** It mostly waits for the database. */
const BULK_SLOTS = 2;
const RETENTION_DAYS = 30;
const MAX_FORGOTTEN = 1000;
/** The work itself knows when to give up. */
const DEFINITION: QueueDefinition = { kind: 'normal', retryLimit: 10_000, retryDelayMaxSeconds: 60 };

export function createBulk(deps: CreateBulkDeps): Feature {
  const { region, blobs, buckets, authenticate, queue } = deps;
  const store = new BulkStore(region);
  const requeue: Requeue = ({ client }, { bulk_id: bulkId, uid }) => {
    if (queue === undefined) throw new Error('there is no queue');
    return queue.enqueue(client, BULK_QUEUE, { bulkId }, { account: deps.tenants.turnOf(uid) });
  };
  const counts = new BulkCounts();
  const runner = new BulkRunner({
    store,
    objects: new BulkObjectStore(region),
    operations: deps.pages,
    blobs,
    buckets,
    counts,
    requeue,
    sources: deps.objectSources,
    results: deps.results,
  });
  return {
    routes: bulkRoutes(new Bulk({ store, buckets, requeue }), authenticate),
    jobs: [
      {
        queues: { [BULK_QUEUE]: DEFINITION },
        slots: BULK_SLOTS,
        run: (job) => runner.run(String(job.data.bulkId), job),
      },
      {
        name: 'bulk-forget',
        everySeconds: HOUR_SECONDS,
        says: 'old records of work on many objects removed',
        async run(signal) {
          let removed = 0;
          for (let more = MAX_FORGOTTEN; more === MAX_FORGOTTEN && !signal.aborted; removed += more)
            more = await store.forget(RETENTION_DAYS, MAX_FORGOTTEN);
          return { removed };
        },
      },
    ],
    metrics: bulkMetrics(store, counts),
  };
}
