/** SQL of the inbox as the packer sees it: whose turn it is, what waits in a slot, and emptying it. */
import type { BlobId } from '@millpond/blobs';
import { type Database, statement, type Transaction } from '../../../platform/db/database.ts';
import { isSqlState } from '../../../platform/db/sqlstate.ts';
import { SLOTS } from '../../../platform/small-blobs/index.ts';

export interface SlotState {
  readonly slot: number;
  /** New bytes go into it. */
  readonly is_open: boolean;
  readonly is_empty: boolean;
  readonly bytes: bigint;
  /** For how long all that was in it has been packed, in milliseconds; null if something may not be. */
  readonly packed_ms: number | null;
  /** How long ago the oldest in it came, in milliseconds; 0 if it is empty. */
  readonly oldest_ms: number;
}

export interface WaitingBlob {
  readonly blob_id: BlobId;
  readonly size: number;
}

const slots = statement(
  'inbox-slots',
  Array.from(
    { length: SLOTS },
    (_, slot) => `
     SELECT ${slot} AS slot, turn.slot = ${slot} AS is_open, oldest IS NULL AS is_empty,
            pg_total_relation_size('region.inbox_${slot}') AS bytes,
            (extract(epoch FROM clock_timestamp() - packed_at) * 1000)::float8 AS packed_ms,
            GREATEST(0, extract(epoch FROM clock_timestamp() - region.blob_time(oldest)) * 1000)::float8 AS oldest_ms
     FROM region.inbox_turn turn, region.inbox_slots slots,
          (SELECT (SELECT blob_id FROM region.inbox_${slot} ORDER BY slot, blob_id LIMIT 1) AS oldest) AS first
     WHERE slots.slot = ${slot}`,
  ).join(' UNION ALL '),
);
const turn = statement('inbox-turn', 'UPDATE region.inbox_turn SET slot = $2 WHERE slot = $1 RETURNING slot');
const notePacked = statement(
  'inbox-note-packed',
  'UPDATE region.inbox_slots SET packed_at = clock_timestamp() WHERE slot = $1',
);
const noteEmpty = statement(
  'inbox-note-empty',
  'UPDATE region.inbox_slots SET packed_at = NULL WHERE slot = $1',
);
// OFFSET 0 keeps the check a lookup for each row: what is not packed yet may be all of them or one.
const NOT_PACKED = 'NOT EXISTS (SELECT FROM region.packed p WHERE p.blob_id = i.blob_id OFFSET 0)';
const ofEachSlot = (make: (slot: number) => ReturnType<typeof statement>) =>
  Array.from({ length: SLOTS }, (_, slot) => make(slot));
const waiting = ofEachSlot((slot) =>
  statement(
    `inbox-waiting-${slot}`,
    `SELECT blob_id, octet_length(bytes) AS size FROM region.inbox_${slot} i
     WHERE blob_id > $1 AND ${NOT_PACKED} ORDER BY blob_id LIMIT $2`,
  ),
);
const bytes = ofEachSlot((slot) =>
  statement(
    `inbox-bytes-${slot}`,
    `SELECT string_agg(bytes, '' ORDER BY blob_id) AS bytes FROM region.inbox_${slot} WHERE blob_id = ANY ($1::uuid[])`,
  ),
);
const hasWaiting = ofEachSlot((slot) =>
  statement(
    `inbox-has-waiting-${slot}`,
    `SELECT EXISTS (SELECT FROM region.inbox_${slot} i WHERE ${NOT_PACKED}) OR EXISTS (
       SELECT FROM region.inbox_slots WHERE slot = ${slot}
         AND (packed_at IS NULL OR packed_at > clock_timestamp() - $1::bigint * interval '1 millisecond')) AS waits`,
  ),
);
// Whoever reads or writes the slot meanwhile waits behind this, so it gives up soon; a backup may hold the table for hours.
const lockSoon = statement('inbox-lock-soon', `SELECT set_config('lock_timeout', '200ms', true)`);
const lock = ofEachSlot((slot) =>
  statement(`inbox-lock-${slot}`, `LOCK TABLE region.inbox_${slot} IN ACCESS EXCLUSIVE MODE`),
);
const truncate = ofEachSlot((slot) => statement(`inbox-truncate-${slot}`, `TRUNCATE region.inbox_${slot}`));
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export class InboxStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  slots(): Promise<SlotState[]> {
    return this.#region.query<SlotState>(slots, []);
  }

  /** False if another process was faster. */
  async turn(from: number, to: number): Promise<boolean> {
    return (await this.#region.query(turn, [from, to])).length === 1;
  }

  /** What is in the slot and in no pack, by ascending id. */
  waiting(slot: number, after: BlobId | undefined, most: number): Promise<WaitingBlob[]> {
    return this.#region.query<WaitingBlob>(of(waiting, slot), [after ?? FIRST_ID, most]);
  }

  /** The bytes of these, one after the other in the order of their ids. */
  async bytes(slot: number, ids: readonly BlobId[]): Promise<Buffer> {
    const [row] = await this.#region.query<{ bytes: Buffer | null }>(of(bytes, slot), [ids]);
    return row?.bytes ?? Buffer.alloc(0);
  }

  /** All that could be found in the slot is packed. */
  async notePacked(slot: number): Promise<void> {
    await this.#region.query(notePacked, [slot]);
  }

  /** False if something in it was not packed this long ago, or the table is in use. */
  async empty(slot: number, packedForMs: number): Promise<boolean> {
    try {
      return await this.#region.transaction((transaction) => emptyOn(transaction, slot, packedForMs));
    } catch (error) {
      if (isSqlState(error, 'lockNotAvailable')) return false;
      throw error;
    }
  }
}

/** Under the lock nobody adds anything: what was looked at is all there is. */
async function emptyOn(transaction: Transaction, slot: number, packedForMs: number): Promise<boolean> {
  await transaction.query(lockSoon, []);
  await transaction.query(of(lock, slot), []);
  const [row] = await transaction.query<{ waits: boolean }>(of(hasWaiting, slot), [packedForMs]);
  if (row?.waits !== false) return false;
  await transaction.query(of(truncate, slot), []);
  await transaction.query(noteEmpty, [slot]);
  return true;
}

function of(each: readonly ReturnType<typeof statement>[], slot: number): ReturnType<typeof statement> {
  const found = each[slot];
  if (found === undefined) throw new Error(`the inbox has no slot ${slot}`);
  return found;
}
