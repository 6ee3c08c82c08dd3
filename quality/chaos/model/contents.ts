/**
 * The few contents that sequences put, each made once. They are small and large enough for every way in which bytes are
 * stored, and begin with bytes that are no known type, so that what the server detects is known too.
 */
import { createHash } from 'node:crypto';
import { etagOf } from '@millpond/protocol';
import { hashing } from '@millpond/testing';
import fc from 'fast-check';
import { KIB, MIB } from '../load/contents.ts';

export interface Content {
  readonly bytes: Buffer;
  /** Digests of the bytes in one piece. */
  readonly hash: string;
  readonly md5: string;
  readonly sha256: string;
}

/** Which content: so that a sequence is printed in a few words. */
export interface ContentChoice {
  readonly size: number;
  readonly variant: number;
}

export const DETECTED_TYPE = 'application/octet-stream';
const VARIANTS = 5;
const made = new Map<string, Content>();

export const choice: fc.Arbitrary<ContentChoice> = fc.record({
  size: fc.oneof(
    { weight: 12, arbitrary: fc.constant(KIB) },
    { weight: 6, arbitrary: fc.constant(1) },
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 6, arbitrary: fc.constant(20 * KIB) },
    { weight: 4, arbitrary: fc.constant(100 * KIB) },
    { weight: 4, arbitrary: fc.constant(300 * KIB) },
  ),
  variant: fc.nat(VARIANTS - 1),
});

/** A choice that is seldom 9 MiB: three blocks of the hash, and too much to be sent in one piece. */
export const largeChoice: fc.Arbitrary<ContentChoice> = fc.oneof(
  { weight: 60, arbitrary: choice },
  { weight: 1, arbitrary: fc.record({ size: fc.constant(9 * MIB), variant: fc.nat(1) }) },
);

export function contentOf({ size, variant }: ContentChoice): Content {
  const name = `${size} ${variant}`;
  let content = made.get(name);
  if (content === undefined) {
    content = contentIn(bytesOf(size, variant));
    made.set(name, content);
  }
  return content;
}

export function contentIn(bytes: Buffer): Content {
  return {
    bytes,
    hash: etagOf(hashing, bytes),
    md5: createHash('md5').update(bytes).digest('hex'),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

export function wordsOf({ size, variant }: ContentChoice): string {
  return `${size} B #${variant}`;
}

/** No two variants have a byte in common at the same place. */
function bytesOf(size: number, variant: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at++) bytes[at] = (0xf8 + variant + at * 7 + (at >> 8)) & 0xff;
  return bytes;
}
