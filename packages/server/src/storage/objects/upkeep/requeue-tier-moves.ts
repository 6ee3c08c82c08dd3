/** What the hourly job does about bytes that still lie in the wrong tier. */
import type { Database } from '../../../platform/db/database.ts';
import { openFailedJobs } from '../../../platform/queue/queue.failures.ts';
import type { Queue } from '../../../platform/queue/queue.ts';
import { CLASS_MOVE_QUEUE } from '../upkeep-requests.ts';
import type { ClassMover } from './class-moves.ts';

/** The most stragglers whose move is requested again per hour. */
const MISPLACED_BLOBS_BATCH = 1000;

/**
 * Moves that were given up are tried again, and stragglers without a job get one. An engine that refuses a class fails them
 * all: then no job is added, so that a long outage does not fill the queue.
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
