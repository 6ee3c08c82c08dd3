/** Hashes content with Node, synchronously: a thread would cost more than hashing a block of 4 MiB. */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Digests } from '../core/digests.ts';
import { hashing } from './hashing.ts';

export const nodeDigests: Digests = {
  sha1: (bytes) => hash('sha1', bytes, 'buffer'),
  crc32: (bytes) => crc32(bytes),
  hashing,
};
