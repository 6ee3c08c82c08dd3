/**
 * The memory that reads go through. A slab whose bytes a receiver still holds is lent; it is reused once the receiver holds
 * nothing more. One that does not come back is left to the garbage collector.
 */

export interface Borrower {
  /** Whether it still holds bytes that it was given; undefined: it cannot tell. */
  readonly holding: boolean | undefined;
}

export interface SlabPool {
  take(): Buffer;
  give(slab: Buffer): void;
  lend(slab: Buffer, borrower: Borrower): void;
}

const SLAB_BYTES = 256 * 1024;
const MAX_FREE_SLABS = 16;
const MAX_LENT_SLABS = 64;
/** Slow receivers stay in the list; only some of them are asked each time. */
const REFILL_COUNT = 8;

export function createSlabPool(): SlabPool {
  const free: Buffer[] = [];
  const lent: { readonly slab: Buffer; readonly borrower: Borrower }[] = [];

  function comeBack(): Buffer | undefined {
    for (let left = Math.min(lent.length, REFILL_COUNT); left > 0; left--) {
      const loan = lent.shift();
      if (!loan) break;
      if (loan.borrower.holding === false) return loan.slab;
      lent.push(loan);
    }
    return undefined;
  }

  return {
    take: () => comeBack() ?? free.pop() ?? Buffer.allocUnsafeSlow(SLAB_BYTES),
    give(slab) {
      if (free.length < MAX_FREE_SLABS) free.push(slab);
    },
    lend(slab, borrower) {
      if (lent.length === MAX_LENT_SLABS) lent.shift();
      lent.push({ slab, borrower });
    },
  };
}
