/** An object as rules judge it, from the row that a walk has read. */
import type { ScannedRow } from './lifecycle.store.ts';

const PUT_TIME_PER_MS = 10_000n;

export function walkedObject({ key, fsize, tags, put_time, class: storageClass }: ScannedRow) {
  return {
    key,
    size: Number(fsize),
    tags: tags ?? {},
    madeAt: Number(put_time / PUT_TIME_PER_MS),
    storageClass,
  };
}
