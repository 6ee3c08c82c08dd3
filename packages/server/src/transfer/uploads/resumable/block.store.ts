/** SQL of uploads in blocks (v1). A block is filled chunk by chunk; a chunk is an engine object. */
import type { BlobId } from '@millpond/blobs';
import { type Database, type Queryable, statement } from '../../../platform/db/database.ts';
import { commitWindowFault, ROOM_FOR_MORE, withinCommitWindow } from '../../../storage/objects/index.ts';
import { UPLOAD_LIFE_DAYS } from '../../limits.ts';
import { type CompletedUpload, completionValues, insertCompletionSql } from './completed.store.ts';

export interface BlockRow {
  readonly block_id: string;
  readonly block_size: number;
  readonly filled: number;
  readonly sha1: Buffer;
  readonly class: number;
  /** Unix seconds. */
  readonly expire_at: number;
}

/** A block as seen by its next chunk. */
export interface FoundBlock extends BlockRow {
  /** The quota of its bucket is used up. */
  readonly is_full: boolean;
}

export interface ChunkRow {
  readonly block_id: string;
  readonly at: number;
  readonly segment_id: BlobId;
  readonly size: number;
}

export interface NewChunk {
  readonly segmentId: BlobId;
  readonly size: number;
  /** SHA-1 of the block up to and including this chunk. */
  readonly sha1: Uint8Array;
}

export interface NewBlock {
  /** The bucket of its token; the file made of it may still go to another. */
  readonly bucketId: bigint;
  readonly blockSize: number;
  readonly storageClass: number;
}

type Appended = { readonly fresh: boolean } & (BlockRow | { readonly block_id: null });

const COLUMNS =
  'block_id, block_size, filled, sha1, class, floor(extract(epoch FROM expires_at))::float8 AS expire_at';

const begin = statement(
  'block-begin',
  `WITH judged AS MATERIALIZED (
     SELECT ${withinCommitWindow('$6', '$7')} AS fresh,
       NOT EXISTS (SELECT FROM region.bucket_gate WHERE bucket_id = $8 AND ${ROOM_FOR_MORE} <= 0) AS has_room
   ), block AS (
     INSERT INTO region.upload_blocks (block_id, uid, bucket_id, block_size, filled, sha1, class, expires_at)
     SELECT gen_random_uuid(), $1, $8, $2, $3, $4, $5, now() + interval '${UPLOAD_LIFE_DAYS} days' FROM judged WHERE fresh AND has_room
     RETURNING *
   ), chunk AS (
     INSERT INTO region.upload_chunks (block_id, at, segment_id, size) SELECT block_id, 0, $6, $3 FROM block
   ), turned_away AS (
     INSERT INTO region.trash (blob_id, reason) SELECT $6, 'refused' FROM judged WHERE NOT (fresh AND has_room)
   )
   SELECT fresh, ${COLUMNS} FROM judged LEFT JOIN block ON true`,
);
const find = statement(
  'block-find',
  `SELECT ${COLUMNS},
     EXISTS (SELECT FROM region.bucket_gate g WHERE g.bucket_id = upload_blocks.bucket_id AND ${ROOM_FOR_MORE} <= 0) AS is_full
   FROM region.upload_blocks WHERE block_id = ANY ($1::uuid[]) AND uid = $2 AND expires_at > now()`,
);
// One of two appends at the same position finds the block unchanged; the other's bytes are discarded.
const append = statement(
  'block-append',
  `WITH judged AS MATERIALIZED (SELECT ${withinCommitWindow('$3', '$6')} AS fresh), block AS (
     UPDATE region.upload_blocks SET filled = filled + $4, sha1 = $5
     WHERE block_id = $1 AND filled = $2 AND filled + $4 <= block_size AND expires_at > now()
       AND (SELECT fresh FROM judged) RETURNING *
   ), chunk AS (
     INSERT INTO region.upload_chunks (block_id, at, segment_id, size) SELECT block_id, $2, $3, $4 FROM block
   ), turned_away AS (
     INSERT INTO region.trash (blob_id, reason) SELECT $3, 'refused' WHERE NOT EXISTS (SELECT FROM block)
   )
   SELECT fresh, ${COLUMNS} FROM judged LEFT JOIN block ON true`,
);
const chunks = statement(
  'block-chunks',
  'SELECT block_id, at, segment_id, size FROM region.upload_chunks WHERE block_id = ANY ($1::uuid[]) ORDER BY block_id, at',
);
const lock = statement(
  'block-lock',
  'SELECT block_id FROM region.upload_blocks WHERE block_id = ANY ($1::uuid[]) ORDER BY block_id FOR UPDATE',
);
const end = statement(
  'block-end',
  `WITH gone AS (
     DELETE FROM region.upload_chunks WHERE block_id = ANY ($1::uuid[]) RETURNING segment_id
   ), given_up AS (
     INSERT INTO region.trash (blob_id, reason) SELECT segment_id, 'refused' FROM gone WHERE NOT $2
   )
   SELECT count(*) FROM gone`,
);
const forget = statement(
  'block-forget',
  'DELETE FROM region.upload_blocks WHERE block_id = ANY ($1::uuid[])',
);
const complete = statement(
  'block-complete',
  `WITH gone AS (DELETE FROM region.upload_blocks WHERE block_id = ANY ($1::uuid[]) RETURNING block_id), kept AS (
     ${insertCompletionSql('gone')}
   )
   SELECT count(*) FROM gone`,
);
const expired = statement(
  'block-expired',
  `SELECT block_id FROM region.upload_blocks WHERE expires_at < now()
   ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED`,
);

