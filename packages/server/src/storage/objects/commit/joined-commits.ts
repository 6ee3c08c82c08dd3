/**
 * Joins commits to a bucket that wait at the same time into one statement: a round trip, a transaction and a log flush for
 * each would cost several times as much. To its caller each commit stands alone: it is judged separately and has its own
 * outcome.
 */
import { Coalescer } from '../../../platform/coalescer.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { isFaultOfAChange } from '../../../platform/db/sqlstate.ts';
import { type CommitMode, type CommitRow, commitBatch, type NewObject } from './commit-statement.ts';

/** Concurrent statements per bucket: enough that a slow one does not hold up all others. */
const MAX_CONCURRENT = 2;
const MAX_OBJECTS = 64;

export function joinedCommits(
  region: Queryable,
  mode: CommitMode,
): Coalescer<NewObject, CommitRow | undefined> {
  return new Coalescer({
    most: MAX_OBJECTS,
    atOnce: MAX_CONCURRENT,
    group: ({ bucketId, way = '' }) => `${bucketId} ${way}`,
    key: ({ key }) => key,
    work: (objects) => commitBatch(region, objects, mode),
    // Not if the answer was lost, since the outcome is unknown, nor if the database is too slow, since it is busy enough.
    isOfOne: isFaultOfAChange,
  });
}
