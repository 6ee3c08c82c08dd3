/** SQL of copy and move. */
import type { BlobId } from '@millpond/blobs';
import { type Database, statement, type Transaction } from '../../../platform/db/database.ts';
import { isSqlState } from '../../../platform/db/sqlstate.ts';
import type { ObjectRef } from './bulk-operations.store.ts';
import { type Relocation, relocateStatement } from './relocate-statement.ts';

export interface RelocationRow {
  /** Whether the target's bucket accepts objects. */
  readonly open: boolean;
  /** Whether its quota allows one more. */
  readonly has_room: boolean;
  /** Null if there is no source. */
  readonly class: number | null;
  readonly readable: boolean | null;
  readonly blob_id: BlobId | null;
  readonly segment_count: number | null;
  readonly written: boolean;
}

const statements = {
  copy: [
    statement('object-copy', relocateStatement({ kind: 'copy', force: false })),
    statement('object-copy-force', relocateStatement({ kind: 'copy', force: true })),
  ],
  move: [
    statement('object-move', relocateStatement({ kind: 'move', force: false })),
    statement('object-move-force', relocateStatement({ kind: 'move', force: true })),
  ],
} as const;

/** Existing rows are locked in order; a target that appears in between can't be, which may cause a deadlock. */
const TRIES = 5;

export class RelocateStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** Retries after a deadlock, except within the caller's transaction, which the deadlock aborts. */
  async relocate(
    from: ObjectRef,
    to: ObjectRef,
    { kind, force, way = kind }: Relocation,
    within?: Transaction,
  ): Promise<RelocationRow> {
    const values = [from.bucketId, from.key, to.bucketId, to.key, way];
    const on = within ?? this.#region;
    for (let tries = within === undefined ? 1 : TRIES; ; tries++) {
      try {
        const [row] = await on.query<RelocationRow>(statements[kind][force ? 1 : 0], values);
        if (row === undefined) throw new Error(`the ${kind} statement gave no row`);
        return row;
      } catch (error) {
        if (tries === TRIES || !isSqlState(error, 'deadlock')) throw error;
      }
    }
  }
}
