/** SQL of the trash and of the sweep. */
import type { BlobId } from '@millpond/blobs';
import { type Database, statement } from '../../../platform/db/database.ts';

export interface TrashRow {
  readonly trash_id: bigint;
  readonly blob_id: BlobId;
  readonly segment_count: number;
}

/** Position of a walk through the trash. The time is text: a Date would lose its last digits. */
export interface TrashCursor {
  readonly trashed_at: string;
  readonly trash_id: bigint;
}

export interface TrashPage {
  readonly rows: readonly TrashRow[];
  /** Undefined after the last page. */
  readonly next: TrashCursor | undefined;
}

const BEGINNING: TrashCursor = { trashed_at: '-infinity', trash_id: 0n };

// Nothing names the bytes, and the last row that released them has had its grace period: of objects that shared them, one
// may have gone long before the other. OFFSET 0 keeps each check an index lookup: as a join it would read all objects.
const IS_UNREFERENCED = `NOT EXISTS (SELECT FROM region.objects o WHERE o.blob_id = t.blob_id OFFSET 0)
     AND NOT EXISTS (SELECT FROM region.segments s WHERE s.segment_id = t.blob_id AND s.blob_id <> t.blob_id OFFSET 0)
     AND NOT EXISTS (SELECT FROM region.trash later WHERE later.blob_id = t.blob_id AND later.reason <> 'refused'
                     AND later.trashed_at >= (SELECT clock_timestamp()) - $1::bigint * interval '1 millisecond' OFFSET 0)`;
// An unfinished task works on the bytes as they were when it was submitted. Until it ends they stay in the trash: nothing
// else would remember to remove them.
// The bytes of a small blob stay until they are packed: from the inbox nothing is removed by itself.
const IS_UNPINNED = `NOT EXISTS (SELECT FROM region.tasks p WHERE p.blob_id = t.blob_id AND p.code IN (1, 2) OFFSET 0)
     AND NOT (get_byte(uuid_send(t.blob_id), 6) >> 4 = 8
              AND EXISTS (SELECT FROM region.inbox i WHERE i.slot = region.blob_slot(t.blob_id) AND i.blob_id = t.blob_id OFFSET 0))`;
// A page of the trash, each row judged once. A claim rules out undelete: from here on only work already under way can name
// the bytes. Rows whose bytes are still in use, or wait for a later row's grace period, leave the trash: otherwise they
// would be examined again forever. Rows locked by an undelete are left alone.
const claimOf = (name: string, { page, order, drop }: { page: string; order: string; drop: string }) =>
  statement(
    name,
    `WITH due AS MATERIALIZED (
       SELECT trash_id, trashed_at, blob_id FROM region.trash t WHERE ${page}
       ORDER BY ${order} LIMIT $2 FOR UPDATE SKIP LOCKED
     ), judged AS MATERIALIZED (
       SELECT trash_id, trashed_at, ${IS_UNREFERENCED} AS is_nobodys, ${IS_UNPINNED} AS is_unpinned FROM due t
     ), dropped AS (
       DELETE FROM region.trash WHERE trash_id = ANY (ARRAY(SELECT trash_id FROM judged WHERE ${drop}))
     ), claimed AS (
       UPDATE region.trash SET collecting = true
       WHERE trash_id = ANY (ARRAY(SELECT trash_id FROM judged WHERE is_nobodys AND is_unpinned))
     )
     SELECT trash_id, trashed_at::text, is_nobodys AND is_unpinned AS is_claimed FROM judged t
     ORDER BY ${order}`,
  );
