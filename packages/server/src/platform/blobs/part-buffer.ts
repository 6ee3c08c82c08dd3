/**
 * Collects up to one part of a body: PART_BYTES, and as much again if the budget has room. Chunks of some size, and the first
 * few of any size, are kept as they came: not copying them saves a quarter of the CPU time of a large upload. Crumbs are copied
 * into slabs, because kept one by one they would cost far more memory than their bytes, and one socket write each.
 */
import { PART_BYTES, SLAB_BYTES, type WriteBudget } from './budget.ts';

const KEEP_FROM = 32 * 1024;
const KEPT_CRUMBS = 16;

export class PartBuffer {
  length = 0;
  #most = PART_BYTES;
  readonly #budget: WriteBudget;
  /** Whether chunks are to be freed. */
  readonly #frees: boolean;
  readonly #slabs: Uint8Array[] = [];
  #pieces: Uint8Array[] = [];
  /** The pieces that are to be freed. */
  #ours: Uint8Array[] = [];
  #crumbs = 0;
  /** Bytes used of the last slab, and how many of them are in #pieces already. */
  #used = SLAB_BYTES;
  #listed = SLAB_BYTES;

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
    if (piece.length >= KEEP_FROM || this.#crumbs++ < KEPT_CRUMBS) {
      this.#listCopied();
      this.#pieces.push(piece);
      if (this.#frees) this.#ours.push(piece);
    } else {
      this.#copy(piece);
      if (this.#frees) freeMemory(piece);
    }
    return end;
  }

  #copy(piece: Uint8Array): void {
    let at = 0;
    while (at < piece.length) {
      if (this.#used === SLAB_BYTES) {
        this.#listCopied();
        this.#slabs.push(this.#budget.takeSlab());
        this.#used = 0;
        this.#listed = 0;
      }
      const take = Math.min(piece.length - at, SLAB_BYTES - this.#used);
      this.#slabs.at(-1)?.set(take === piece.length ? piece : piece.subarray(at, at + take), this.#used);
      at += take;
      this.#used += take;
    }
  }

  #listCopied(): void {
    const slab = this.#slabs.at(-1);
    if (slab === undefined || this.#listed === this.#used) return;
    this.#pieces.push(slab.subarray(this.#listed, this.#used));
    this.#listed = this.#used;
  }

  /** The bytes in order; valid until release. */
  chunks(): readonly Uint8Array[] {
    this.#listCopied();
    return this.#pieces;
  }

  /** Gives the memory back; nothing may be appended afterwards. */
  release(): void {
    if (this.#most > PART_BYTES) this.#budget.release();
    this.#most = PART_BYTES;
    for (const piece of this.#ours) freeMemory(piece);
    this.#ours = [];
    for (const slab of this.#slabs.splice(0)) this.#budget.giveSlab(slab);
    this.#pieces = [];
  }
}

/** Smaller chunks are not worth freeing. */
const FREE_FROM = 8 * 1024;

/** Frees the chunk's memory unless it is shared, as in Node's pool. The chunk is empty afterwards. */
function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (byteLength >= FREE_FROM && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer)
    buffer.transfer(0);
}
