/** SQL of the trash and of the sweep. */
import type { BlobId } from '../../platform/blobs/index.ts';
import { type Database, statement } from '../../platform/db/database.ts';

export interface TrashRow {
  readonly trash_id: bigint;
  readonly blob_id: BlobId;
  readonly segment_count: number;
}

// Nothing names the bytes, and what let them go last has had its grace: of objects that shared them, one may have gone
// long before the other.
const NOBODYS = `NOT EXISTS (SELECT FROM region.objects o WHERE o.blob_id = t.blob_id)
     AND NOT EXISTS (SELECT FROM region.segments s WHERE s.segment_id = t.blob_id AND s.blob_id <> t.blob_id)
     AND NOT EXISTS (SELECT FROM region.trash later WHERE later.blob_id = t.blob_id AND later.reason <> 'refused'
                     AND later.trashed_at >= clock_timestamp() - $1::bigint * interval '1 millisecond')`;
// A task that has not ended works on the bytes as they were at its submission. They stay in the trash meanwhile: nothing
// else would remember to remove them.
const UNPINNED = `NOT EXISTS (SELECT FROM region.tasks p WHERE p.blob_id = t.blob_id AND p.code IN (1, 2))`;
// Closes the way back: from here on nothing that isn't under way already can name the bytes. Bytes that were turned away
// at their commit were never anybody's and need no grace. Rows that an undelete holds are left alone.
const claim = statement(
  'trash-claim',
  `WITH due AS (
     SELECT trash_id FROM region.trash t
     WHERE trashed_at < clock_timestamp() - $1::bigint * interval '1 millisecond' AND ${NOBODYS} AND ${UNPINNED}
     ORDER BY trashed_at LIMIT $2 FOR UPDATE SKIP LOCKED
   ), refused AS (
     SELECT trash_id FROM region.trash t WHERE reason = 'refused' AND ${NOBODYS} AND ${UNPINNED}
     ORDER BY trash_id LIMIT $2 FOR UPDATE SKIP LOCKED
   )
   UPDATE region.trash SET collecting = true
   WHERE trash_id IN (SELECT trash_id FROM due UNION SELECT trash_id FROM refused)
   RETURNING trash_id`,
);
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
// Rows whose grace is over and whose bytes are still somebody's, or wait for a later row's grace, leave the trash: they
// would be looked at again for ever. So do those that a collector claimed too late and died before it knew.
const dropNamed = statement(
  'trash-drop-named',
  `DELETE FROM region.trash t
   WHERE trashed_at < clock_timestamp() - $1::bigint * interval '1 millisecond' AND NOT (${NOBODYS})`,
);
const namedBetween = statement(
  'sweep-named',
  `SELECT blob_id AS id FROM region.objects WHERE blob_id BETWEEN $1 AND $2
   UNION ALL SELECT blob_id FROM region.trash WHERE blob_id BETWEEN $1 AND $2
   UNION ALL SELECT segment_id FROM region.segments WHERE segment_id BETWEEN $1 AND $2
   UNION ALL SELECT segment_id FROM region.upload_parts WHERE segment_id BETWEEN $1 AND $2
   UNION ALL SELECT segment_id FROM region.upload_chunks WHERE segment_id BETWEEN $1 AND $2
   UNION ALL SELECT blob_id FROM region.pictures WHERE blob_id BETWEEN $1 AND $2
   UNION ALL SELECT blob_id FROM region.picture_leftovers WHERE blob_id BETWEEN $1 AND $2`,
);
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

  /** Rows whose bytes nobody can name any more; undefined when none is due. */
  async claim(graceMs: number, most: number): Promise<TrashRow[] | undefined> {
    const claimed = await this.#region.query<{ trash_id: bigint }>(claim, [graceMs, most]);
    if (claimed.length === 0) return undefined;
    const ids = claimed.map((row) => row.trash_id);
    const confirmed = await this.#region.query<TrashRow>(confirm, [graceMs, ids]);
    const sure = new Set(confirmed.map((row) => row.trash_id));
    const named = ids.filter((id) => !sure.has(id));
    if (named.length > 0) await this.#region.query(release, [named]);
    return confirmed;
  }

  async ownSegments(blobIds: readonly BlobId[]): Promise<BlobId[]> {
    const rows = await this.#region.query<{ segment_id: BlobId }>(ownSegments, [blobIds]);
    return rows.map((row) => row.segment_id);
  }

  async forget(rows: readonly TrashRow[]): Promise<void> {
    await this.#region.query(forget, [rows.map((row) => row.blob_id)]);
  }

  async dropNamed(graceMs: number): Promise<void> {
    await this.#region.query(dropNamed, [graceMs]);
  }

  /** Ids of engine objects that some row names, in a range of ids. */
  async namedBetween(first: BlobId, last: BlobId): Promise<Set<BlobId>> {
    const rows = await this.#region.query<{ id: BlobId }>(namedBetween, [first, last]);
    return new Set(rows.map((row) => row.id));
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
