/**
 * The slab that a connection reads into, and how much of it the receiver still holds. What comes next is put behind
 * that; TLS gives its records one by one, and a slab for each would be much memory for few bytes.
 */
import type { Receiver } from '../transport.ts';
import type { Slabs } from './slabs.ts';

/** A copy of less is cheaper than keeping track of who holds the slab. A full record of TLS has so much. */
const COPY_BELOW = 16 * 1024;
/** A slab with less room than this behind what a receiver holds is left to it. */
const LEAST_ROOM = 64 * 1024;
/** Takes what still comes for a connection that is gone. TLS hands on what it has, and spins if there is no room. */
const SPILL = Buffer.allocUnsafeSlow(16 * 1024);

export class ReadBuffer {
  readonly #slabs: Slabs;
  /** undefined while a receiver looks at it, and at the end. */
  #slab: Buffer | undefined;
  /** The receiver holds bytes of the slab before this; 0 between requests. */
  #at = 0;
  #closed = false;

  constructor(slabs: Slabs) {
    this.#slabs = slabs;
    this.#slab = slabs.take();
  }

  /** Where the next bytes are to be put. */
  room(): Buffer {
    if (!this.#slab) return SPILL;
    return this.#at === 0 ? this.#slab : this.#slab.subarray(this.#at);
  }

  /** Passes on `size` bytes that were put into the room, from the `from`th there; false: the receiver wants no more. */
  pass(receiver: Receiver, from: number, size: number): boolean {
    const slab = this.#slab;
    if (!slab) return true;
    const begin = this.#at + from;
    const end = begin + size;
    if (size < COPY_BELOW || receiver.holding === undefined) {
      const copy = Buffer.allocUnsafe(size);
      slab.copy(copy, 0, begin, end);
      return receiver.onBody(copy);
    }
    // The receiver may end the connection from inside the call, which must not free a slab that it holds.
    this.#slab = undefined;
    const goOn = receiver.onBody(slab.subarray(begin, end));
    const held = receiver.holding !== false;
    const full = slab.length - end < LEAST_ROOM;
    if (held && (full || this.#closed)) this.#slabs.lend(slab, receiver);
    if (this.#closed) return goOn;
    this.#slab = held && full ? this.#slabs.take() : slab;
    this.#at = held && !full ? end : 0;
    return goOn;
  }

  /** The answer is over: what its receiver still holds is left to it. */
  leaveTo(receiver: Receiver): void {
    if (this.#at === 0 || !this.#slab) return;
    this.#slabs.lend(this.#slab, receiver);
    this.#slab = this.#slabs.take();
    this.#at = 0;
  }

  /** `receiver`: of the answer that is not over. */
  close(receiver: Receiver | undefined): void {
    this.#closed = true;
    if (receiver) this.leaveTo(receiver);
    if (this.#slab) this.#slabs.give(this.#slab);
    this.#slab = undefined;
  }
}
