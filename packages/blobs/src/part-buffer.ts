/**
 * Collects up to one part of a body: PART_BYTES, and as much again if the budget has room. The first few chunks are kept as they
 * came, which is all of most bodies. What follows is copied into slabs, which are used again: the memory of kept chunks has to be
 * found by the garbage collector, and that costs a quarter of the CPU time of a large upload, far more than to copy them.
 */
import { PART_BYTES, SLAB_BYTES, type WriteBudget } from './budget.ts';

const KEPT_CHUNKS = 16;

export class PartBuffer {
  length = 0;
  #most = PART_BYTES;
  readonly #budget: WriteBudget;
  /** Whether chunks are to be freed. */
  readonly #frees: boolean;
  readonly #kept: Uint8Array[] = [];
  /** What follows, all full but the last. */
  readonly #slabs: Uint8Array[] = [];
  /** Bytes used of the last slab. */
  #used = SLAB_BYTES;

  constructor(budget: WriteBudget, { freeChunks = false }: { freeChunks?: boolean | undefined } = {}) {
    this.#budget = budget;
    this.#frees = freeChunks;
  }

  get full(): boolean {
    return this.length === this.#most;
  }

  /** Makes a full part twice as large, once: the fewer parts a body has, the less the engine does. False: not now. */
  extend(): boolean {
    if (this.#most > PART_BYTES || !this.#budget.tryReserve()) return false;
    this.#most = 2 * PART_BYTES;
    return true;
  }

  /** Takes what fits of the chunk from `start` on and returns where it stopped. */
  append(chunk: Uint8Array, start: number): number {
    const end = Math.min(chunk.length, start + this.#most - this.length);
    if (end === start) return end;
    const piece = start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end);
    this.length += piece.length;
    if (this.#kept.length < KEPT_CHUNKS) this.#kept.push(piece);
    else {
      this.#copy(piece);
      if (this.#frees) freeMemory(piece);
    }
    return end;
  }

  #copy(piece: Uint8Array): void {
    let at = 0;
    while (at < piece.length) {
      if (this.#used === SLAB_BYTES) {
        this.#slabs.push(this.#budget.takeSlab());
        this.#used = 0;
      }
      const take = Math.min(piece.length - at, SLAB_BYTES - this.#used);
      this.#slabs.at(-1)?.set(take === piece.length ? piece : piece.subarray(at, at + take), this.#used);
      at += take;
      this.#used += take;
    }
  }

  /** The bytes in order; valid until release. */
  chunks(): readonly Uint8Array[] {
    const last = this.#slabs.at(-1);
    if (last === undefined) return this.#kept;
    return [...this.#kept, ...this.#slabs.slice(0, -1), last.subarray(0, this.#used)];
  }

  /** Gives the memory back; nothing may be appended afterwards. */
  release(): void {
    if (this.#most > PART_BYTES) this.#budget.release();
    this.#most = PART_BYTES;
    const kept = this.#kept.splice(0);
    if (this.#frees) for (const piece of kept) freeMemory(piece);
    for (const slab of this.#slabs.splice(0)) this.#budget.giveSlab(slab);
  }
}

/** Smaller chunks are not worth freeing. */
const FREE_FROM = 8 * 1024;

/** Frees the chunk's memory unless it is shared, as in Node's pool. The chunk is empty afterwards. */
function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (byteLength >= FREE_FROM && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer)
    buffer.transfer(0);
}
