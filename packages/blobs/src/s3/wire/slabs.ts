/**
 * The memory that reads go through. A slab whose bytes a receiver still holds is lent; it is reused once the receiver holds
 * nothing more. One that does not come back is left to the garbage collector.
 */

export interface Borrower {
  /** Whether it still holds bytes that it was given; undefined: it cannot tell. */
  readonly holding: boolean | undefined;
}

export interface Slabs {
  take(): Buffer;
  give(slab: Buffer): void;
  lend(slab: Buffer, borrower: Borrower): void;
}

const SLAB_BYTES = 256 * 1024;
const MOST_FREE = 16;
const MOST_LENT = 64;
/** Slow receivers stay in the list; only some of them are asked each time. */
const ASKED_AT_ONCE = 8;

export function createSlabs(): Slabs {
  const free: Buffer[] = [];
  const lent: { readonly slab: Buffer; readonly borrower: Borrower }[] = [];

  function comeBack(): Buffer | undefined {
    for (let left = Math.min(lent.length, ASKED_AT_ONCE); left > 0; left--) {
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
      if (free.length < MOST_FREE) free.push(slab);
    },
    lend(slab, borrower) {
      if (lent.length === MOST_LENT) lent.shift();
      lent.push({ slab, borrower });
    },
  };
}
