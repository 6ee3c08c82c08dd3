/**
 * What a sender owes for tiny pieces (chunks, frames, records), each of which costs about 2 µs to take, whatever it holds.
 * Whoever owes too much is read more slowly: it waits for its turn before more is read from it.
 */

/** A piece of this size costs as much to take as its bytes cost to hash and to store, and owes nothing. */
export const SMALL_BYTES = 512;
/** Nobody pays for longer than this, however much was sent. */
const MAX_WAIT_MS = 30_000;
/** Those who share a debt go on one after the other, at least this far apart. */
const APART_MS = 20;

export interface PieceRate {
  /** How many small pieces may come at once. */
  readonly burst: number;
  readonly perSecond: number;
}

export const PIECE_RATE: PieceRate = { burst: 4096, perSecond: 10_000 };

export class PieceDebt {
  readonly #rate: PieceRate;
  /** When everything will be paid. */
  #until = 0;

  constructor(rate: PieceRate = PIECE_RATE) {
    this.#rate = rate;
  }

  /** Whether it is too much now. */
  add(bytes: number): boolean {
    if (bytes >= SMALL_BYTES) return false;
    const { burst, perSecond } = this.#rate;
    const now = performance.now();
    this.#until = Math.max(this.#until, now) + (1 - bytes / SMALL_BYTES) * (1000 / perSecond);
    return this.#until - now > burst * (1000 / perSecond);
  }

  /** Milliseconds until whoever asks may go on. */
  nextTurn(): number {
    const now = performance.now();
    const turn = Math.min(Math.max(this.#until, now), now + MAX_WAIT_MS);
    this.#until = turn + APART_MS;
    return turn - now;
  }
}
