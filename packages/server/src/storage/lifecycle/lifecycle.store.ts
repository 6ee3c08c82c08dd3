/** SQL of the walk that applies lifecycle rules: pages of keys, its progress, and removing what is due. */
import type { BlobId } from '@millpond/blobs';
import { type Database, type Queryable, statement, type Transaction } from '../../platform/db/database.ts';
import { setChangeCause } from '../objects/index.ts';

export interface ScannedRow {
  readonly key: string;
  readonly put_time: bigint;
  readonly class: number;
  readonly fsize: bigint;
  readonly tags: Readonly<Record<string, string>> | null;
  /** The database's clock, in milliseconds. */
  readonly now: bigint;
}

/** One version of an object, and the colder class it should get. */
export interface ClassChange {
  readonly bucketId: bigint;
  readonly key: string;
  readonly putTime: bigint;
  readonly storageClass: number;
}

export interface TransitionedRow {
  readonly blob_id: BlobId;
  /** Where its bytes lie now. */
  readonly cold: boolean;
}

export interface KeyRange {
  readonly from: string;
  /** First key after the range. */
  readonly until: string;
}

// Continues where a walk was interrupted; a bucket that was walked recently is left alone.
const begin = statement(
  'lifecycle-begin',
  `INSERT INTO region.lifecycle_walks AS w (bucket_id, next_key, begun_at) VALUES ($1, '', now())
   ON CONFLICT (bucket_id) DO UPDATE SET next_key = coalesce(w.next_key, ''),
     begun_at = CASE WHEN w.next_key IS NULL THEN now() ELSE w.begun_at END
   WHERE w.next_key IS NOT NULL OR w.ended_at < now() - make_interval(secs => $2)
   RETURNING next_key`,
);
const page = statement(
  'lifecycle-page',
  `SELECT key, put_time, class, fsize, tags, region.put_time_now() / 10000 AS now
   FROM region.objects
   WHERE bucket_id = $1 AND key >= $2 AND key < $3 ORDER BY key LIMIT $4`,
);
const advance = statement(
  'lifecycle-advance',
  `UPDATE region.lifecycle_walks SET next_key = $3, ended_at = CASE WHEN $3::text IS NULL THEN now() ELSE ended_at END
   WHERE bucket_id = $1 AND next_key = $2 RETURNING bucket_id`,
);
// An object that was overwritten since it was examined is a different one, and young.
const removeDue = statement(
  'lifecycle-remove-due',
  `DELETE FROM region.objects o USING unnest($2::text[], $3::bigint[]) AS due (key, put_time)
   WHERE o.bucket_id = $1 AND o.key = due.key AND o.put_time = due.put_time RETURNING o.key, ${setChangeCause('rule')}`,
);
// An object that enters an archive class is frozen, even if it was restored before.
const changeClass = statement(
  'lifecycle-class',
  `UPDATE region.objects SET class = $4, restore_ready_at = NULL, restore_ends_at = NULL
   WHERE bucket_id = $1 AND key = $2 AND put_time = $3 AND class < $4 RETURNING blob_id, cold, ${setChangeCause('rule')}`,
);
// The job that removes expired uploads does the rest. Days end at midnight, as for objects.
const abortUploads = statement(
  'lifecycle-abort-uploads',
  `UPDATE region.uploads SET expires_at = now()
   WHERE s3 IS NOT NULL AND bucket_id = $1 AND key >= $2 AND key < $3 AND expires_at > now()
     AND begun_at + make_interval(hours => 24 * $4::integer) <= date_trunc('day', now(), 'UTC')
   RETURNING upload_id`,
);
const forget = statement(
  'lifecycle-forget',
  `DELETE FROM region.lifecycle_walks WHERE coalesce(ended_at, begun_at) < now() - make_interval(days => $1)`,
);

export class LifecycleStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** The key where the walk of a bucket starts or continues; undefined if the next walk is not due yet. */
  async begin(bucketId: bigint, restSeconds: number): Promise<string | undefined> {
    const [row] = await this.#region.query<{ next_key: string }>(begin, [bucketId, restSeconds]);
    return row?.next_key;
  }

  page(bucketId: bigint, { from, until }: KeyRange, limit: number): Promise<ScannedRow[]> {
    return this.#region.query<ScannedRow>(page, [bucketId, from, until, limit]);
  }

  /** Null ends the walk. False if another process has advanced it. */
  async advance(bucketId: bigint, from: string, to: string | null): Promise<boolean> {
    return (await this.#region.query(advance, [bucketId, from, to])).length === 1;
  }

  async remove(bucketId: bigint, due: readonly ScannedRow[]): Promise<number> {
    const removed = await this.#region.query(removeDue, [
      bucketId,
      due.map(({ key }) => key),
      due.map(({ put_time }) => put_time),
    ]);
    return removed.length;
  }

  /** Undefined if that version no longer exists, or is already that cold. */
  async changeClass(change: ClassChange, on: Queryable): Promise<TransitionedRow | undefined> {
    const { bucketId, key, putTime, storageClass } = change;
    const [row] = await on.query<TransitionedRow>(changeClass, [bucketId, key, putTime, storageClass]);
    return row;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#region.transaction(work);
  }

  /** Gives up uploads that S3 began so many days ago, under these keys; their number. */
  async abortUploads(bucketId: bigint, { from, until }: KeyRange, days: number): Promise<number> {
    return (await this.#region.query(abortUploads, [bucketId, from, until, days])).length;
  }

  /** Forgets walks of buckets that have had no rules for this long. */
  async forget(days: number): Promise<void> {
    await this.#region.query(forget, [days]);
  }
}
