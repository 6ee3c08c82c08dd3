/**
 * Bytes that wait in memory, copied into blocks. Kept as they arrived, a body in tiny chunks would cost hundreds of times
 * its size, and a slice of a few bytes would keep the whole packet that it came in.
 */
const MAX_BLOCK_BYTES = 64 * 1024;
const MIN_BLOCK_BYTES = 64;

export class ByteBuffer {
  readonly #blocks: Buffer[] = [];
  /** Bytes used in the last block. */
  #used = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      const block = this.#blockWithRoom(chunk.length - at);
      const piece = chunk.subarray(at, at + block.length - this.#used);
      block.set(piece, this.#used);
      this.#used += piece.length;
      this.#length += piece.length;
      at += piece.length;
    }
  }

  /** All bytes in order. The blocks may be given away, but not if more will be appended. */
  chunks(): Buffer[] {
    return this.#blocks.map((block, index) =>
      index === this.#blocks.length - 1 ? block.subarray(0, this.#used) : block,
    );
  }

  /** Blocks grow with the content, so that at most half of the memory is unused. */
  #blockWithRoom(wanted: number): Buffer {
    const last = this.#blocks.at(-1);
    if (last !== undefined && this.#used < last.length) return last;
    const size = Math.min(MAX_BLOCK_BYTES, Math.max(MIN_BLOCK_BYTES, wanted, this.#length));
    const block = Buffer.allocUnsafe(size);
    this.#blocks.push(block);
    this.#used = 0;
    return block;
  }
}
