/**
 * SQL of cached results: found by source and work, evicted when least recently used. The tables of images keep their first
 * names, `region.pictures` and the like: gateways of the previous version use them during a rolling upgrade.
 */
import type { BlobId } from '@millpond/blobs';
import { type Database, statement } from '../../platform/db/database.ts';
import { commitWindowFault, withinCommitWindow } from '../../storage/objects/index.ts';

/** Which result of which bytes. */
export interface ImageCacheKey {
  readonly sourceBlob: BlobId;
  /** A hash of the commands and of their other inputs. */
  readonly work: Buffer;
}

export interface ImageRow {
  /** Null: the result is the source, unchanged. */
  readonly blob_id: BlobId | null;
  readonly size: bigint;
  readonly hash: string;
  readonly mime_type: string;
}

/** What a row costs in addition to its bytes, so that the number of rows is bounded as well. */
const ROW_BYTES = 1024;
const COST = `(size + ${ROW_BYTES})`;
const MINUTES_BETWEEN_TOUCHES = 10;
const MAX_CONCURRENT = 1000;
/** Longer than the longest statement whose rows a look at the trash may have missed. */
const OVERLAP = `interval '5 minutes'`;

const find = statement(
  'image-find',
  `SELECT blob_id, size, hash, mime_type,
          used_at < clock_timestamp() - interval '${MINUTES_BETWEEN_TOUCHES} minutes' AS is_due
   FROM region.pictures WHERE source_blob = $1 AND work = $2`,
);
// If several made the same result, the first is kept.
const insert = statement(
  'image-insert',
  `WITH judged AS MATERIALIZED (SELECT $3::uuid IS NULL OR ${withinCommitWindow('$3', '$7')} AS fresh), kept AS (
     INSERT INTO region.pictures (source_blob, work, blob_id, size, hash, mime_type)
     SELECT $1, $2, $3, $4, $5, $6 FROM judged WHERE fresh
     ON CONFLICT (source_blob, work) DO UPDATE SET used_at = clock_timestamp()
     RETURNING blob_id, size, hash, mime_type
   ), turned_away AS (
     INSERT INTO region.picture_leftovers (blob_id) SELECT $3 FROM judged WHERE NOT fresh
   )
   SELECT blob_id, size, hash, mime_type FROM kept`,
);
// Skips rows that are being written: two updates of the same rows must not wait for each other.
const touch = statement(
  'image-touch',
  `WITH used AS (
     SELECT p.source_blob, p.work FROM region.pictures p
     JOIN unnest($1::uuid[], $2::bytea[]) AS u (source_blob, work) USING (source_blob, work)
     FOR UPDATE OF p SKIP LOCKED
   )
   UPDATE region.pictures p SET used_at = clock_timestamp() FROM used u
   WHERE p.source_blob = u.source_blob AND p.work = u.work`,
);
const total = statement(
  'image-total',
  `SELECT coalesce(sum(${COST}), 0)::bigint AS bytes FROM region.pictures`,
);
const LEAVE = `left_behind AS (
     INSERT INTO region.picture_leftovers (blob_id) SELECT blob_id FROM gone WHERE blob_id IS NOT NULL
   )
   SELECT count(*)::int AS removed, coalesce(sum(${COST}), 0)::bigint AS bytes FROM gone`;
const evict = statement(
  'image-evict',
  `WITH oldest AS (
     SELECT source_blob, work, size, used_at FROM region.pictures ORDER BY used_at LIMIT ${MAX_CONCURRENT}
   ), ranked AS (
     SELECT source_blob, work,
            sum(${COST}) OVER (ORDER BY used_at, source_blob, work) - ${COST} AS before FROM oldest
   ), gone AS (
     DELETE FROM region.pictures p USING ranked r
     WHERE p.source_blob = r.source_blob AND p.work = r.work AND r.before < $1
     RETURNING p.blob_id, p.size
   ), ${LEAVE}`,
);
// Bytes that an object loses, by an upload, a delete or a merge, are in the trash.
const purge = statement(
  'image-purge',
  `WITH gone AS (
     DELETE FROM region.pictures p
     WHERE source_blob IN (SELECT t.blob_id FROM region.trash t, region.picture_progress
                           WHERE t.trashed_at >= purged_through - ${OVERLAP})
     RETURNING p.blob_id, p.size
   ), ${LEAVE}`,
);
const now = statement('image-now', 'SELECT clock_timestamp() AS now');
const advance = statement(
  'image-advance',
  'UPDATE region.picture_progress SET purged_through = GREATEST(purged_through, $1::timestamptz)',
);
const leftovers = statement(
  'image-leftovers',
  `SELECT blob_id FROM region.picture_leftovers
   WHERE left_at < (SELECT clock_timestamp()) - $1::bigint * interval '1 millisecond' ORDER BY left_at LIMIT ${MAX_CONCURRENT}`,
);
const forget = statement(
  'image-forget',
  'DELETE FROM region.picture_leftovers WHERE blob_id = ANY ($1::uuid[])',
);

interface Removed {
  readonly removed: number;
  readonly bytes: bigint;
}

export class ImageStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** `is_due`: its use should be noted. */
  async find(
    { sourceBlob, work }: ImageCacheKey,
    cancel?: AbortSignal,
  ): Promise<(ImageRow & { readonly is_due: boolean }) | undefined> {
    const [row] = await this.#region.query<ImageRow & { is_due: boolean }>(find, [sourceBlob, work], cancel);
    return row;
  }

  /** The row that is there now, which may be another gateway's. */
  async insert(
    { sourceBlob, work }: ImageCacheKey,
    image: ImageRow,
    commitWindowMs: number,
  ): Promise<ImageRow> {
    const { blob_id, size, hash, mime_type } = image;
    const values = [sourceBlob, work, blob_id, size, hash, mime_type, commitWindowMs];
    const [row] = await this.#region.query<ImageRow>(insert, values);
    if (row === undefined) throw commitWindowFault();
    return row;
  }

  async touch(names: readonly ImageCacheKey[]): Promise<void> {
    await this.#region.query(touch, [
      names.map(({ sourceBlob }) => sourceBlob),
      names.map(({ work }) => work),
    ]);
  }

  async totalBytes(): Promise<number> {
    const [row] = await this.#region.query<{ bytes: bigint }>(total, []);
    return Number(row?.bytes ?? 0);
  }

  /** Evicts the least recently used until this many bytes are free, in batches. */
  async evict(bytes: number): Promise<Removed> {
    return this.#removed(evict, [bytes]);
  }

  /** Evicts results whose source bytes have been replaced or deleted. */
  async purge(): Promise<Removed> {
    const [clock] = await this.#region.query<{ now: Date }>(now, []);
    const removed = await this.#removed(purge, []);
    await this.#region.query(advance, [clock?.now]);
    return removed;
  }

  /** Bytes that have belonged to no result for this long. */
  async leftovers(olderThanMs: number): Promise<BlobId[]> {
    const rows = await this.#region.query<{ blob_id: BlobId }>(leftovers, [olderThanMs]);
    return rows.map((row) => row.blob_id);
  }

  async forget(blobIds: readonly BlobId[]): Promise<void> {
    await this.#region.query(forget, [blobIds]);
  }

  async #removed(statementOf: typeof purge, values: readonly unknown[]): Promise<Removed> {
    const [row] = await this.#region.query<Removed>(statementOf, values);
    return row ?? { removed: 0, bytes: 0n };
  }
}
