/** Bytes of small blobs in memory, within a limit: the longest unused go first. Never stale, because blobs never change. */
import type { BlobId } from '@millpond/blobs';

/** What an entry costs besides its bytes, roughly. */
const ENTRY_BYTES = 200;

export class ByteCache {
  readonly #most: number;
  readonly #held = new Map<BlobId, Buffer>();
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(id: BlobId): Buffer | undefined {
    const found = this.#held.get(id);
    if (found === undefined) return undefined;
    this.#held.delete(id);
    this.#held.set(id, found);
    return found;
  }

  /** The bytes belong to the cache from here on. */
  set(id: BlobId, bytes: Buffer): void {
    const cost = bytes.length + ENTRY_BYTES;
    if (cost > this.#most || this.#held.has(id)) return;
    this.#held.set(id, ownMemory(bytes));
    this.#bytes += cost;
    for (const [oldest, { length }] of this.#held) {
      if (this.#bytes <= this.#most) break;
      this.#held.delete(oldest);
      this.#bytes -= length + ENTRY_BYTES;
    }
  }
}

/** A slice would keep all of the memory that it was cut from, which may be many times as much. */
function ownMemory(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}
