/** SQL of the trash and of the sweep. */
import type { BlobId } from '../../platform/blobs/index.ts';
import { type Database, statement } from '../../platform/db/database.ts';

export interface TrashRow {
  readonly trash_id: bigint;
  readonly blob_id: BlobId;
  readonly segment_count: number;
}

// Whether bytes may go is decided here, in the statement that closes the way back: nothing can name them afterwards.
// Bytes that were turned away at their commit were never anybody's and need no grace.
const claim = statement(
  'trash-claim',
  `UPDATE region.trash SET collecting = true
   WHERE trash_id IN (
     (SELECT trash_id FROM region.trash t
      WHERE trashed_at < clock_timestamp() - $1::bigint * interval '1 millisecond'
        AND NOT EXISTS (SELECT FROM region.objects o WHERE o.blob_id = t.blob_id)
      ORDER BY trashed_at LIMIT $2)
     UNION
     (SELECT trash_id FROM region.trash WHERE reason = 'refused' ORDER BY trash_id LIMIT $2))
   RETURNING trash_id, blob_id, segment_count`,
);
// A segment that another blob uses as well stays.
const ownSegments = statement(
  'trash-segments',
  `SELECT s.segment_id FROM region.segments s
   WHERE s.blob_id = ANY ($1::uuid[])
     AND NOT EXISTS (SELECT FROM region.segments other
                     WHERE other.segment_id = s.segment_id AND other.blob_id <> ALL ($1::uuid[]))`,
);
const forget = statement(
  'trash-forget',
  `WITH gone AS (DELETE FROM region.trash WHERE trash_id = ANY ($1::bigint[]) RETURNING blob_id)
   DELETE FROM region.segments WHERE blob_id IN (SELECT blob_id FROM gone)`,
);
// Rows whose bytes are still an object's leave the trash, or they would be looked at again for ever.
const dropNamed = statement(
  'trash-drop-named',
  `DELETE FROM region.trash t
   WHERE trashed_at < clock_timestamp() - $1::bigint * interval '1 millisecond' AND NOT collecting
     AND EXISTS (SELECT FROM region.objects o WHERE o.blob_id = t.blob_id)`,
);
const namedBetween = statement(
  'sweep-named',
  `SELECT blob_id AS id FROM region.objects WHERE blob_id BETWEEN $1 AND $2
   UNION ALL SELECT blob_id FROM region.trash WHERE blob_id BETWEEN $1 AND $2
   UNION ALL SELECT segment_id FROM region.segments WHERE segment_id BETWEEN $1 AND $2
   UNION ALL SELECT segment_id FROM region.upload_parts WHERE segment_id BETWEEN $1 AND $2
   UNION ALL SELECT segment_id FROM region.upload_chunks WHERE segment_id BETWEEN $1 AND $2`,
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

  claim(graceMs: number, most: number): Promise<TrashRow[]> {
    return this.#region.query<TrashRow>(claim, [graceMs, most]);
  }

  async ownSegments(blobIds: readonly BlobId[]): Promise<BlobId[]> {
    const rows = await this.#region.query<{ segment_id: BlobId }>(ownSegments, [blobIds]);
    return rows.map((row) => row.segment_id);
  }

  async forget(rows: readonly TrashRow[]): Promise<void> {
    await this.#region.query(forget, [rows.map((row) => row.trash_id)]);
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
