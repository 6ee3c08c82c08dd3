/** Builds the upkeep of objects: the background jobs, and undelete. */
import type { Log } from '@millpond/base';
import { type BlobId, type BlobStore, parseBlobId } from '@millpond/blobs';
import type { Accounts, Tenants } from '../../../identity/accounts/index.ts';
import type { Database } from '../../../platform/db/database.ts';
import { everySeconds, type Feature, HOUR_SECONDS, type PeriodicJob } from '../../../platform/feature.ts';
import { type Job, LONG_RETRIES, type Queue } from '../../../platform/queue/queue.ts';
import type { Buckets } from '../../buckets/index.ts';
import type { ObjectStore } from '../objects.store.ts';
import { CLASS_MOVE_QUEUE, MERGE_QUEUE, upkeepRequests } from '../upkeep-requests.ts';
import { ClassMoveStore } from './class-moves.store.ts';
import { ClassMover, requeueTierMoves } from './class-moves.ts';
import { ClosedAccounts } from './closed-accounts.ts';
import { Collector } from './collector.ts';
import { BucketDrops } from './drop-bucket.ts';
import { EmptyingStore } from './emptying.store.ts';
import { ExpiryStore } from './expiry.store.ts';
import { MergeStore } from './merge.store.ts';
import { Merger } from './merge.ts';
import { restoreMetrics, sweepMetrics, trashMetrics } from './objects-upkeep.metrics.ts';
import { RestoresStore } from './restores.store.ts';
import { TransitionStore } from './transition.store.ts';
import { Transitions } from './transitions.ts';
import { TrashStatsStore } from './trash-stats.store.ts';
import { TrashStore } from './trash-upkeep.store.ts';
import { UndeleteStore } from './undelete.store.ts';
import { Undelete } from './undelete.ts';

export interface UpkeepDeps {
  readonly region: Database;
  readonly blobs: BlobStore;
  readonly log: Log;
  readonly store: ObjectStore;
  readonly accounts: Accounts;
  readonly buckets: Buckets;
  readonly tenants: Tenants;
  readonly queue: Queue | undefined;
}

/** Settings by name. */
export interface UpkeepSettings {
  readonly region: string;
  readonly commitWindow: number;
  readonly trashGrace: number;
  readonly sweepAge: number;
  readonly collectEvery: number;
  readonly sweepEvery: number;
}

export interface UpkeepFeature extends Pick<Feature, 'jobs' | 'metrics'> {
  readonly collector: Collector;
  readonly drops: BucketDrops;
  readonly undelete: Undelete;
  readonly restores: Pick<RestoresStore, 'count'>;
  readonly trashFigures: TrashStatsStore;
}

const MINUTE_SECONDS = 60;
/** One at a time: a merge moves bytes as fast as the engine delivers them. */
const MERGE_SLOTS = 1;
/** An S3 engine copies on its own side, so a move mostly waits. */
const CLASS_MOVE_SLOTS = 2;

export function createUpkeep(deps: UpkeepDeps, settings: UpkeepSettings): UpkeepFeature {
  const { region, blobs, log, store: objects, accounts, buckets, queue } = deps;
  const emptying = new EmptyingStore(region);
  const restores = new RestoresStore(region);
  const trash = new TrashStore(region);
  const trashFigures = new TrashStatsStore(region);
  const collector = new Collector(trash, blobs, {
    trashGraceMs: settings.trashGrace,
    sweepAgeMs: settings.sweepAge,
  });
  const drops = new BucketDrops(buckets, emptying);
  const closed = new ClosedAccounts({ accounts, buckets, store: emptying, region: settings.region });
  const expiry = new ExpiryStore(region);
  const transitions = new Transitions(new TransitionStore(region), upkeepRequests(queue, deps.tenants).moves);
  const mergeStore = new MergeStore(region);
  const rewriting = { objects, blobs, commitWindowMs: settings.commitWindow };
  const merger = new Merger({ store: mergeStore, ...rewriting });
  const mover = new ClassMover({ store: new ClassMoveStore(region), swaps: mergeStore, ...rewriting });

  const often = (name: string, says: string, run: PeriodicJob['run']): PeriodicJob => ({
    name,
    says,
    run,
    everySeconds: everySeconds(settings.collectEvery),
  });
  return {
    collector,
    drops,
    undelete: new Undelete({ store: new UndeleteStore(region), buckets, graceMs: settings.trashGrace }),
    restores,
    trashFigures,
    metrics: [
      ...trashMetrics(trashFigures),
      ...sweepMetrics(trash, settings.sweepAge),
      ...restoreMetrics(restores),
    ],
    jobs: [
      often('trash-collect', 'trash collected', async (signal) => ({
        removed: await collector.collect(signal),
      })),
      often('object-expire', 'objects expired', async (signal) => ({
        removed: await expiry.removeAllDue(signal),
      })),
      often('object-transition', 'objects moved to another class by their lifecycle', async (signal) => ({
        changed: await transitions.run(signal),
      })),
      {
        name: 'blob-sweep',
        everySeconds: everySeconds(settings.sweepEvery),
        says: 'unreferenced blobs removed',
        run: async (signal) => ({ removed: await collector.sweep(signal) }),
      },
      {
        name: 'restores-forget',
        everySeconds: MINUTE_SECONDS,
        async run(signal) {
          await restores.forget(signal);
          return {};
        },
      },
      {
        name: 'bucket-drop-resume',
        everySeconds: MINUTE_SECONDS,
        says: 'half-done drops ended',
        run: async (signal) => ({ dropped: await drops.resume(signal) }),
      },
      {
        name: 'account-remove',
        everySeconds: HOUR_SECONDS,
        says: 'closed accounts removed',
        run: async (signal) => ({ removed: await closed.remove(signal) }),
      },
      {
        name: 'class-move-repeat',
        everySeconds: HOUR_SECONDS,
        async run() {
          if (queue !== undefined) await requeueTierMoves(region, queue, mover);
          return {};
        },
      },
      {
        queues: { [CLASS_MOVE_QUEUE]: { kind: 'normal', retryLimit: 10, retryDelayMaxSeconds: 60 } },
        slots: CLASS_MOVE_SLOTS,
        async run(job) {
          const blobId = blobOf(job);
          if (await mover.move(blobId, job.signal)) log.debug({ blobId }, 'bytes moved to their tier');
        },
      },
      {
        queues: { [MERGE_QUEUE]: { kind: 'normal', ...LONG_RETRIES } },
        slots: MERGE_SLOTS,
        async run(job) {
          const blobId = blobOf(job);
          if (await merger.merge(blobId, job.signal)) log.debug({ blobId }, 'segments merged');
        },
      },
    ],
  };
}

function blobOf(job: Job): BlobId {
  const blobId = parseBlobId(String(job.data.blobId));
  if (blobId === undefined) throw new Error('the job names no blob');
  return blobId;
}
