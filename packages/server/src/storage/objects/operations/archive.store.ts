/** SQL of restores and class changes. Times come from the database's clock; each change is one statement. */
import type { BlobId } from '@millpond/blobs';
import { type Database, type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import type { RestorableRow } from '../restore-status.ts';

export interface RestoreTimes {
  readonly archiveMs: number;
  readonly deepArchiveMs: number;
  readonly windowMs: number;
}

/** The object as it was found; the blob is set if the class was changed. */
export interface ClassRow extends RestorableRow {
  readonly blob_id: BlobId | null;
  readonly cold: boolean | null;
}

// The status is judged after waiting for the row lock, so that an earlier change is seen.
const FOUND = `found AS MATERIALIZED (
     SELECT class, restore_ready_at, restore_ends_at FROM region.objects WHERE bucket_id = $1 AND key = $2 FOR UPDATE
   )`;
const STATUS = 'class, region.restore_status(class, restore_ready_at, restore_ends_at) AS restore_status';

/** For the number of restores under way. */
const NOTED = `noted AS (
     INSERT INTO region.restores (bucket_id, ready_at) SELECT $1, ready_at FROM judged WHERE restore_status = 0
   )`;

// A restore starts only for a frozen object: an earlier restore keeps its times.
const restore = statement(
  'object-restore',
  `WITH ${FOUND}, judged AS MATERIALIZED (
     SELECT ${STATUS},
            clock_timestamp() + (CASE class WHEN 2 THEN $3::bigint ELSE $4::bigint END) * interval '1 millisecond' AS ready_at
     FROM found
   ), changed AS (
     UPDATE region.objects AS o
     SET restore_ready_at = judged.ready_at,
         restore_ends_at = judged.ready_at + $5::bigint * interval '1 millisecond'
     FROM judged WHERE o.bucket_id = $1 AND o.key = $2 AND judged.restore_status = 0
   ), ${NOTED}
   SELECT class, restore_status FROM judged`,
);
// If the object is restored already, only the end moves.
const restoreOrExtend = statement(
  'object-restore-or-extend',
  `WITH ${FOUND}, judged AS MATERIALIZED (
     SELECT ${STATUS}, restore_ready_at,
            clock_timestamp() + (CASE class WHEN 2 THEN $3::bigint ELSE $4::bigint END) * interval '1 millisecond' AS ready_at
     FROM found
   ), changed AS (
     UPDATE region.objects AS o
     SET restore_ready_at = CASE judged.restore_status WHEN 0 THEN judged.ready_at ELSE judged.restore_ready_at END,
         restore_ends_at = CASE judged.restore_status WHEN 0 THEN judged.ready_at ELSE clock_timestamp() END
           + $5::bigint * interval '1 millisecond'
     FROM judged WHERE o.bucket_id = $1 AND o.key = $2 AND judged.restore_status IN (0, 2)
   ), ${NOTED}
   SELECT class, restore_status FROM judged`,
);
// A restore belongs to the class it was requested in: an object that enters an archive class is frozen.
const changeClass = statement(
  'object-class',
  `WITH ${FOUND}, judged AS MATERIALIZED (
     SELECT ${STATUS} FROM found
   ), changed AS (
     UPDATE region.objects AS o SET class = $3, restore_ready_at = NULL, restore_ends_at = NULL
     FROM judged
     WHERE o.bucket_id = $1 AND o.key = $2 AND judged.class <> $3 AND coalesce(judged.restore_status, 2) = 2
     RETURNING o.blob_id, o.cold
   )
   SELECT class, restore_status, blob_id, cold FROM judged LEFT JOIN changed ON true`,
);

// The transaction has locked and checked the rows.
const restoreAll = statement(
  'objects-restore',
  `UPDATE region.objects SET restore_ready_at = ready_at, restore_ends_at = ready_at + $5::bigint * interval '1 millisecond'
   FROM (SELECT key AS of, clock_timestamp()
           + (CASE class WHEN 2 THEN $3::bigint ELSE $4::bigint END) * interval '1 millisecond' AS ready_at
         FROM region.objects WHERE bucket_id = $1 AND key = ANY ($2::text[])) AS judged
   WHERE bucket_id = $1 AND key = judged.of`,
);
const changeClasses = statement(
  'objects-class',
  `UPDATE region.objects SET class = $3, restore_ready_at = NULL, restore_ends_at = NULL
   WHERE bucket_id = $1 AND key = ANY ($2::text[]) RETURNING blob_id, cold`,
);

/** Bytes, and where they lie. */
export interface BlobTierRow {
  readonly blob_id: BlobId;
  readonly cold: boolean;
}

export class ArchiveStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** The object as it was before; undefined if there is none. */
  async restore(bucketId: bigint, key: string, times: RestoreTimes): Promise<RestorableRow | undefined> {
    const values = [bucketId, key, times.archiveMs, times.deepArchiveMs, times.windowMs];
    const [row] = await this.#region.query<RestorableRow>(restore, values);
    return row;
  }

  /** The same, but a restore that is in force is extended. */
  async restoreOrExtend(
    bucketId: bigint,
    key: string,
    times: RestoreTimes,
  ): Promise<RestorableRow | undefined> {
    const values = [bucketId, key, times.archiveMs, times.deepArchiveMs, times.windowMs];
    const [row] = await this.#region.query<RestorableRow>(restoreOrExtend, values);
    return row;
  }

  async changeClass(
    bucketId: bigint,
    key: string,
    storageClass: number,
    on: Queryable,
  ): Promise<ClassRow | undefined> {
    const [row] = await on.query<ClassRow>(changeClass, [bucketId, key, storageClass]);
    return row;
  }

  /** Restores frozen objects, all of which the transaction has locked. */
  async restoreAll(
    bucketId: bigint,
    keys: readonly string[],
    times: RestoreTimes,
    on: Transaction,
  ): Promise<void> {
    await on.query(restoreAll, [bucketId, keys, times.archiveMs, times.deepArchiveMs, times.windowMs]);
  }

  /** Gives another class to objects, all of which the transaction has locked. */
  changeClasses(
    bucketId: bigint,
    keys: readonly string[],
    storageClass: number,
    on: Transaction,
  ): Promise<BlobTierRow[]> {
    return on.query<BlobTierRow>(changeClasses, [bucketId, keys, storageClass]);
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#region.transaction(work);
  }
}
