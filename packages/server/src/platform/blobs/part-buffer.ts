/**
 * Collects up to one part of a body. The first chunks are kept as they came, which spares small bodies every copy;
 * a body that grows, or that comes in crumbs, moves to slabs, each byte copied once. (Crumbs would otherwise cost
 * far more memory than their bytes.)
 */
import { PART_BYTES, SLAB_BYTES, type WriteBudget } from './budget.ts';

const KEPT_BYTES = 256 * 1024;
const KEPT_CHUNKS = 16;

export class PartBuffer {
  length = 0;
  readonly #budget: WriteBudget;
  #kept: Uint8Array[] = [];
  #slabs: Uint8Array[] = [];
  #inSlabs = 0;

  constructor(budget: WriteBudget) {
    this.#budget = budget;
  }

  get full(): boolean {
    return this.length === PART_BYTES;
  }

  /** Takes what fits of the chunk from `start` on and returns where it stopped. */
  append(chunk: Uint8Array, start: number): number {
    const end = Math.min(chunk.length, start + PART_BYTES - this.length);
    if (end === start) return end;
    const piece = start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end);
    this.length += piece.length;
    if (this.#slabs.length === 0 && this.length <= KEPT_BYTES && this.#kept.length < KEPT_CHUNKS) {
      this.#kept.push(piece);
      return end;
    }
    for (const earlier of this.#kept) this.#copy(earlier);
    this.#kept = [];
    this.#copy(piece);
    return end;
  }

  #copy(piece: Uint8Array): void {
    let at = 0;
    while (at < piece.length) {
      const used = this.#inSlabs % SLAB_BYTES;
      if (used === 0) this.#slabs.push(this.#budget.takeSlab());
      const take = Math.min(piece.length - at, SLAB_BYTES - used);
      this.#slabs.at(-1)?.set(take === piece.length ? piece : piece.subarray(at, at + take), used);
      at += take;
      this.#inSlabs += take;
    }
  }

  /** The bytes in order; good until release. */
  chunks(): Uint8Array[] {
    if (this.#slabs.length === 0) return this.#kept;
    const used = this.#inSlabs % SLAB_BYTES;
    return used === 0
      ? this.#slabs
      : [...this.#slabs.slice(0, -1), ...this.#slabs.slice(-1).map((slab) => slab.subarray(0, used))];
  }

  release(): void {
    for (const slab of this.#slabs) this.#budget.giveSlab(slab);
    this.#slabs = [];
    this.#kept = [];
    this.#inSlabs = 0;
    this.length = 0;
  }
}
