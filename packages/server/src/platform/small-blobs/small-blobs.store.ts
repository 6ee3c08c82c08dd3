/** SQL of where the bytes of small blobs are: in the inbox, or at a place in a pack. */
import { type BlobId, isSmallBlob, slotOfBlob } from '@millpond/blobs';
import { BatchedReads } from '../db/batched-reads.ts';
import { type Database, statement } from '../db/database.ts';

/** As many as the migrations made. */
export const SLOTS = 8;

/** The bytes, or their place; one of the two. */
export interface SmallRow {
  readonly key: string;
  readonly bytes: Buffer | null;
  readonly pack_id: BlobId | null;
  readonly at: number | null;
  readonly size: number | null;
}

export interface InboxState {
  readonly slot: number;
  readonly bytes: bigint;
  /** Connected is a process of a version that would look for small blobs in the engine. */
  readonly has_old_reader: boolean;
}

// One statement for each slot: over all of them, a plan would lock every slot and its index for each read.
const find = Array.from({ length: SLOTS }, (_, slot) =>
  statement(
    `small-find-${slot}`,
    `SELECT id AS key, i.bytes, k.pack_id, p.at, p.size
     FROM unnest($2::uuid[]) AS id
     LEFT JOIN region.inbox_${slot} i ON i.slot = $1 AND i.blob_id = id
     LEFT JOIN region.packed p ON p.blob_id = id
     LEFT JOIN region.packs k ON k.pack = p.pack
     WHERE i.bytes IS NOT NULL OR k.pack_id IS NOT NULL`,
  ),
);
const inbox = statement(
  'small-inbox',
  `SELECT slot, (SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits
                 WHERE inhparent = 'region.inbox'::regclass)::bigint AS bytes,
          EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
                  AND application_name IN ('millpond region', 'millpond region aside')) AS has_old_reader
   FROM region.inbox_turn`,
);
// Changes of packs take turns: the place of a blob and the count of its pack then never disagree.
export const lockPacks = statement('packs-turn', `SELECT pg_advisory_xact_lock(hashtext('millpond packs'))`);
const remove = statement(
  'small-remove',
  `WITH gone AS (
     DELETE FROM region.packed WHERE blob_id = ANY ($1::uuid[]) RETURNING pack, size
   ), freed AS (
     SELECT pack, sum(size)::integer AS size, count(*)::integer AS blobs FROM gone GROUP BY pack
   )
   UPDATE region.packs k SET live_bytes = live_bytes - freed.size, live_blobs = live_blobs - freed.blobs FROM freed WHERE k.pack = freed.pack`,
);

export class SmallStore {
  readonly #region: Database;
  readonly #reads: readonly BatchedReads<SmallRow>[];

  constructor(region: Database) {
    this.#region = region;
    this.#reads = find.map((each) => new BatchedReads<SmallRow>(region, each));
  }

  async find(id: BlobId, cancel?: AbortSignal): Promise<SmallRow | undefined> {
    const slot = slotOfBlob(id);
    const read = () => this.#reads[slot]?.find(BigInt(slot), id, cancel);
    // Emptying a slot is seen at once, also by a statement that began before its rows were packed. The next one sees both.
    return (await read()) ?? (await read());
  }

  async inbox(): Promise<InboxState> {
    const [row] = await this.#region.query<InboxState>(inbox, []);
    if (row === undefined) throw new Error('region.inbox_turn has no row');
    return row;
  }

  /** Only of those that are packed: what is in the inbox stays until it is. */
  async remove(ids: readonly BlobId[]): Promise<void> {
    if (!ids.every(isSmallBlob)) throw new Error('only small blobs are removed here');
    await this.#region.transaction(async (transaction) => {
      await transaction.query(lockPacks, []);
      await transaction.query(remove, [ids]);
    });
  }
}
