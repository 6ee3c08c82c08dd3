/** SQL of objects. Each change of an object is one statement; the row's trigger moves what it replaces to the trash. */
import type { BlobId, PackLocation } from '@millpond/blobs';
import { Coalescer } from '../../platform/coalescer.ts';
import { BatchedReads } from '../../platform/db/batched-reads.ts';
import { type Database, type Queryable, statement, type Transaction } from '../../platform/db/database.ts';
import { isFaultOfAChange } from '../../platform/db/sqlstate.ts';
import {
  type CommitMode,
  type CommitRow,
  commitBatch,
  commitConditional,
  type NewObject,
} from './commit/commit-statement.ts';
import { JOIN_PLACE, PLACE_COLUMNS, type PlacedRow } from './packs/place-statement.ts';
import { RECORDED_COLUMNS, RESTORE_STATUS, type RecordedRow } from './record.ts';
import type { RestorableRow } from './restore-status.ts';

export interface ObjectRow extends RecordedRow, PlacedRow {
  readonly restore_status: RestorableRow['restore_status'];
  readonly blob_id: BlobId;
  readonly segment_count: number;
}

interface CommittedRow {
  readonly blob_id: BlobId;
  readonly hash: string;
  readonly fsize: bigint;
  readonly put_time: bigint;
}

export interface SegmentRow {
  readonly segment_id: BlobId;
  readonly size: bigint;
  /** Location of a small object that is packed. */
  readonly place?: PackLocation | undefined;
}

export type {
  CommitMode,
  CommitRow,
  NewObject,
  S3Description,
  StoredChecksum,
  WriteCondition,
} from './commit/commit-statement.ts';

const findObjects = statement(
  'object-find',
  `SELECT key, blob_id, segment_count, ${RECORDED_COLUMNS}, ${RESTORE_STATUS}, ${PLACE_COLUMNS}
   FROM region.objects o ${JOIN_PLACE} WHERE bucket_id = $1 AND key = ANY ($2::text[])`,
);
// What a commit wrote can be seen before the standby has it, if its connection ended while it waited. This statement writes
// too, a message that nobody reads: so it ends only when the standby has that, and with it all that came before.
const findCommitted = statement(
  'object-find-committed',
  `SELECT blob_id, hash, fsize, put_time, pg_logical_emit_message(true, 'millpond', '') AS message
   FROM region.objects WHERE bucket_id = $1 AND key = $2 AND blob_id = $3`,
);
const deleteObject = statement(
  'object-delete',
  'DELETE FROM region.objects WHERE bucket_id = $1 AND key = $2 RETURNING key',
);
const segments = statement(
  'object-segments',
  'SELECT segment_id, size FROM region.segments WHERE blob_id = $1 ORDER BY position',
);

/** Concurrent statements of commits per bucket: enough that a slow one does not hold up all others. */
const MAX_CONCURRENT_COMMITS = 2;
const MAX_JOINED_COMMITS = 64;

export class ObjectStore {
  readonly #region: Database;
  readonly #reads: BatchedReads<ObjectRow & { readonly key: string }>;
  readonly #commits: Readonly<Record<CommitMode, ReturnType<typeof joinedCommits>>>;

  constructor(region: Database) {
    this.#region = region;
    this.#reads = new BatchedReads(region, findObjects);
    this.#commits = {
      insert: joinedCommits(region, 'insert'),
      overwrite: joinedCommits(region, 'overwrite'),
    };
  }

  /** In a transaction, the object is committed or rolled back with everything else in it. */
  async commit(object: NewObject, mode: CommitMode, on?: Queryable): Promise<CommitRow> {
    const row = await this.#committed(object, mode, on);
    if (row === undefined) throw new Error('the commit statement gave no row');
    return row;
  }

  async #committed(object: NewObject, mode: CommitMode, on?: Queryable): Promise<CommitRow | undefined> {
    if (object.condition !== undefined)
      return commitConditional(on ?? this.#region, object, object.condition);
    const isPlain = object.segments.length === 1 && !object.rowsNameBytes;
    if (on === undefined && isPlain) return this.#commits[mode].add(object);
    return (await commitBatch(on ?? this.#region, [object], mode))[0];
  }

  /** The object as this commit wrote it, as durable as any; undefined if it did not, or not yet, or if it was replaced since. */
  async findCommitted({
    bucketId,
    key,
    blobId,
  }: Pick<NewObject, 'bucketId' | 'key' | 'blobId'>): Promise<CommittedRow | undefined> {
    return (await this.#region.query<CommittedRow>(findCommitted, [bucketId, key, blobId]))[0];
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#region.transaction(work);
  }

  find(bucketId: bigint, key: string, cancel?: AbortSignal): Promise<ObjectRow | undefined> {
    return this.#reads.find(bucketId, key, cancel);
  }

  async remove(bucketId: bigint, key: string): Promise<boolean> {
    return (await this.#region.query(deleteObject, [bucketId, key])).length === 1;
  }

  async segments(blobId: BlobId, cancel?: AbortSignal): Promise<SegmentRow[]> {
    return this.#region.query<SegmentRow>(segments, [blobId], cancel);
  }
}

/**
 * Joins commits to a bucket that wait at the same time into one statement: a round trip, a transaction and a log flush for
 * each would cost several times as much. To its caller each commit stands alone: it is judged separately and has its own
 * outcome.
 */
export function joinedCommits(
  region: Queryable,
  mode: CommitMode,
): Coalescer<NewObject, CommitRow | undefined> {
  return new Coalescer({
    most: MAX_JOINED_COMMITS,
    atOnce: MAX_CONCURRENT_COMMITS,
    group: ({ bucketId, way = '' }) => `${bucketId} ${way}`,
    key: ({ key }) => key,
    work: (objects) => commitBatch(region, objects, mode),
    // Not if the answer was lost, since the outcome is unknown, nor if the database is too slow, since it is busy enough.
    isOfOne: isFaultOfAChange,
  });
}
