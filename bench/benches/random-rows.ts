/** Rows picked from everywhere in a filled table. */
import type { Filled } from '../fill.ts';
import type { Stage } from '../stage.ts';

export interface PickedRow {
  readonly bucket: string;
  readonly bucketId: string;
  readonly key: string;
}

export function randomRows(stage: Stage, filled: Filled, count: number): PickedRow[] {
  return Array.from({ length: count }, () => {
    const at = Math.floor(Math.random() * stage.buckets.length);
    return {
      bucket: stage.buckets[at] ?? '',
      bucketId: filled.bucketIds[at] ?? '',
      key: filled.keyAt(Math.floor(Math.random() * filled.rowsPerBucket)),
    };
  });
}
