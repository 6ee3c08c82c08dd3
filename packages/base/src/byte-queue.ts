/**
 * Bytes of a stream from which whole messages are taken at the front. However the stream is cut, and however many messages are
 * in one chunk, each byte is moved a bounded number of times: taking from the front moves nothing, and the room for added bytes
 * grows by doubling.
 */

const EMPTY: Buffer = Buffer.alloc(0);
const FIRST_BYTES = 512;

export class ByteQueue {
  #memory: Buffer = EMPTY;
  #start = 0;
  #end = 0;
  /** If false, the memory is the last chunk, as it came. */
  #isOwn = false;

  get length(): number {
    return this.#end - this.#start;
  }

  /** The memory it occupies, which is more than what it holds. */
  get memoryBytes(): number {
    return this.#memory.length;
  }

  /** The bytes held. They are never overwritten: slices may be kept, and keep the rest alive. */
  get bytes(): Buffer {
    return this.#memory.subarray(this.#start, this.#end);
  }

  /** The chunk is kept as it is until `settle`, so nobody else may use it. */
  add(chunk: Buffer): void {
    if (chunk.length === 0) return;
    if (this.length === 0) {
      [this.#memory, this.#start, this.#end, this.#isOwn] = [chunk, 0, chunk.length, false];
      return;
    }
    if (!this.#isOwn || this.#end + chunk.length > this.#memory.length)
      this.#move(Math.max(this.length + chunk.length, 2 * this.length, FIRST_BYTES));
    this.#memory.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  drop(count: number): void {
    this.#start += count;
    if (this.#start < this.#end) return;
    // An empty one occupies no memory.
    [this.#memory, this.#start, this.#end, this.#isOwn] = [EMPTY, 0, 0, false];
  }

  /** Call this when more must come: it keeps a small rest of a large chunk from holding on to all of it. */
  settle(): void {
    if (this.length > 0 && !this.#isOwn) this.#move(Math.max(this.length, FIRST_BYTES));
  }

  #move(size: number): void {
    const larger = Buffer.allocUnsafeSlow(size);
    larger.set(this.bytes, 0);
    [this.#memory, this.#end, this.#start, this.#isOwn] = [larger, this.length, 0, true];
  }
}
