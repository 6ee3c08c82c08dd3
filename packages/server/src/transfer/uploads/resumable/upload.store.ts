/** SQL of uploads in parts (v2). Bytes that stop being a part go to the trash in the same statement. */
import type { BlobId } from '@millpond/blobs';
import { type Database, type Queryable, statement } from '../../../platform/db/database.ts';
import { commitWindowFault, ROOM_FOR_MORE, withinCommitWindow } from '../../../storage/objects/index.ts';
import { UPLOAD_LIFE_DAYS } from '../../limits.ts';
import { type CompletedUpload, completionValues, insertCompletionSql } from './completed.store.ts';

export interface UploadRow {
  readonly class: number;
  /** Unix seconds. */
  readonly expire_at: number;
}

/** An upload as seen by one of its parts. */
export interface UploadForPart extends UploadRow {
  /** Bytes of its other parts; 0 if not requested. */
  readonly otherPartsBytes: bigint;
  /** The bucket's quota is used up. */
  readonly is_full: boolean;
}

export interface StartedUpload {
  readonly upload_id: string;
  readonly expire_at: number;
  readonly is_full: false;
}

export interface PartRow {
  readonly part_number: number;
  readonly segment_id: BlobId;
  readonly size: bigint;
  readonly etag: string;
  readonly put_time: bigint;
}

export interface NewPart {
  readonly uploadId: string;
  readonly number: number;
  readonly segmentId: BlobId;
  readonly size: number;
  readonly etag: string;
}

const UPLOAD_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a database can be asked for it. */
export function isUploadId(text: string): boolean {
  return UPLOAD_ID.test(text);
}

const EXPIRE_AT = 'floor(extract(epoch FROM expires_at))::float8 AS expire_at';

const begin = statement(
  'upload-begin',
  `WITH gate AS MATERIALIZED (
     SELECT coalesce(${ROOM_FOR_MORE} <= 0, false) AS is_full FROM region.bucket_gate WHERE bucket_id = $1 AND state = 'open'
   ), begun AS (
     INSERT INTO region.uploads (upload_id, bucket_id, key, class, expires_at)
     SELECT gen_random_uuid(), $1, $2, $3, now() + interval '${UPLOAD_LIFE_DAYS} days' FROM gate WHERE NOT is_full
     RETURNING upload_id, ${EXPIRE_AT}
   )
   SELECT is_full, upload_id, expire_at FROM gate LEFT JOIN begun ON true`,
);
const find = statement(
  'upload-find',
  `SELECT class, ${EXPIRE_AT} FROM region.uploads
   WHERE upload_id = $1 AND bucket_id = $2 AND key IS NOT DISTINCT FROM $3 AND s3 IS NULL AND expires_at > now()`,
);
const findForPart = statement(
  'upload-find-for-part',
  `SELECT class, ${EXPIRE_AT},
     CASE WHEN $5 THEN (SELECT coalesce(sum(size), 0)::bigint FROM region.upload_parts p
                        WHERE p.upload_id = $1 AND p.part_number <> $4) ELSE 0 END AS "otherPartsBytes",
     EXISTS (SELECT FROM region.bucket_gate g WHERE g.bucket_id = $2 AND ${ROOM_FOR_MORE} <= 0) AS is_full
   FROM region.uploads
   WHERE upload_id = $1 AND bucket_id = $2 AND key IS NOT DISTINCT FROM $3 AND s3 IS NULL AND expires_at > now()`,
);
// The share lock orders this against the end of the upload. The foreign key would not: replacing a part doesn't touch
// it, and bytes that a completion is about to keep would go to the trash.
const putPart = statement(
  'upload-put-part',
  `WITH judged AS MATERIALIZED (SELECT ${withinCommitWindow('$3', '$6')} AS fresh), written AS (
     INSERT INTO region.upload_parts AS p (upload_id, part_number, segment_id, size, etag, put_time)
     SELECT upload_id, $2, $3, $4, $5, region.put_time_now() FROM region.uploads
     WHERE upload_id = $1 AND expires_at > now() AND (SELECT fresh FROM judged) FOR KEY SHARE
     ON CONFLICT (upload_id, part_number) DO UPDATE
       SET segment_id = excluded.segment_id, size = excluded.size, etag = excluded.etag, put_time = excluded.put_time
     RETURNING part_number
   ), turned_away AS (
     INSERT INTO region.trash (blob_id, reason) SELECT $3, 'refused' WHERE NOT EXISTS (SELECT FROM written)
   )
   SELECT fresh, EXISTS (SELECT FROM written) AS written FROM judged`,
);
const parts = statement(
  'upload-parts',
  `SELECT part_number, segment_id, size, etag, put_time FROM region.upload_parts
   WHERE upload_id = $1 AND part_number > $2 ORDER BY part_number LIMIT $3`,
);
const lock = statement('upload-lock', 'SELECT FROM region.uploads WHERE upload_id = $1 FOR UPDATE');
const partsForUpdate = statement(
  'upload-parts-of-completion',
  `SELECT part_number, segment_id, size, etag, put_time FROM region.upload_parts WHERE upload_id = $1 ORDER BY part_number`,
);
// Parts that the object does not take are discarded; the others become its segments.
const end = statement(
  'upload-end',
  `WITH gone AS (DELETE FROM region.upload_parts WHERE upload_id = $1 RETURNING segment_id), given_up AS (
     INSERT INTO region.trash (blob_id, reason) SELECT segment_id, 'refused' FROM gone WHERE segment_id <> ALL ($2::uuid[])
   )
   SELECT count(*) FROM gone`,
);
const forget = statement(
  'upload-forget',
  'DELETE FROM region.uploads WHERE upload_id = $1 RETURNING upload_id',
);
const complete = statement(
  'upload-complete',
  `WITH gone AS (DELETE FROM region.uploads WHERE upload_id = $1 RETURNING upload_id), kept AS (
     ${insertCompletionSql('gone')}
   )
   SELECT upload_id FROM gone`,
);
const expired = statement(
  'upload-expired',
  'SELECT upload_id FROM region.uploads WHERE expires_at < now() ORDER BY expires_at LIMIT $1',
);

