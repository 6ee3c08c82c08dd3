/** SQL of merging a blob's segments. */
import type { BlobId, Tier } from '@millpond/blobs';
import { type Database, statement } from '../../../platform/db/database.ts';
import { withinCommitWindow } from '../commit/freshness.ts';
import { BELONGS_COLD } from './class-moves.store.ts';

export interface SegmentedRow {
  readonly hash: string;
  readonly class: number;
}

// Found by blob, not by key: the object may have been moved in between, and copies share their bytes.
const find = statement(
  'merge-find',
  'SELECT hash, class FROM region.objects WHERE blob_id = $1 AND segment_count > 1 LIMIT 1',
);
// The old blob's name is the fence: an overwrite or delete of the object has removed it. So is the class: a class change
// has also requested a move of the bytes, and these would lie in the wrong tier. New bytes that no row takes go to the
// trash; if they were older than the commit window, the sweep might already have removed them.
const swap = statement(
  'merge-swap',
  `WITH swapped AS (
     UPDATE region.objects SET blob_id = $2, segment_count = 1, cold = $4
     WHERE blob_id = $1 AND (${BELONGS_COLD}) = $4 AND ${withinCommitWindow('$2', '$3')}
     RETURNING key
   ), lost AS (
     INSERT INTO region.trash (blob_id, reason) SELECT $2, 'refused' WHERE NOT EXISTS (SELECT FROM swapped)
   )
   SELECT key FROM swapped`,
);

/** Which bytes replace which, and where they lie. */
export interface Swap {
  readonly from: BlobId;
  readonly to: BlobId;
  readonly tier: Tier;
}

export class MergeStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** Undefined when no object has these bytes in segments any more. */
  async find(blobId: BlobId): Promise<SegmentedRow | undefined> {
    const [row] = await this.#region.query<SegmentedRow>(find, [blobId]);
    return row;
  }

  /** False when no object has the old bytes any more; the new ones are then in the trash. */
  async swap({ from, to, tier }: Swap, commitWindowMs: number): Promise<boolean> {
    return (await this.#region.query(swap, [from, to, commitWindowMs, tier === 'COLD'])).length > 0;
  }
}
