/**
 * SQL of uploads in parts that were begun by S3. They share tables, parts and ends with those of our own protocol; an upload
 * can only be continued by the protocol that began it, because each describes the object at another time.
 */
import type { ChecksumAlgorithm, ChecksumType } from '@millpond/protocol/s3';
import { type Database, type Queryable, statement } from '../../../platform/db/database.ts';
import {
  commitWindowFault,
  type Grouping,
  ROOM_FOR_MORE,
  withinCommitWindow,
} from '../../../storage/objects/index.ts';
import { UPLOAD_LIFE_DAYS } from '../../limits.ts';
import type { NewPart, PartRow } from './upload.store.ts';

/** What the client said when it began the upload, as JSON. */
export interface S3UploadDescription {
  readonly mimeType: string;
  readonly meta?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly checksum?: { readonly algorithm: ChecksumAlgorithm; readonly type: ChecksumType } | undefined;
}

export interface S3UploadRow {
  readonly upload_id: string;
  readonly key: string;
  readonly class: number;
  readonly begun_at: Date;
  readonly s3: S3UploadDescription;
}

export interface S3NewPart extends NewPart {
  readonly md5: Uint8Array;
  readonly checksum: string | undefined;
}

export interface S3PartRow extends PartRow {
  readonly md5: Buffer;
  readonly checksum: string | null;
}

export interface UploadPage {
  /** Undefined: groups are not asked for. */
  readonly grouping: Grouping | undefined;
  readonly from: string;
  readonly until: string;
  /** Uploads of `from` itself are listed after this one. */
  readonly afterUpload: string | undefined;
  readonly limit: number;
}

/** An upload, or all that begin with `common_prefix`, represented by the first of them. */
export type ListedUpload = S3UploadRow & { readonly common_prefix: string | null };

const COLUMNS = 'upload_id, key, class, begun_at, s3';

