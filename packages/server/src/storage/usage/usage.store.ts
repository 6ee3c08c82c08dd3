/**
 * SQL of usage: what buckets hold, folded from the rows that every change leaves, and the quotas based on it. Folding,
 * recounting and setting a quota take turns (with a lock), because each depends on the sum of the others.
 */
import { type Database, statement, type Transaction } from '../../platform/db/database.ts';

export interface UsageRow {
  readonly bucket_id: bigint;
  readonly class: number;
  readonly bytes: bigint;
  readonly objects: bigint;
}

export interface RequestRow {
  readonly bucket_id: bigint;
  readonly calls: bigint;
  readonly downloads: bigint;
}

export interface DayRow {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly calls: bigint;
  readonly downloads: bigint;
}

export interface Quota {
  /** Null if there is none. */
  readonly quota_bytes: bigint | null;
  readonly quota_objects: bigint | null;
}

export interface RequestCount {
  readonly uid: bigint;
  readonly bucketId: bigint;
  readonly calls: number;
  readonly downloads: number;
}

const lock = statement('usage-lock', `SELECT pg_advisory_xact_lock(hashtext('region.bucket_usage'))`);
const tryLock = statement(
  'usage-try-lock',
  `SELECT pg_try_advisory_xact_lock(hashtext('region.bucket_usage')) AS is_mine`,
);
const fold = statement(
  'usage-fold',
  `WITH taken AS (
     DELETE FROM region.usage_deltas
     WHERE ctid = ANY (ARRAY(SELECT ctid FROM region.usage_deltas LIMIT $1)) RETURNING *
   ), summed AS (
     SELECT bucket_id, class, sum(bytes)::bigint AS bytes, sum(objects) AS objects
     FROM taken GROUP BY bucket_id, class
   ), folded AS (
     INSERT INTO region.bucket_usage AS u (bucket_id, class, bytes, objects) SELECT * FROM summed
     ON CONFLICT (bucket_id, class)
     DO UPDATE SET bytes = u.bytes + excluded.bytes, objects = u.objects + excluded.objects
   ), changed AS (
     SELECT bucket_id, sum(bytes)::bigint AS bytes, sum(objects)::bigint AS objects FROM summed GROUP BY bucket_id
   ), roomed AS (
     UPDATE region.bucket_gate g
     SET room_bytes = room_bytes - changed.bytes, room_objects = room_objects - changed.objects
     FROM changed
     WHERE g.bucket_id = changed.bucket_id AND (g.quota_bytes IS NOT NULL OR g.quota_objects IS NOT NULL)
   )
   SELECT count(*)::integer AS taken FROM taken`,
);
const foldParts = statement(
  'usage-fold-parts',
  `WITH taken AS (
     DELETE FROM region.part_deltas
     WHERE ctid = ANY (ARRAY(SELECT ctid FROM region.part_deltas LIMIT $1)) RETURNING *
   ), changed AS (
     UPDATE region.bucket_gate g SET part_bytes = g.part_bytes + summed.bytes
     FROM (SELECT bucket_id, sum(bytes)::bigint AS bytes FROM taken GROUP BY bucket_id) AS summed
     WHERE g.bucket_id = summed.bucket_id AND summed.bytes <> 0
   )
   SELECT count(*)::integer AS taken FROM taken`,
);
const forgetEmpty = statement(
  'usage-forget-empty',
  'DELETE FROM region.bucket_usage WHERE bytes = 0 AND objects = 0',
);
const recount = statement(
  'usage-recount',
  `WITH counted AS (
     SELECT class, sum(fsize)::bigint AS bytes, count(*) AS objects
     FROM region.objects WHERE bucket_id = $1 GROUP BY class
   ), told AS (
     DELETE FROM region.usage_deltas WHERE bucket_id = $1 RETURNING class, bytes, objects
   ), before AS (
     SELECT class, sum(bytes)::bigint AS bytes, sum(objects)::bigint AS objects FROM (
       SELECT class, bytes, objects FROM region.bucket_usage WHERE bucket_id = $1
       UNION ALL SELECT class, bytes, objects FROM told) AS known GROUP BY class
   ), gone AS (
     DELETE FROM region.bucket_usage
     WHERE bucket_id = $1 AND class NOT IN (SELECT class FROM counted)
   ), written AS (
     INSERT INTO region.bucket_usage (bucket_id, class, bytes, objects) SELECT $1, class, bytes, objects FROM counted
     ON CONFLICT (bucket_id, class) DO UPDATE SET bytes = excluded.bytes, objects = excluded.objects
   ), of_parts AS (
     DELETE FROM region.part_deltas WHERE bucket_id = $1
   ), roomed AS (
     UPDATE region.bucket_gate
     SET part_bytes = (
           SELECT coalesce(sum(size), 0) FROM (
             SELECT size FROM region.uploads JOIN region.upload_parts USING (upload_id) WHERE bucket_id = $1
             UNION ALL SELECT size FROM region.upload_blocks JOIN region.upload_chunks USING (block_id) WHERE bucket_id = $1
           ) AS parts),
         room_bytes = quota_bytes - (SELECT coalesce(sum(bytes), 0) FROM counted),
         room_objects = quota_objects - (SELECT coalesce(sum(objects), 0) FROM counted)
     WHERE bucket_id = $1
   )
   SELECT coalesce(sum(abs(coalesce(c.bytes, 0) - coalesce(b.bytes, 0))), 0)::bigint AS bytes,
          coalesce(sum(abs(coalesce(c.objects, 0) - coalesce(b.objects, 0))), 0)::bigint AS objects
   FROM counted c FULL JOIN before b USING (class)`,
);
const usageOf = statement(
  'usage-of-buckets',
  `SELECT bucket_id, class, bytes, objects FROM region.bucket_usage WHERE bucket_id = ANY ($1::bigint[])
   ORDER BY bucket_id, class`,
);
const setQuota = statement(
  'usage-set-quota',
  `WITH used AS (
     SELECT coalesce(sum(bytes), 0)::bigint AS bytes, coalesce(sum(objects), 0)::bigint AS objects
     FROM region.bucket_usage WHERE bucket_id = $1
   ), wanted AS (
     SELECT CASE $2::bigint WHEN 0 THEN quota_bytes WHEN -1 THEN NULL ELSE $2 END AS bytes,
            CASE $3::bigint WHEN 0 THEN quota_objects WHEN -1 THEN NULL ELSE $3 END AS objects
     FROM region.bucket_gate WHERE bucket_id = $1
   )
   UPDATE region.bucket_gate
   SET quota_bytes = wanted.bytes, quota_objects = wanted.objects,
       room_bytes = wanted.bytes - used.bytes, room_objects = wanted.objects - used.objects
   FROM wanted, used WHERE bucket_id = $1`,
);
const quotaOf = statement(
  'usage-quota',
  'SELECT quota_bytes, quota_objects FROM region.bucket_gate WHERE bucket_id = $1',
);
const addRequests = statement(
  'usage-add-requests',
  `INSERT INTO region.request_counts AS r (uid, day, bucket_id, calls, downloads)
   SELECT uid, (now() AT TIME ZONE 'UTC')::date, bucket_id, calls, downloads
   FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS given (uid, bucket_id, calls, downloads)
   ORDER BY uid, bucket_id
   ON CONFLICT (uid, day, bucket_id)
   DO UPDATE SET calls = r.calls + excluded.calls, downloads = r.downloads + excluded.downloads`,
);
const requestsOf = statement(
  'usage-requests',
  `SELECT bucket_id, sum(calls)::bigint AS calls, sum(downloads)::bigint AS downloads FROM region.request_counts
   WHERE uid = $1 AND day BETWEEN $2::date AND $3::date GROUP BY bucket_id`,
);
// Without a bucket, those of all of them.
const requestsByDay = statement(
  'usage-requests-by-day',
  `SELECT day::text AS day, sum(calls)::bigint AS calls, sum(downloads)::bigint AS downloads
   FROM region.request_counts
   WHERE uid = $1 AND day BETWEEN $2::date AND $3::date AND ($4::bigint IS NULL OR bucket_id = $4)
   GROUP BY region.request_counts.day ORDER BY region.request_counts.day`,
);
const forgetRequests = statement(
  'usage-forget-requests',
  `DELETE FROM region.request_counts WHERE day < (now() AT TIME ZONE 'UTC')::date - $1::integer`,
);

