/** The protocol's hash functions on Node. */
import { createHash, createHmac, hash } from 'node:crypto';
import type { Hashing } from '@millpond/protocol';

export const nodeHashing: Hashing = {
  sha1: () => createHash('sha1'),
  sha1Of: (bytes) => hash('sha1', bytes, 'buffer'),
  hmacSha1(secretKey, pieces) {
    const hmac = createHmac('sha1', secretKey);
    for (const piece of pieces) {
      if (typeof piece === 'string') hmac.update(piece, 'latin1');
      else hmac.update(piece);
    }
    return hmac.digest();
  },
};
