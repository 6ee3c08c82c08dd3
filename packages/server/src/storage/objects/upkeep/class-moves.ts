/**
 * Moves the bytes of an object to the right tier after a class change. The object keeps its record and stays readable
 * throughout; only the name of its bytes changes, behind a fence. A move may crash at any point and be rerun, even by
 * several processes at once: at most one of them takes effect. Copies that share the bytes and stay in their class keep
 * the old bytes.
 */
import { type BlobId, type BlobStore, newBlobId, type Tier } from '@millpond/blobs';
import { tierOfClass } from '@millpond/protocol';
import type { Database } from '../../../platform/db/database.ts';
import { openFailedJobs } from '../../../platform/queue/queue.failures.ts';
import type { Queue } from '../../../platform/queue/queue.ts';
import type { ObjectStore } from '../objects.store.ts';
import { CLASS_MOVE_QUEUE } from '../upkeep-requests.ts';
import type { ClassMoveStore, MisplacedRow } from './class-moves.store.ts';
import { joinSegments } from './join-segments.ts';
import type { MergeStore } from './merge.store.ts';

export interface ClassMoveDeps {
  readonly store: ClassMoveStore;
  readonly swaps: MergeStore;
  readonly objects: ObjectStore;
  readonly blobs: BlobStore;
  readonly commitWindowMs: number;
}

/** The most stragglers whose move is requested again per hour. */
const MISPLACED_BLOBS_BATCH = 1000;

export class ClassMover {
  readonly #deps: ClassMoveDeps;

  constructor(deps: ClassMoveDeps) {
    this.#deps = deps;
  }

  /** False when there is nothing to move, or nothing any more. */
  async move(blobId: BlobId, signal: AbortSignal): Promise<boolean> {
    const { store, swaps, commitWindowMs } = this.#deps;
    let moved = false;
    // Repeat after a move: the object may have been copied while its bytes were being moved.
    for (;;) {
      signal.throwIfAborted();
      const row = await store.misplaced(blobId);
      if (row === undefined) return moved;
      const tier = tierOfClass(row.class);
      if (await this.#liesIn(blobId, row, tier, signal)) {
        await store.settle(blobId, tier === 'COLD');
        continue;
      }
      const to = newBlobId();
      await this.#write(blobId, row, { to, tier }, signal);
      signal.throwIfAborted();
      if (!(await swaps.swap({ from: blobId, to, tier }, commitWindowMs))) return moved;
      moved = true;
    }
  }

  /** Bytes whose job was lost with its last retry, or that came back from the trash before they were moved. */
  stragglers(most: number): Promise<BlobId[]> {
    return this.#deps.store.blobsInWrongTier(most);
  }

  async #liesIn(blobId: BlobId, row: MisplacedRow, tier: Tier, signal: AbortSignal): Promise<boolean> {
    if (row.segment_count !== 1) return false;
    return (await this.#deps.blobs.stat(blobId, signal))?.tier === tier;
  }

  async #write(
    from: BlobId,
    row: MisplacedRow,
    { to, tier }: { to: BlobId; tier: Tier },
    signal: AbortSignal,
  ): Promise<void> {
    const { blobs, objects } = this.#deps;
    if (row.segment_count !== 1) {
      const segments = await objects.segments(from, signal);
      return joinSegments(blobs, { segments, hash: row.hash, to, tier }, signal);
    }
    // The engine copies on its own side where it can, so the bytes need not pass through here.
    await blobs.copy(from, to, { tier, signal });
    const written = await blobs.stat(to, signal);
    if (written?.tier !== tier || BigInt(written.size) !== row.fsize)
      throw new Error(`the copy holds ${written?.size} bytes in ${written?.tier}, the object ${row.fsize}`);
  }
}

/**
 * What the hourly job does about bytes that still lie in the wrong tier: moves that were given up are tried again, and
 * stragglers without a job get one. An engine that refuses a class fails them all: then no job is added, so that a long
 * outage does not fill the queue.
 */
export async function requeueTierMoves(
  region: Database,
  queue: Queue,
  mover: Pick<ClassMover, 'stragglers'>,
): Promise<void> {
  const failedJobs = openFailedJobs(region.pool);
  const failed = await failedJobs.list(CLASS_MOVE_QUEUE, MISPLACED_BLOBS_BATCH);
  await failedJobs.retryAll(CLASS_MOVE_QUEUE);
  if (failed.length === MISPLACED_BLOBS_BATCH) return;
  const retried = new Set(failed.map(({ data }) => data.blobId));
  const found = (await mover.stragglers(MISPLACED_BLOBS_BATCH)).filter((blobId) => !retried.has(blobId));
  const jobs = found.map((blobId) => ({ data: { blobId } }));
  if (jobs.length > 0) await queue.enqueueMany(region.pool, CLASS_MOVE_QUEUE, jobs);
}
