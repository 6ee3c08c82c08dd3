/** Every byte of an object, uploaded or fetched, passes here: size, limits, etag, CRC-32, and first bytes for type detection. */
import { crc32 } from 'node:zlib';
import { createEtagStream, Fault } from '@millpond/protocol';
import { nodeHashing } from '../../../platform/hashing.ts';

/** Enough for every signature that type detection knows. */
const HEAD_BYTES = 4096;

export interface DigestedBody {
  readonly size: number;
  readonly hash: string;
  /** 0 if not requested. */
  readonly crc32: number;
  readonly head: Uint8Array;
}

export class BodyDigest {
  readonly #etag = createEtagStream(nodeHashing);
  #size = 0;
  #crc = 0;
  #head: Buffer = Buffer.alloc(0);
  #limit: number;
  /** Whether to compute the CRC-32, which is a tenth of the work of taking a chunk. */
  readonly #checks: boolean;

  constructor(limit: number, { crc32: checks = true }: { readonly crc32?: boolean } = {}) {
    this.#limit = limit;
    this.#checks = checks;
  }

  /** A smaller limit may become known during the upload. */
  lowerLimit(limit: number): void {
    this.#limit = Math.min(this.#limit, limit);
    this.#checkSize();
  }

  update(chunk: Buffer): void {
    this.#size += chunk.length;
    this.#checkSize();
    this.#etag.update(chunk);
    if (this.#checks) this.#crc = crc32(chunk, this.#crc);
    if (this.#head.length < HEAD_BYTES) {
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, HEAD_BYTES - this.#head.length)]);
    }
  }

  finish(): DigestedBody {
    return { size: this.#size, hash: this.#etag.digest().etag, crc32: this.#crc, head: this.#head };
  }

  #checkSize(): void {
    if (this.#size > this.#limit)
      throw new Fault('tooLarge', { hint: `at most ${this.#limit} bytes are allowed here` });
  }
}
