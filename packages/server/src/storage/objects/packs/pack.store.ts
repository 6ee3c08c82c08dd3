/** SQL of packs: which blobs are where in them, and which of them have holes. */
import type { BlobId } from '@millpond/blobs';
import { MIB } from '@millpond/protocol';
import { type Database, type Statement, statement } from '../../../platform/db/database.ts';
import { lockPacks } from '../../../platform/small-blobs/index.ts';
import { withinCommitWindow } from '../commit/freshness.ts';

/** Size of one engine blob: large enough that the engine has few, small enough to be rewritten at once. */
export const PACK_BYTES = 8 * MIB;

/** A blob at its place in a pack. */
export interface PackEntry {
  readonly blob_id: BlobId;
  readonly at: number;
  readonly size: number;
}

export interface NewPack {
  readonly packId: BlobId;
  readonly size: number;
  readonly blobs: readonly PackEntry[];
}

/** What became of a new pack. */
export interface PlaceResult {
  /** Blobs that are in it now. 0: nothing names it. */
  readonly blobs: number;
  /** Old packs that are gone. */
  readonly dropped: number;
}

export interface PackRow {
  readonly pack: number;
  readonly pack_id: BlobId;
  readonly size: number;
}

export interface PackStats {
  readonly packs: number;
  readonly bytes: number;
  readonly liveBytes: number;
}

const GIVEN = 'unnest($3::uuid[], $4::integer[], $5::integer[]) AS given (blob_id, at, size)';
// A pack that the sweep may have taken for nobody's is not named any more.
const NEXT = `next AS MATERIALIZED (
     SELECT nextval(pg_get_serial_sequence('region.packs', 'pack'))::integer AS pack WHERE ${withinCommitWindow('$1', '$6')}
   )`;
const ADDED = `added AS (
     INSERT INTO region.packs (pack, pack_id, size, live_bytes, live_blobs) OVERRIDING SYSTEM VALUE
     SELECT next.pack, $1, $2, live.bytes, live.blobs
     FROM next, (SELECT sum(size)::integer AS bytes, count(*)::integer AS blobs FROM placed) AS live
     WHERE live.blobs > 0
   )`;
// What another packer has placed meanwhile stays where that one put it.
const add = statement(
  'pack-add',
  `WITH ${NEXT}, placed AS (
     INSERT INTO region.packed (blob_id, pack, at, size)
     SELECT given.blob_id, next.pack, given.at, given.size FROM next, ${GIVEN}
     ON CONFLICT (blob_id) DO NOTHING RETURNING size
   ), ${ADDED}
   SELECT count(*)::integer AS count FROM placed`,
);
// Blobs that were removed meanwhile are not brought back, and are garbage in the new pack from its beginning.
const replace = statement(
  'pack-replace',
  `WITH ${NEXT}, placed AS (
     UPDATE region.packed p SET pack = next.pack, at = given.at FROM next, ${GIVEN}
     WHERE p.blob_id = given.blob_id AND p.pack = ANY ($7::integer[]) RETURNING p.size
   ), ${ADDED}
   SELECT count(*)::integer AS count FROM placed`,
);
const drop = statement(
  'pack-drop',
  `WITH gone AS (
     DELETE FROM region.packs k WHERE pack = ANY ($1::integer[])
       AND NOT EXISTS (SELECT FROM region.packed p WHERE p.pack = k.pack OFFSET 0)
     RETURNING pack_id
   )
   INSERT INTO region.trash (blob_id, reason) SELECT pack_id, 'moved' FROM gone RETURNING blob_id`,
);
const fragmented = statement(
  'packs-holed',
  `SELECT pack, pack_id, size FROM region.packs WHERE live_bytes::bigint * 10 < size::bigint * 7 OR live_blobs = 0
   ORDER BY pack LIMIT $1`,
);
const undersized = statement(
  'packs-small',
  'SELECT pack, pack_id, size FROM region.packs WHERE size < 1048576 ORDER BY pack LIMIT $1',
);
const contents = statement(
  'pack-contents',
  'SELECT blob_id, at, size FROM region.packed WHERE pack = $1 ORDER BY at, blob_id',
);
const figures = statement(
  'pack-figures',
  `SELECT count(*)::float8 AS packs, coalesce(sum(size), 0)::float8 AS bytes, coalesce(sum(live_bytes), 0)::float8 AS "liveBytes"
   FROM region.packs`,
);

export class PackStore {
  readonly #region: Database;
  readonly #commitWindowMs: number;

  constructor(region: Database, commitWindowMs: number) {
    this.#region = region;
    this.#commitWindowMs = commitWindowMs;
  }

  /** Names the pack, unless another packer was faster or the pack is too old. */
  add(pack: NewPack): Promise<PlaceResult> {
    return this.#place(add, pack, []);
  }

  /** Names the pack as the new place of blobs in others, which are then dropped. */
  replace(pack: NewPack, old: readonly number[]): Promise<PlaceResult> {
    return this.#place(replace, pack, [old], old);
  }

  /** Drops those of these packs in which nothing is left: their bytes go to the trash, because readers may be on their way to them. */
  async drop(packs: readonly number[]): Promise<number> {
    return this.#region.transaction(async (transaction) => {
      await transaction.query(lockPacks, []);
      return (await transaction.query(drop, [packs])).length;
    });
  }

  fragmented(most: number): Promise<PackRow[]> {
    return this.#region.query<PackRow>(fragmented, [most]);
  }

  /** Those of less than 1 MiB. */
  undersized(most: number): Promise<PackRow[]> {
    return this.#region.query<PackRow>(undersized, [most]);
  }

  contents(pack: number): Promise<PackEntry[]> {
    return this.#region.query<PackEntry>(contents, [pack]);
  }

  async figures(): Promise<PackStats> {
    const [row] = await this.#region.query<PackStats>(figures, []);
    if (row === undefined) throw new Error('a count gave no row');
    return row;
  }

  #place(
    how: Statement,
    { packId, size, blobs }: NewPack,
    more: readonly unknown[],
    old: readonly number[] = [],
  ): Promise<PlaceResult> {
    const all = <Key extends keyof PackEntry>(key: Key) => blobs.map((blob) => blob[key]);
    const values = [packId, size, all('blob_id'), all('at'), all('size'), this.#commitWindowMs, ...more];
    return this.#region.transaction(async (transaction) => {
      await transaction.query(lockPacks, []);
      const [row] = await transaction.query<{ count: number }>(how, values);
      const gone = old.length === 0 ? [] : await transaction.query(drop, [old]);
      return { blobs: row?.count ?? 0, dropped: gone.length };
    });
  }
}
