/** Whether an object in an archive class can be read now, as decided by `region.restore_status`. */
import { unrestoredFault } from '@millpond/protocol';

export interface RestorableRow {
  readonly class: number;
  /** 0 frozen, 1 restoring, 2 restored; null for a class that is never frozen. */
  readonly restore_status: number | null;
}

export const RESTORED = 2;

/** Refuses operations that need an object's bytes, or change the object, while it is frozen or still being restored. */
export function assertReadable(row: RestorableRow): void {
  if (row.restore_status === null || row.restore_status === RESTORED) return;
  const fault = unrestoredFault(row.class);
  if (fault !== undefined) throw fault;
}

/** Whether the bytes of an object may be read, copied or moved now, as an SQL fragment on its row. */
export const IS_READABLE_SQL =
  'coalesce(region.restore_status(class, restore_ready_at, restore_ends_at), 2) = 2';
