/**
 * Bytes of a stream from which whole messages are taken at the front. However the stream is cut, and however many messages lie
 * in one piece of it, each byte is moved a bounded number of times: taking from the front moves nothing, and what is added
 * finds room that grows by doubling.
 */

const NOTHING: Buffer = Buffer.alloc(0);
const FIRST_BYTES = 512;

export class HeldBytes {
  #memory: Buffer = NOTHING;
  #start = 0;
  #end = 0;
  /** Else it is the last chunk, as it came. */
  #isOwn = false;

  get length(): number {
    return this.#end - this.#start;
  }

  /** What it takes, which is more than what it holds. */
  get memoryBytes(): number {
    return this.#memory.length;
  }

  /** What is held. It is never written over: parts of it may be kept, and keep the rest alive. */
  get bytes(): Buffer {
    return this.#memory.subarray(this.#start, this.#end);
  }

  /** The chunk is kept as it is until `settle`, so it must be nobody else's. */
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
    // Whoever holds nothing takes no memory.
    [this.#memory, this.#start, this.#end, this.#isOwn] = [NOTHING, 0, 0, false];
  }

  /** To be called when more must come: a little that is left of a large chunk does not keep all of it. */
  settle(): void {
    if (this.length > 0 && !this.#isOwn) this.#move(Math.max(this.length, FIRST_BYTES));
  }

  #move(size: number): void {
    const larger = Buffer.allocUnsafeSlow(size);
    larger.set(this.bytes, 0);
    [this.#memory, this.#end, this.#start, this.#isOwn] = [larger, this.length, 0, true];
  }
}
