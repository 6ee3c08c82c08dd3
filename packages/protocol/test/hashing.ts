/** Node's hash functions for the tests of this package, which itself imports nothing of Node. */
import { createHash, createHmac } from 'node:crypto';
import type { Hashing, Piece, SecretKey } from '../src/hashing.ts';

export const hashing: Hashing = {
  sha1: () => createHash('sha1'),
  sha1Of: (bytes) => createHash('sha1').update(bytes).digest(),
  hmacSha1: (secretKey, pieces) => hmac('sha1', secretKey, pieces),
  hmacSha256: (secretKey, pieces) => hmac('sha256', secretKey, pieces),
};

function hmac(algorithm: string, secretKey: SecretKey, pieces: readonly Piece[]): Uint8Array {
  const running = createHmac(algorithm, secretKey);
  for (const piece of pieces)
    running.update(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
  return running.digest();
}
