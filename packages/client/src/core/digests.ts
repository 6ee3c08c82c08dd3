/**
 * The hashes that check an upload, supplied by the entry point: in a browser, Web Crypto's where the page has it and
 * plain JavaScript otherwise; in Node, its own.
 */
import { BLOCK_SIZE, type ContentHashing, etagOfBlocks, SHA1_SIZE } from '@millpond/protocol';
import { createSha1, sha1Of } from './sha1.ts';

export interface Digests {
  /** SHA-1 of a block of content; may run concurrently. */
  sha1(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> | Uint8Array;
  crc32(bytes: Uint8Array): number;
  /** For small inputs, synchronously. */
  readonly hashing: ContentHashing;
}

export const webDigests: Digests = {
  async sha1(bytes) {
    const subtle = globalThis.crypto?.subtle as typeof globalThis.crypto.subtle | undefined;
    return subtle === undefined ? sha1Of(bytes) : new Uint8Array(await subtle.digest('SHA-1', bytes));
  },
  crc32: crc32Of,
  hashing: { sha1: createSha1, sha1Of },
};

/** The etag of bytes in memory: of a small file, or of a part. */
export async function etagOfBytes(digests: Digests, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hashes = new Uint8Array(Math.ceil(bytes.length / BLOCK_SIZE) * SHA1_SIZE);
  for (let block = 0; block * BLOCK_SIZE < bytes.length; block++) {
    const piece = bytes.subarray(block * BLOCK_SIZE, (block + 1) * BLOCK_SIZE);
    hashes.set(await digests.sha1(piece), block * SHA1_SIZE);
  }
  return etagOfBlocks(digests.hashing, hashes);
}

/** CRC-32 (IEEE) in plain JavaScript, for browsers. */
const TABLE = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  TABLE[byte] = value;
}

export function crc32Of(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
