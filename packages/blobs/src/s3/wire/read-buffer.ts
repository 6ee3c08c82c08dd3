/**
 * The slab that a connection reads into, and how much of it the receiver still holds. New bytes go after that; TLS delivers its
 * records one by one, and a slab for each would be much memory for few bytes.
 */
import type { ResponseHandler } from '../transport.ts';
import type { SlabPool } from './slab-pool.ts';

/** Below this, a copy is cheaper than tracking who holds the slab. A full TLS record is this large. */
const COPY_BELOW = 16 * 1024;
/** A slab with less room than this after what a receiver holds is left to the receiver. */
const MIN_WRITABLE_BYTES = 64 * 1024;
/** Takes bytes that still arrive for a closed connection. TLS passes on what it has, and spins if there is no room. */
const SPILL = Buffer.allocUnsafeSlow(16 * 1024);

export class ReadBuffer {
  readonly #slabs: SlabPool;
  /** undefined while a receiver is reading it, and at the end. */
  #slab: Buffer | undefined;
  /** The receiver holds bytes of the slab before this; 0 between requests. */
  #at = 0;
  #closed = false;

  constructor(slabPool: SlabPool) {
    this.#slabs = slabPool;
    this.#slab = slabPool.take();
  }

  /** Where the next bytes go. */
  writableSlice(): Buffer {
    if (!this.#slab) return SPILL;
    return this.#at === 0 ? this.#slab : this.#slab.subarray(this.#at);
  }

  /** Passes on `size` bytes of the room, starting at `from`; false: the receiver wants no more. */
  pass(handler: ResponseHandler, from: number, size: number): boolean {
    const slab = this.#slab;
    if (!slab) return true;
    const begin = this.#at + from;
    const end = begin + size;
    if (size < COPY_BELOW || handler.holding === undefined) {
      const copy = Buffer.allocUnsafe(size);
      slab.copy(copy, 0, begin, end);
      return handler.onBody(copy);
    }
    // The receiver may end the connection from inside the call, which must not free a slab that the receiver holds.
    this.#slab = undefined;
    const goOn = handler.onBody(slab.subarray(begin, end));
    const held = handler.holding !== false;
    const full = slab.length - end < MIN_WRITABLE_BYTES;
    if (held && (full || this.#closed)) this.#slabs.lend(slab, handler);
    if (this.#closed) return goOn;
    this.#slab = held && full ? this.#slabs.take() : slab;
    this.#at = held && !full ? end : 0;
    return goOn;
  }

  /** The answer is over: what its receiver still holds is left to it. */
  lendTo(handler: ResponseHandler): void {
    if (this.#at === 0 || !this.#slab) return;
    this.#slabs.lend(this.#slab, handler);
    this.#slab = this.#slabs.take();
    this.#at = 0;
  }

  /** `receiver`: that of the unfinished answer. */
  close(handler: ResponseHandler | undefined): void {
    this.#closed = true;
    if (handler) this.lendTo(handler);
    if (this.#slab) this.#slabs.give(this.#slab);
    this.#slab = undefined;
  }
}
