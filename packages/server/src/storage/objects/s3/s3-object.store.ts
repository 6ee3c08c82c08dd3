/** SQL of what the S3 protocol reads and changes of single objects beyond our own operations. */
import type { BlobId } from '@millpond/blobs';
import { BatchedReads } from '../../../platform/db/batched-reads.ts';
import { type Database, statement } from '../../../platform/db/database.ts';
import type { StoredChecksum } from '../commit/commit-statement.ts';
import { JOIN_PLACE, PLACE_COLUMNS, type PlacedRow } from '../packs/place-statement.ts';
import { RESTORE_STATUS } from '../record.ts';

/** What gives an object its ETag. */
export interface TaggedRow {
  readonly hash: string;
  readonly md5: Buffer | null;
  readonly md5_parts: number | null;
}

export interface S3ListedRow extends TaggedRow {
  readonly key: string;
  readonly fsize: bigint;
  readonly put_time: bigint;
  readonly class: number;
  readonly checksum: StoredChecksum | null;
  readonly restore_status: number | null;
  readonly restore_ends_at: Date | null;
}

export interface S3ObjectRow extends S3ListedRow, PlacedRow {
  readonly blob_id: BlobId;
  readonly segment_count: number;
  readonly mime_type: string;
  readonly status: number;
  readonly meta: Readonly<Record<string, string>> | null;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>> | null;
  readonly tags: Readonly<Record<string, string>> | null;
  readonly expires_at: Date | null;
}

/** Size and checksum of a part. */
export type PartEntry = readonly [size: number, checksum: string | null];

/** Conditions of a removal; those that are absent hold. */
export interface RemovalCondition {
  /** ETags without quotes. */
  readonly etags?: readonly string[] | undefined;
  readonly size?: number | undefined;
  /** Unix seconds. */
  readonly lastModified?: number | undefined;
}

export const S3_LISTED_COLUMNS = `key, fsize, hash, put_time, class, md5, md5_parts, checksum, ${RESTORE_STATUS}`;

/** From the values of these columns. */
export function s3ListedRow(values: readonly unknown[]): S3ListedRow {
  return {
    key: values[0] as string,
    fsize: values[1] as bigint,
    hash: values[2] as string,
    put_time: values[3] as bigint,
    class: values[4] as number,
    md5: values[5] as Buffer | null,
    md5_parts: values[6] as number | null,
    checksum: values[7] as StoredChecksum | null,
    restore_status: values[8] as number | null,
    restore_ends_at: values[10] as Date | null,
  };
}

const find = statement(
  's3-object-find',
  `SELECT ${S3_LISTED_COLUMNS}, blob_id, segment_count, mime_type, status, meta, headers, tags, expires_at,
     ${PLACE_COLUMNS}
   FROM region.objects o ${JOIN_PLACE} WHERE bucket_id = $1 AND key = ANY ($2::text[])`,
);
const partList = statement(
  's3-object-parts',
  'SELECT part_list FROM region.objects WHERE bucket_id = $1 AND key = $2 AND put_time = $3',
);
const removeIf = statement(
  's3-object-remove-if',
  `WITH found AS MATERIALIZED (
     SELECT ($3::text[] IS NULL OR region.s3_etag(md5, md5_parts, hash) = ANY ($3))
        AND ($4::bigint IS NULL OR fsize = $4)
        AND ($5::bigint IS NULL OR put_time / 10000000 = $5) AS matches
     FROM region.objects WHERE bucket_id = $1 AND key = $2 FOR UPDATE
   ), gone AS (
     DELETE FROM region.objects USING found WHERE bucket_id = $1 AND key = $2 AND matches
   )
   SELECT matches FROM found`,
);
const setTags = statement(
  's3-object-tags',
  'UPDATE region.objects SET tags = $3 WHERE bucket_id = $1 AND key = $2 RETURNING key',
);

export class S3ObjectStore {
  readonly #region: Database;
  readonly #reads: BatchedReads<S3ObjectRow>;

  constructor(region: Database) {
    this.#region = region;
    this.#reads = new BatchedReads(region, find);
  }

  find(bucketId: bigint, key: string, cancel?: AbortSignal): Promise<S3ObjectRow | undefined> {
    return this.#reads.find(bucketId, key, cancel);
  }

  /** The parts that this version was uploaded in; null if it came in one piece. */
  async partList(bucketId: bigint, row: Pick<S3ObjectRow, 'key' | 'put_time'>): Promise<PartEntry[] | null> {
    const values = [bucketId, row.key, row.put_time];
    const [found] = await this.#region.query<{ part_list: PartEntry[] | null }>(partList, values);
    return found?.part_list ?? null;
  }

  /** Undefined if there was nothing to remove; false if the condition did not hold. */
  async removeIf(
    bucketId: bigint,
    key: string,
    { etags, size, lastModified }: RemovalCondition,
  ): Promise<boolean | undefined> {
    const values = [bucketId, key, etags ?? null, size ?? null, lastModified ?? null];
    const [row] = await this.#region.query<{ matches: boolean }>(removeIf, values);
    return row?.matches;
  }

  /** False if there is no object. */
  async setTags(bucketId: bigint, key: string, tags: Readonly<Record<string, string>>): Promise<boolean> {
    const value = Object.keys(tags).length === 0 ? null : JSON.stringify(tags);
    return (await this.#region.query(setTags, [bucketId, key, value])).length === 1;
  }
}