export class UsageStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** The number of rows folded, of objects or of parts; less than `most` at the end. */
  fold(most: number): Promise<number> {
    return this.#region.transaction(async (transaction) => {
      const [turn] = await transaction.query<{ is_mine: boolean }>(tryLock, []);
      if (!turn?.is_mine) return 0;
      const [row] = await transaction.query<{ taken: number }>(fold, [most]);
      const [parts] = await transaction.query<{ taken: number }>(foldParts, [most]);
      return Math.max(row?.taken ?? 0, parts?.taken ?? 0);
    });
  }

  async forgetEmpty(): Promise<void> {
    await this.#inTurn((transaction) => transaction.query(forgetEmpty, []));
  }

  /** By how much the figures were off, in bytes and objects. */
  async recount(bucketId: bigint): Promise<{ bytes: bigint; objects: bigint }> {
    const [off] = await this.#inTurn((transaction) =>
      transaction.query<{ bytes: bigint; objects: bigint }>(recount, [bucketId]),
    );
    return off ?? { bytes: 0n, objects: 0n };
  }

  usageOf(bucketIds: readonly bigint[]): Promise<UsageRow[]> {
    return this.#region.query<UsageRow>(usageOf, [bucketIds]);
  }

  /** 0 leaves a quota as it is, -1 removes it. */
  async setQuota(bucketId: bigint, bytes: bigint, objects: bigint): Promise<void> {
    await this.#inTurn((transaction) => transaction.query(setQuota, [bucketId, bytes, objects]));
  }

  async quotaOf(bucketId: bigint): Promise<Quota> {
    const [row] = await this.#region.query<Quota>(quotaOf, [bucketId]);
    return row ?? { quota_bytes: null, quota_objects: null };
  }

  async addRequests(counts: readonly RequestCount[]): Promise<void> {
    await this.#region.query(addRequests, [
      counts.map(({ uid }) => uid),
      counts.map(({ bucketId }) => bucketId),
      counts.map(({ calls }) => calls),
      counts.map(({ downloads }) => downloads),
    ]);
  }

  /** From one day to another, `YYYY-MM-DD`, both inclusive. */
  requestsOf(uid: bigint, from: string, to: string): Promise<RequestRow[]> {
    return this.#region.query<RequestRow>(requestsOf, [uid, from, to]);
  }

  /** Only days that had any. */
  requestsByDay(uid: bigint, from: string, to: string, bucketId?: bigint): Promise<DayRow[]> {
    return this.#region.query<DayRow>(requestsByDay, [uid, from, to, bucketId ?? null]);
  }

  async forgetRequests(days: number): Promise<void> {
    await this.#region.query(forgetRequests, [days]);
  }

  #inTurn<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#region.transaction(async (transaction) => {
      // A separate statement: the next one must see what the previous holder of the lock wrote.
      await transaction.query(lock, []);
      return work(transaction);
    });
  }
}
