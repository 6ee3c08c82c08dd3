/** Rows picked from anywhere in a filled table. */
import type { Keys } from '../fill.ts';
import type { Stage } from '../stage.ts';

export interface PickedRow {
  readonly bucket: string;
  /** The index of its bucket. */
  readonly bucketIndex: number;
  readonly key: string;
}

export function randomRows(stage: Pick<Stage, 'buckets'>, keys: Keys, count: number): PickedRow[] {
  return Array.from({ length: count }, () => {
    const bucketIndex = Math.floor(Math.random() * stage.buckets.length);
    return {
      bucket: stage.buckets[bucketIndex] ?? '',
      bucketIndex,
      key: keys.keyAt(Math.floor(Math.random() * keys.rowsPerBucket)),
    };
  });
}
