/**
 * Contents to upload, each different from all others over its whole length: a mixture of two of them is neither. They
 * are cut from one pool of random bytes, so that making one costs nothing.
 */
import { createCipheriv, hash } from 'node:crypto';
import { createEtagStream } from '@millpond/protocol';
import { hashing, type Random } from '@millpond/testing';

export const KIB = 1024;
export const MIB = 1024 * 1024;

const POOL_BYTES = 32 * MIB;
const STAMP_BYTES = 16;

export interface Content {
  readonly bytes: readonly Uint8Array[];
  readonly size: number;
  readonly hash: string;
}

export interface Contents {
  /** New content; only contents of less than 16 bytes may have occurred before. */
  make(size: number): Content;
}

/** How many of 100 contents have so many bytes. */
export type Sizes = readonly (readonly [share: number, bytes: number])[];

/** Mostly small ones, as buckets have them. */
export const MIXED_SIZES: Sizes = [
  [45, KIB],
  [40, 8 * KIB],
  [10, 60 * KIB],
  [5, 300 * KIB],
];

export function pickSize(sizes: Sizes, random: Random): number {
  let left = random.integer(0, 99);
  for (const [share, bytes] of sizes) {
    if (left < share) return bytes;
    left -= share;
  }
  return 0;
}

export function createContents(seed: string): Contents {
  const key = hash('sha256', seed, 'buffer');
  const pool = createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(POOL_BYTES));
  let made = 0;
  return {
    make(size) {
      if (size < STAMP_BYTES) return contentOf([pool.subarray(0, size)], size);
      const stamp = Buffer.alloc(STAMP_BYTES);
      stamp.writeUIntLE(++made, 0, 6);
      const length = size - STAMP_BYTES;
      // Steps of an odd length: no two contents cover the same bytes of the pool.
      const from = (made * 4099) % (POOL_BYTES - length);
      return contentOf([stamp, pool.subarray(from, from + length)], size);
    },
  };
}

function contentOf(bytes: readonly Uint8Array[], size: number): Content {
  const etag = createEtagStream(hashing);
  for (const piece of bytes) etag.update(piece);
  return { bytes, size, hash: etag.digest().etag };
}
