/** How full the engine for bytes is. */
import { statfs } from 'node:fs/promises';

/** Undefined: nobody knows. */
export type Capacity = () => Promise<{ readonly used: number; readonly total: number } | undefined>;

/** The file system of the disk store, with what else is on it. */
export function diskCapacity(root: string): Capacity {
  return async () => {
    const { bsize, blocks, bavail } = await statfs(root);
    return { used: (blocks - bavail) * bsize, total: blocks * bsize };
  };
}

/** An S3 engine does not say how large it is; the settings do. */
export function statedCapacity(total: number | undefined, used: () => Promise<number>): Capacity {
  return async () => (total === undefined ? undefined : { used: await used(), total });
}
