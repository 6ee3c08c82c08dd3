/** SQL of moving bytes between engine tiers. */
import type { BlobId } from '@millpond/blobs';
import { FIRST_ARCHIVE_CLASS } from '@millpond/protocol';
import { type Database, statement } from '../../../platform/db/database.ts';

/**
 * Whether an object's bytes belong in the cold tier, as an SQL fragment on its row. Written exactly as in the index over
 * misplaced bytes, so that the planner recognises it.
 */
export const BELONGS_COLD = `class >= ${FIRST_ARCHIVE_CLASS}`;

export interface MisplacedRow {
  readonly hash: string;
  readonly fsize: bigint;
  readonly class: number;
  readonly segment_count: number;
}

// Found by blob, not by key: the object may have been moved in between, and copies share their bytes.
const find = statement(
  'class-move-find',
  `SELECT hash, fsize, class, segment_count FROM region.objects
   WHERE blob_id = $1 AND cold <> (${BELONGS_COLD}) LIMIT 1`,
);
const settle = statement(
  'class-move-settle',
  `UPDATE region.objects SET cold = $2 WHERE blob_id = $1 AND (${BELONGS_COLD}) = $2 AND cold <> $2`,
);
const blobsInWrongTier = statement(
  'class-move-stragglers',
  `SELECT DISTINCT blob_id FROM region.objects WHERE cold <> (${BELONGS_COLD}) LIMIT $1`,
);

export class ClassMoveStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** An object with these bytes that belongs in the other tier. */
  async misplaced(blobId: BlobId): Promise<MisplacedRow | undefined> {
    const [row] = await this.#region.query<MisplacedRow>(find, [blobId]);
    return row;
  }

  /** Records that the bytes already lie where they belong. */
  async settle(blobId: BlobId, cold: boolean): Promise<void> {
    await this.#region.query(settle, [blobId, cold]);
  }

  async blobsInWrongTier(most: number): Promise<BlobId[]> {
    const rows = await this.#region.query<{ blob_id: BlobId }>(blobsInWrongTier, [most]);
    return rows.map((row) => row.blob_id);
  }
}
