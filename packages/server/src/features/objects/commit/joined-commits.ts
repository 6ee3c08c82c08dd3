/**
 * Commits to a bucket that wait at the same time, made one statement: a round trip, a transaction and a flush of the log for
 * each cost several times as much. To its caller each commit stands alone: it is judged by itself and has its own outcome.
 */
import { Coalescer } from '../../../platform/coalescer.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { isFaultOfAChange } from '../../../platform/db/sqlstate.ts';
import { type CommitMode, type CommitRow, commitTogether, type NewObject } from './commit-statement.ts';

/** Statements of one bucket: enough that a slow one does not hold up all. */
const AT_ONCE = 3;
const MOST_OBJECTS = 64;

export function joinedCommits(
  region: Queryable,
  mode: CommitMode,
): Coalescer<NewObject, CommitRow | undefined> {
  return new Coalescer({
    most: MOST_OBJECTS,
    atOnce: AT_ONCE,
    group: ({ bucketId }) => bucketId,
    key: ({ key }) => key,
    work: (objects) => commitTogether(region, objects, mode),
    // Where an answer is lost nobody knows what was done, and a database that is too slow has enough to do.
    isOfOne: isFaultOfAChange,
  });
}
