/** SQL of the trash and of the sweep. */
import type { BlobId } from '../../../platform/blobs/index.ts';
import { type Database, statement } from '../../../platform/db/database.ts';

export interface TrashRow {
  readonly trash_id: bigint;
  readonly blob_id: BlobId;
  readonly segment_count: number;
}

/** Where a walk through the trash is. The time as text: a Date would lose its last digits. */
export interface TrashPlace {
  readonly trashed_at: string;
  readonly trash_id: bigint;
}

export interface TrashPage {
  readonly rows: readonly TrashRow[];
  /** Undefined after the last page. */
  readonly next: TrashPlace | undefined;
}

const BEGINNING: TrashPlace = { trashed_at: '-infinity', trash_id: 0n };

// Nothing names the bytes, and what let them go last has had its grace: of objects that shared them, one may have gone
// long before the other. OFFSET 0 keeps each of these a look into an index: as a join it would read all objects there are.
const NOBODYS = `NOT EXISTS (SELECT FROM region.objects o WHERE o.blob_id = t.blob_id OFFSET 0)
     AND NOT EXISTS (SELECT FROM region.segments s WHERE s.segment_id = t.blob_id AND s.blob_id <> t.blob_id OFFSET 0)
     AND NOT EXISTS (SELECT FROM region.trash later WHERE later.blob_id = t.blob_id AND later.reason <> 'refused'
                     AND later.trashed_at >= (SELECT clock_timestamp()) - $1::bigint * interval '1 millisecond' OFFSET 0)`;
// A task that has not ended works on the bytes as they were at its submission. They stay in the trash meanwhile: nothing
// else would remember to remove them.
const UNPINNED = `NOT EXISTS (SELECT FROM region.tasks p WHERE p.blob_id = t.blob_id AND p.code IN (1, 2) OFFSET 0)`;
// A page of the trash, each row judged once. A claim closes the way back: from here on nothing that isn't under way already
// can name the bytes. Rows whose bytes are still somebody's, or wait for a later row's grace, leave the trash: they would be
// looked at again for ever. Rows that an undelete holds are left alone.
const claimOf = (name: string, { page, order, drop }: { page: string; order: string; drop: string }) =>
  statement(
    name,
    `WITH due AS MATERIALIZED (
       SELECT trash_id, trashed_at, blob_id FROM region.trash t WHERE ${page}
       ORDER BY ${order} LIMIT $2 FOR UPDATE SKIP LOCKED
     ), judged AS MATERIALIZED (
       SELECT trash_id, trashed_at, ${NOBODYS} AS is_nobodys, ${UNPINNED} AS is_unpinned FROM due t
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
// Bytes that were turned away at their commit were never anybody's and need no grace.
const claimRefused = claimOf('trash-claim-refused', {
  page: `reason = 'refused' AND trash_id > $3::bigint`,
  order: 't.trash_id',
  drop: 'false',
});
// The claim judged by what it saw when it began, and an undelete may have ended since. What began after the claim finds
// the way closed; what ended before this statement is seen by it: only now is it sure that the bytes are nobody's.
const confirm = statement(
  'trash-confirm',
  `SELECT trash_id, blob_id, segment_count FROM region.trash t
   WHERE trash_id = ANY ($2::bigint[]) AND ${NOBODYS} AND ${UNPINNED}`,
);
const release = statement(
  'trash-release',
  'UPDATE region.trash SET collecting = false WHERE trash_id = ANY ($1::bigint[])',
);
// A segment that another blob uses as well stays.
const ownSegments = statement(
  'trash-segments',
  `SELECT s.segment_id FROM region.segments s
   WHERE s.blob_id = ANY ($1::uuid[])
     AND NOT EXISTS (SELECT FROM region.segments other
                     WHERE other.segment_id = s.segment_id AND other.blob_id <> ALL ($1::uuid[]))`,
);
// All rows of these bytes go at once: one that stayed would say that they can be brought back.
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
] as const;
const namedBetween = statement(
  'sweep-named-between',
  `SELECT id FROM (${NAMES.map(
    ([table, column]) =>
      `SELECT ${column} AS id FROM region.${table} WHERE ${column} BETWEEN $1::uuid AND $2::uuid`,
  ).join(' UNION ALL ')}) AS named LIMIT $3`,
);
// OFFSET 0 as above. Each id costs a look into every partition, so ranges are asked for first.
const namedAmong = statement(
  'sweep-named-among',
  `SELECT id FROM unnest($1::uuid[]) AS id WHERE ${NAMES.map(
    ([table, column]) => `EXISTS (SELECT FROM region.${table} WHERE ${column} = id OFFSET 0)`,
  ).join(' OR ')}`,
);
/** More rows than this for a page of the engine's list: then they are copies, of which there may be any number. */
const MOST_NAMES = 10_000;
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

  /** Of the next rows whose grace is over: those whose bytes nobody can name any more. */
  claimDue(graceMs: number, most: number, after: TrashPlace | undefined): Promise<TrashPage> {
    const { trash_id: id, trashed_at: time } = after ?? BEGINNING;
    return this.#claim(claimDue, [graceMs, most, id, time]);
  }

  /** The same of bytes that were turned away, which have no grace. */
  claimRefused(graceMs: number, most: number, after: TrashPlace | undefined): Promise<TrashPage> {
    return this.#claim(claimRefused, [graceMs, most, after?.trash_id ?? 0n]);
  }

  async #claim(
    claim: ReturnType<typeof claimOf>,
    values: readonly [graceMs: number, most: number, ...after: unknown[]],
  ): Promise<TrashPage> {
    const [graceMs, most] = values;
    const page = await this.#region.query<TrashPlace & { readonly is_claimed: boolean }>(claim, values);
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

  /** Those of these engine objects, in the order of their ids, that some row names. */
  async named(ids: readonly BlobId[]): Promise<Set<BlobId>> {
    const range = [ids[0], ids.at(-1), MOST_NAMES];
    const rows = await this.#region.query<{ id: BlobId }>(namedBetween, range);
    const whole =
      rows.length < MOST_NAMES ? rows : await this.#region.query<{ id: BlobId }>(namedAmong, [ids]);
    return new Set(whole.map((row) => row.id));
  }

  /** From when to when the next sweep has to look, by the database's clock. */
  async sweepRange(ageMs: number): Promise<{ from: Date; to: Date }> {
    const [row] = await this.#region.query<{ swept_through: Date; due: Date }>(progress, [ageMs]);
    if (row === undefined) throw new Error('region.sweep_progress has no row');
    return { from: row.swept_through, to: row.due };
  }

  async advanceSweep(to: Date): Promise<void> {
    await this.#region.query(advance, [to]);
  }
}