const claimDue = claimOf('trash-claim-due', {
  page: `trashed_at < (SELECT clock_timestamp()) - $1::bigint * interval '1 millisecond'
         AND (trashed_at, trash_id) > ($4::timestamptz, $3::bigint)`,
  order: 't.trashed_at, t.trash_id',
  drop: 'NOT is_nobodys',
});
// Bytes refused at their commit never belonged to anybody and need no grace period.
const claimRefused = claimOf('trash-claim-refused', {
  page: `reason = 'refused' AND trash_id > $3::bigint`,
  order: 't.trash_id',
  drop: 'false',
});
// The claim judged by its own snapshot, and an undelete may have finished since. Work that started after the claim is refused;
// work that finished before this statement is visible to it. Only now is it certain that the bytes belong to nobody.
const confirm = statement(
  'trash-confirm',
  `SELECT trash_id, blob_id, segment_count FROM region.trash t
   WHERE trash_id = ANY ($2::bigint[]) AND ${IS_UNREFERENCED} AND ${IS_UNPINNED}`,
);
const release = statement(
  'trash-release',
  'UPDATE region.trash SET collecting = false WHERE trash_id = ANY ($1::bigint[])',
);
// A segment that another blob also uses stays.
const ownSegments = statement(
  'trash-segments',
  `SELECT s.segment_id FROM region.segments s
   WHERE s.blob_id = ANY ($1::uuid[])
     AND NOT EXISTS (SELECT FROM region.segments other
                     WHERE other.segment_id = s.segment_id AND other.blob_id <> ALL ($1::uuid[]))`,
);
// All rows of these bytes go at once: a remaining row would claim that they can be brought back.
const forget = statement(
  'trash-forget',
  `WITH gone AS (DELETE FROM region.trash WHERE blob_id = ANY ($1::uuid[]))
   DELETE FROM region.segments WHERE blob_id = ANY ($1::uuid[])`,
);
const NAMES = [
  ['objects', 'blob_id'],
  ['trash', 'blob_id'],
  ['segments', 'segment_id'],
  ['upload_parts', 'segment_id'],
  ['upload_chunks', 'segment_id'],
  ['pictures', 'blob_id'],
  ['picture_leftovers', 'blob_id'],
  ['packs', 'pack_id'],
] as const;
const namedBetween = statement(
  'sweep-named-between',
  `SELECT id FROM (${NAMES.map(
    ([table, column]) =>
      `SELECT ${column} AS id FROM region.${table} WHERE ${column} BETWEEN $1::uuid AND $2::uuid`,
  ).join(' UNION ALL ')}) AS named LIMIT $3`,
);
// OFFSET 0 as above. Each id costs a lookup in every partition, so ranges are tried first.
const namedAmong = statement(
  'sweep-named-among',
  `SELECT id FROM unnest($1::uuid[]) AS id WHERE ${NAMES.map(
    ([table, column]) => `EXISTS (SELECT FROM region.${table} WHERE ${column} = id OFFSET 0)`,
  ).join(' OR ')}`,
);
/** If a page of the engine's list has more rows than this, they are copies, of which there may be any number. */
const MAX_NAMES = 10_000;
const progress = statement(
  'sweep-progress',
  `SELECT swept_through, clock_timestamp() - $1::bigint * interval '1 millisecond' AS due FROM region.sweep_progress`,
);
const advance = statement(
  'sweep-advance',
  'UPDATE region.sweep_progress SET swept_through = GREATEST(swept_through, $1::timestamptz)',
);

export class TrashStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** From the next rows whose grace period is over, claims those whose bytes nobody can name any more. */
  claimDue(graceMs: number, most: number, after: TrashCursor | undefined): Promise<TrashPage> {
    const { trash_id: id, trashed_at: time } = after ?? BEGINNING;
    return this.#claim(claimDue, [graceMs, most, id, time]);
  }

  /** The same for refused bytes, which have no grace period. */
  claimRefused(graceMs: number, most: number, after: TrashCursor | undefined): Promise<TrashPage> {
    return this.#claim(claimRefused, [graceMs, most, after?.trash_id ?? 0n]);
  }

  async #claim(
    claim: ReturnType<typeof claimOf>,
    values: readonly [graceMs: number, most: number, ...after: unknown[]],
  ): Promise<TrashPage> {
    const [graceMs, most] = values;
    const page = await this.#region.query<TrashCursor & { readonly is_claimed: boolean }>(claim, values);
    const ids = page.filter((row) => row.is_claimed).map((row) => row.trash_id);
    const rows = ids.length === 0 ? [] : await this.#region.query<TrashRow>(confirm, [graceMs, ids]);
    const sure = new Set(rows.map((row) => row.trash_id));
    const named = ids.filter((id) => !sure.has(id));
    if (named.length > 0) await this.#region.query(release, [named]);
    return { rows, next: page.length < most ? undefined : page.at(-1) };
  }

  async ownSegments(blobIds: readonly BlobId[]): Promise<BlobId[]> {
    const rows = await this.#region.query<{ segment_id: BlobId }>(ownSegments, [blobIds]);
    return rows.map((row) => row.segment_id);
  }

  async forget(rows: readonly TrashRow[]): Promise<void> {
    await this.#region.query(forget, [rows.map((row) => row.blob_id)]);
  }

  /** Which of these engine objects, given in order of their ids, are named by some row. */
  async named(ids: readonly BlobId[]): Promise<Set<BlobId>> {
    const range = [ids[0], ids.at(-1), MAX_NAMES];
    const rows = await this.#region.query<{ id: BlobId }>(namedBetween, range);
    const whole =
      rows.length < MAX_NAMES ? rows : await this.#region.query<{ id: BlobId }>(namedAmong, [ids]);
    return new Set(whole.map((row) => row.id));
  }

  /** The time range that the next sweep has to cover, by the database's clock. */
  async sweepRange(ageMs: number): Promise<{ from: Date; to: Date }> {
    const [row] = await this.#region.query<{ swept_through: Date; due: Date }>(progress, [ageMs]);
    if (row === undefined) throw new Error('region.sweep_progress has no row');
    return { from: row.swept_through, to: row.due };
  }

  async advanceSweep(to: Date): Promise<void> {
    await this.#region.query(advance, [to]);
  }
}