export class UploadStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** Undefined if the bucket is being dropped; no upload is started if its quota is used up. */
  async begin(
    bucketId: bigint,
    key: string | undefined,
    storageClass: number,
  ): Promise<StartedUpload | { readonly is_full: true } | undefined> {
    const values = [bucketId, key ?? null, storageClass];
    const [row] = await this.#region.query<StartedUpload | { readonly is_full: true }>(begin, values);
    return row;
  }

  async find(uploadId: string, bucketId: bigint, key: string | undefined): Promise<UploadRow | undefined> {
    const [row] = await this.#region.query<UploadRow>(find, [uploadId, bucketId, key ?? null]);
    return row;
  }

  async findForPart(
    uploadId: string,
    bucketId: bigint,
    key: string | undefined,
    part: { readonly number: number; readonly isSummed: boolean },
  ): Promise<UploadForPart | undefined> {
    const values = [uploadId, bucketId, key ?? null, part.number, part.isSummed];
    return (await this.#region.query<UploadForPart>(findForPart, values))[0];
  }

  /** False if the upload has ended. The bytes of a part that was not put are in the trash. */
  async putPart(part: NewPart, commitWindowMs: number): Promise<boolean> {
    const values = [part.uploadId, part.number, part.segmentId, part.size, part.etag, commitWindowMs];
    const [row] = await this.#region.query<{ fresh: boolean; written: boolean }>(putPart, values);
    if (row?.fresh !== true) throw commitWindowFault();
    return row.written;
  }

  parts(uploadId: string, after: number, most: number): Promise<PartRow[]> {
    return this.#region.query<PartRow>(parts, [uploadId, after, most]);
  }

  /** All parts, locked against changes; undefined if the upload has ended. */
  async lockedParts(uploadId: string, on: Queryable): Promise<PartRow[] | undefined> {
    if ((await on.query(lock, [uploadId])).length === 0) return undefined;
    return on.query<PartRow>(partsForUpdate, [uploadId]);
  }

  /** Ends an upload whose parts are locked: those in `kept` become an object's, the rest are discarded. */
  async complete(
    uploadId: string,
    kept: readonly BlobId[],
    completed: CompletedUpload,
    on: Queryable,
  ): Promise<void> {
    await on.query(end, [uploadId, kept]);
    await on.query(complete, [uploadId, ...completionValues(completed)]);
  }

  /** False if it had already ended. */
  abort(uploadId: string): Promise<boolean> {
    return this.#region.transaction(async (transaction) => {
      await transaction.query(lock, [uploadId]);
      await transaction.query(end, [uploadId, []]);
      return (await transaction.query(forget, [uploadId])).length === 1;
    });
  }

  async expired(most: number): Promise<string[]> {
    const rows = await this.#region.query<{ upload_id: string }>(expired, [most]);
    return rows.map((row) => row.upload_id);
  }
}