const begin = statement(
  's3-upload-begin',
  `WITH gate AS MATERIALIZED (
     SELECT coalesce(${ROOM_FOR_MORE} <= 0, false) AS is_full FROM region.bucket_gate WHERE bucket_id = $1 AND state = 'open'
   ), begun AS (
     INSERT INTO region.uploads (upload_id, bucket_id, key, class, s3, expires_at)
     SELECT gen_random_uuid(), $1, $2, $3, $4, now() + interval '${UPLOAD_LIFE_DAYS} days' FROM gate WHERE NOT is_full
     RETURNING upload_id
   )
   SELECT is_full, upload_id FROM gate LEFT JOIN begun ON true`,
);
const find = statement(
  's3-upload-find',
  `SELECT ${COLUMNS}, EXISTS (SELECT FROM region.bucket_gate g WHERE g.bucket_id = $2 AND ${ROOM_FOR_MORE} <= 0) AS is_full
   FROM region.uploads WHERE upload_id = $1 AND bucket_id = $2 AND key = $3 AND s3 IS NOT NULL AND expires_at > now()`,
);
// The share lock orders this against the end of the upload, as for parts of our own protocol.
const putPart = statement(
  's3-upload-put-part',
  `WITH judged AS MATERIALIZED (SELECT ${withinCommitWindow('$3', '$6')} AS fresh), written AS (
     INSERT INTO region.upload_parts AS p (upload_id, part_number, segment_id, size, etag, md5, checksum, put_time)
     SELECT upload_id, $2, $3, $4, $5, $7, $8, region.put_time_now() FROM region.uploads
     WHERE upload_id = $1 AND expires_at > now() AND (SELECT fresh FROM judged) FOR KEY SHARE
     ON CONFLICT (upload_id, part_number) DO UPDATE
       SET segment_id = excluded.segment_id, size = excluded.size, etag = excluded.etag, md5 = excluded.md5,
           checksum = excluded.checksum, put_time = excluded.put_time
     RETURNING put_time
   ), turned_away AS (
     INSERT INTO region.trash (blob_id, reason) SELECT $3, 'refused' WHERE NOT EXISTS (SELECT FROM written)
   )
   SELECT fresh, put_time FROM judged LEFT JOIN written ON true`,
);
const PART = 'part_number, segment_id, size, etag, md5, checksum, put_time';
const parts = statement(
  's3-upload-parts',
  `SELECT ${PART} FROM region.upload_parts WHERE upload_id = $1 AND part_number > $2 ORDER BY part_number LIMIT $3`,
);
/** Before every upload: ids are random. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
const list = statement(
  's3-uploads-list',
  `SELECT ${COLUMNS}, NULL AS common_prefix FROM region.uploads
   WHERE bucket_id = $1 AND s3 IS NOT NULL AND key < $3 AND (key, upload_id) > ($2, $4::uuid) AND expires_at > now()
   ORDER BY key, upload_id LIMIT $5`,
);
// One index probe for each upload or group that is listed, as in lists of objects.
const next = (key: string, uploadId: string) => `
  SELECT ${COLUMNS}, CASE WHEN cut > 0 THEN left(key, length($8) + cut - 1 + length($6)) END AS common_prefix
  FROM region.uploads, LATERAL (SELECT strpos(substr(key, length($8) + 1), $6) AS cut) AS found
  WHERE bucket_id = $1 AND s3 IS NOT NULL AND key < $3 AND (key, upload_id) > (${key}, ${uploadId}) AND expires_at > now()
  ORDER BY key, upload_id LIMIT 1`;
const groupedList = statement(
  's3-uploads-list-grouped',
  `WITH RECURSIVE listed AS (
     (SELECT 1 AS position, first.* FROM (${next('$2', '$4::uuid')}) AS first)
     UNION ALL
     SELECT listed.position + 1, following.* FROM listed, LATERAL (${next(
       `CASE WHEN listed.common_prefix IS NULL THEN listed.key ELSE left(listed.common_prefix, -length($6)) || $7 END COLLATE "C"`,
       `CASE WHEN listed.common_prefix IS NULL THEN listed.upload_id ELSE '${BEFORE_ALL}'::uuid END`,
     )}) AS following
     WHERE listed.position < $5
   )
   SELECT ${COLUMNS}, common_prefix FROM listed ORDER BY position`,
);

export class S3UploadStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** Undefined if the bucket is being dropped; the upload id is null if its quota is used up. */
  async begin(
    bucketId: bigint,
    key: string,
    storageClass: number,
    description: S3UploadDescription,
  ): Promise<{ readonly upload_id: string | null } | undefined> {
    const values = [bucketId, key, storageClass, JSON.stringify(description)];
    return (await this.#region.query<{ upload_id: string | null }>(begin, values))[0];
  }

  async find(
    uploadId: string,
    bucketId: bigint,
    key: string,
  ): Promise<(S3UploadRow & { readonly is_full: boolean }) | undefined> {
    const values = [uploadId, bucketId, key];
    return (await this.#region.query<S3UploadRow & { is_full: boolean }>(find, values))[0];
  }

  /** The part's put time; undefined if the upload has ended. The bytes of a part that was not put are in the trash. */
  async putPart(part: S3NewPart, commitWindowMs: number): Promise<bigint | undefined> {
    const { uploadId, number, segmentId, size, etag, md5, checksum } = part;
    const values = [uploadId, number, segmentId, size, etag, commitWindowMs, md5, checksum ?? null];
    const [row] = await this.#region.query<{ fresh: boolean; put_time: bigint | null }>(putPart, values);
    if (row?.fresh !== true) throw commitWindowFault();
    return row.put_time ?? undefined;
  }

  parts(uploadId: string, after: number, most: number, on: Queryable = this.#region): Promise<S3PartRow[]> {
    return on.query<S3PartRow>(parts, [uploadId, after, most]);
  }

  list(bucketId: bigint, page: UploadPage, cancel: AbortSignal): Promise<ListedUpload[]> {
    const { grouping, from, until, afterUpload = BEFORE_ALL, limit } = page;
    const values = [bucketId, from, until, afterUpload, limit];
    if (grouping === undefined) return this.#region.query<ListedUpload>(list, values, cancel);
    const { delimiter, afterDelimiter, prefix } = grouping;
    return this.#region.query<ListedUpload>(
      groupedList,
      [...values, delimiter, afterDelimiter, prefix],
      cancel,
    );
  }
}
