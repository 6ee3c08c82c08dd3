/** SQL of uploads in parts (v2). What stops being a part goes to the trash in the same statement. */
import type { BlobId } from '../../platform/blobs/index.ts';
import { type Database, type Queryable, statement } from '../../platform/db/database.ts';
import { areFresh, tooLate } from '../objects/index.ts';

export interface UploadRow {
  readonly class: number;
  /** Unix seconds. */
  readonly expire_at: number;
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

const LIFE_DAYS = 7;
const EXPIRE_AT = 'floor(extract(epoch FROM expires_at))::float8 AS expire_at';

const begin = statement(
  'upload-begin',
  `INSERT INTO region.uploads (upload_id, bucket_id, key, class, expires_at)
   SELECT gen_random_uuid(), $1, $2, $3, now() + interval '${LIFE_DAYS} days'
   WHERE EXISTS (SELECT FROM region.bucket_gate WHERE bucket_id = $1 AND state = 'open')
   RETURNING upload_id, ${EXPIRE_AT}`,
);
const find = statement(
  'upload-find',
  `SELECT class, ${EXPIRE_AT} FROM region.uploads
   WHERE upload_id = $1 AND bucket_id = $2 AND key IS NOT DISTINCT FROM $3 AND expires_at > now()`,
);
// The share lock orders this against an end of the upload. The foreign key would not: replacing a part doesn't touch
// it, and bytes that a completion is about to keep would go to the trash.
const putPart = statement(
  'upload-put-part',
  `WITH judged AS MATERIALIZED (SELECT ${areFresh('$3', '$6')} AS fresh), written AS (
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
// Parts that the object does not take are given up; the others are its segments from here on.
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
const expired = statement(
  'upload-expired',
  'SELECT upload_id FROM region.uploads WHERE expires_at < now() ORDER BY expires_at LIMIT $1',
);

export class UploadStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** Undefined when the bucket is being dropped. */
  async begin(
    bucketId: bigint,
    key: string | undefined,
    storageClass: number,
  ): Promise<{ upload_id: string; expire_at: number } | undefined> {
    const values = [bucketId, key ?? null, storageClass];
    const [row] = await this.#region.query<{ upload_id: string; expire_at: number }>(begin, values);
    return row;
  }

  async find(uploadId: string, bucketId: bigint, key: string | undefined): Promise<UploadRow | undefined> {
    const [row] = await this.#region.query<UploadRow>(find, [uploadId, bucketId, key ?? null]);
    return row;
  }

  /** False when the upload ended meanwhile. The bytes of a part that is not put are in the trash. */
  async putPart(part: NewPart, commitWindowMs: number): Promise<boolean> {
    const values = [part.uploadId, part.number, part.segmentId, part.size, part.etag, commitWindowMs];
    const [row] = await this.#region.query<{ fresh: boolean; written: boolean }>(putPart, values);
    if (row?.fresh !== true) throw tooLate();
    return row.written;
  }

  parts(uploadId: string, after: number, most: number): Promise<PartRow[]> {
    return this.#region.query<PartRow>(parts, [uploadId, after, most]);
  }

  /** All parts, while nobody else can change them; undefined when the upload has ended. */
  async lockedParts(uploadId: string, on: Queryable): Promise<PartRow[] | undefined> {
    if ((await on.query(lock, [uploadId])).length === 0) return undefined;
    return on.query<PartRow>(partsForUpdate, [uploadId]);
  }

  /** Ends an upload: the parts named become an object's, the rest is given up. False when there is none. */
  async end(uploadId: string, kept: readonly BlobId[], on: Queryable): Promise<boolean> {
    await on.query(lock, [uploadId]);
    await on.query(end, [uploadId, kept]);
    return (await on.query(forget, [uploadId])).length === 1;
  }

  /** False when it had ended already. */
  abort(uploadId: string): Promise<boolean> {
    return this.#region.transaction((transaction) => this.end(uploadId, [], transaction));
  }

  async expired(most: number): Promise<string[]> {
    const rows = await this.#region.query<{ upload_id: string }>(expired, [most]);
    return rows.map((row) => row.upload_id);
  }
}
