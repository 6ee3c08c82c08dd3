/** Extracts tags from an FLV stream, as ffmpeg writes it. Holds at most one tag. */

export interface FlvTag {
  /** 8 sound, 9 video, 18 metadata: the same numbers as RTMP message types. */
  readonly type: number;
  /** Milliseconds. */
  readonly time: number;
  readonly payload: Buffer;
}

const FILE_HEAD_BYTES = 9;
const TAG_HEAD_BYTES = 11;
/** The length of the previous tag. */
const TRAILER_BYTES = 4;
/** No engine would accept a larger frame. */
const MAX_TAG_BYTES = 8 * 2 ** 20;

export class FlvReader {
  #pieces: Buffer[] = [];
  #length = 0;
  #wanted = FILE_HEAD_BYTES + TRAILER_BYTES;
  #isHead = true;

  /** The tags that are now complete. Throws if the input is not FLV. */
  add(chunk: Buffer): FlvTag[] {
    this.#pieces.push(chunk);
    this.#length += chunk.length;
    const tags: FlvTag[] = [];
    while (this.#length >= this.#wanted) {
      const bytes = this.#pieces.length === 1 ? (this.#pieces[0] ?? chunk) : Buffer.concat(this.#pieces);
      this.#pieces = [bytes];
      const used = this.#read(bytes, tags);
      if (used === 0) continue;
      this.#pieces = [bytes.subarray(used)];
      this.#length -= used;
    }
    return tags;
  }

  get heldBytes(): number {
    return this.#length;
  }

  /** How many bytes were consumed; 0: only the tag's header was read, and its length is now known. */
  #read(bytes: Buffer, tags: FlvTag[]): number {
    const used = this.#wanted;
    if (this.#isHead) {
      if (bytes.toString('latin1', 0, 3) !== 'FLV') throw new Error('not FLV');
      this.#isHead = false;
      this.#wanted = TAG_HEAD_BYTES;
      return used;
    }
    const size = bytes.readUIntBE(1, 3);
    if (size > MAX_TAG_BYTES) throw new Error('a frame is too large');
    if (used === TAG_HEAD_BYTES) {
      this.#wanted = TAG_HEAD_BYTES + size + TRAILER_BYTES;
      return 0;
    }
    tags.push({
      type: bytes.readUInt8(0) & 0x1f,
      time: bytes.readUIntBE(4, 3) + bytes.readUInt8(7) * 2 ** 24,
      payload: bytes.subarray(TAG_HEAD_BYTES, TAG_HEAD_BYTES + size),
    });
    this.#wanted = TAG_HEAD_BYTES;
    return used;
  }
}
