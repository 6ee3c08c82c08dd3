/**
 * Memory for bodies on their way to the engine, shared by all writers of a process. Bytes lie in reused slabs of 1 MiB. Every
 * writer may always fill one part, so none waits for another and nothing can deadlock; each further part under way at the same
 * time needs a reservation, granted while the budget lasts.
 */
import { MIB } from '@millpond/protocol';

export const SLAB_BYTES = MIB;
/** Minimum part size of an engine multipart upload, and the largest body sent as one put; twice that with a reservation. */
export const PART_BYTES = 8 * SLAB_BYTES;

export interface WriteBudget {
  takeSlab(): Uint8Array;
  giveSlab(slab: Uint8Array): void;
  /** Reserves one more part; false: not now. */
  tryReserve(): boolean;
  release(): void;
  /** Parts reserved at this moment, for metrics. */
  readonly reservedParts: number;
}

/** `bytes`: what writers may hold beyond one part each; also the most that is kept for reuse. */
export function createWriteBudget(bytes: number): WriteBudget {
  const maxParts = Math.floor(bytes / PART_BYTES);
  const maxSpare = Math.floor(bytes / SLAB_BYTES);
  const spare: Uint8Array[] = [];
  let reserved = 0;
  return {
    takeSlab: () => spare.pop() ?? Buffer.allocUnsafeSlow(SLAB_BYTES),
    giveSlab(slab) {
      if (spare.length < maxSpare) spare.push(slab);
    },
    tryReserve() {
      if (reserved >= maxParts) return false;
      reserved++;
      return true;
    },
    release() {
      reserved--;
    },
    get reservedParts() {
      return reserved;
    },
  };
}
