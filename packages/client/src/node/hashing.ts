/** The hash functions of the protocol, with Node. */
import { createHash, createHmac, hash } from 'node:crypto';
import type { Hashing, Piece, SecretKey } from '@millpond/protocol';

export const hashing: Hashing = {
  sha1: () => createHash('sha1'),
  sha1Of: (bytes) => hash('sha1', bytes, 'buffer'),
  hmacSha1: (secretKey, pieces) => hmac('sha1', secretKey, pieces),
  hmacSha256: (secretKey, pieces) => hmac('sha256', secretKey, pieces),
};

function hmac(algorithm: string, secretKey: SecretKey, pieces: readonly Piece[]): Buffer {
  const running = createHmac(algorithm, secretKey);
  for (const piece of pieces)
    running.update(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
  return running.digest();
}
