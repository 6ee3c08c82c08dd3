/** Node's hash functions for the tests of this package, which itself imports nothing of Node. */
import { createHash, createHmac } from 'node:crypto';
import type { Hashing } from '../src/hashing.ts';

export const hashing: Hashing = {
  sha1: () => createHash('sha1'),
  sha1Of: (bytes) => createHash('sha1').update(bytes).digest(),
  hmacSha1(secretKey, pieces) {
    const hmac = createHmac('sha1', secretKey);
    for (const piece of pieces) hmac.update(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
    return hmac.digest();
  },
};