export class BlockStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** Undefined if the bucket's quota is used up; the bytes of a block that was not started are in the trash. */
  async begin(
    uid: bigint,
    { bucketId, blockSize, storageClass }: NewBlock,
    chunk: NewChunk,
    commitWindowMs: number,
  ): Promise<BlockRow | undefined> {
    const { size, sha1, segmentId } = chunk;
    const values = [uid, blockSize, size, sha1, storageClass, segmentId, commitWindowMs, bucketId];
    const [row] = await this.#region.query<Appended>(begin, values);
    if (row?.fresh !== true) throw commitWindowFault();
    return row.block_id === null ? undefined : row;
  }

  find(blockIds: readonly string[], uid: bigint): Promise<FoundBlock[]> {
    return this.#region.query<FoundBlock>(find, [blockIds, uid]);
  }

  /** Undefined if the block is not filled up to `at`. The bytes of a chunk that was not appended are in the trash. */
  async append(
    blockId: string,
    at: number,
    chunk: NewChunk,
    commitWindowMs: number,
  ): Promise<BlockRow | undefined> {
    const values = [blockId, at, chunk.segmentId, chunk.size, chunk.sha1, commitWindowMs];
    const [row] = await this.#region.query<Appended>(append, values);
    if (row?.fresh !== true) throw commitWindowFault();
    return row.block_id === null ? undefined : row;
  }

  chunks(blockIds: readonly string[]): Promise<ChunkRow[]> {
    return this.#region.query<ChunkRow>(chunks, [blockIds]);
  }

  /** False if some of them are gone. */
  async lock(blockIds: readonly string[], on: Queryable): Promise<boolean> {
    return (await on.query(lock, [blockIds])).length === new Set(blockIds).size;
  }

  /** Ends locked blocks. `kept`: the chunks become an object's segments. */
  async complete(
    blockIds: readonly string[],
    kept: boolean,
    completed: CompletedUpload,
    on: Queryable,
  ): Promise<void> {
    await on.query(end, [blockIds, kept]);
    await on.query(complete, [blockIds, ...completionValues(completed)]);
  }

  /** Discards blocks that were not made into a file in time; returns their number. */
  async expire(most: number): Promise<number> {
    return this.#region.transaction(async (transaction) => {
      const rows = await transaction.query<{ block_id: string }>(expired, [most]);
      const ids = rows.map((row) => row.block_id);
      if (ids.length > 0) {
        await transaction.query(end, [ids, false]);
        await transaction.query(forget, [ids]);
      }
      return ids.length;
    });
  }
}
