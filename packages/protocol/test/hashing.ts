/** Node's hash functions for the tests of this package, which itself imports nothing of Node. */
import { createHash, createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Hashing, Piece, SecretKey } from '../src/hashing.ts';
import type { S3Hashing } from '../src/s3/hashing.ts';

export const hashing: Hashing & S3Hashing = {
  sha1: () => createHash('sha1'),
  sha1Of: (bytes) => createHash('sha1').update(bytes).digest(),
  hmacSha1: (secretKey, pieces) => hmac('sha1', secretKey, pieces),
  hmacSha256: (secretKey, pieces) => hmac('sha256', secretKey, pieces),
  md5: () => createHash('md5'),
  md5Of: (bytes) => createHash('md5').update(bytes).digest(),
  sha256: () => createHash('sha256'),
  sha256HexOf: (text) => createHash('sha256').update(text, 'latin1').digest('hex'),
  hmacSha256HexOf: (key, text) => createHmac('sha256', key).update(text, 'latin1').digest('hex'),
  crc32,
};

function hmac(algorithm: string, secretKey: SecretKey, pieces: readonly Piece[]): Uint8Array {
  const running = createHmac(algorithm, secretKey);
  for (const piece of pieces) running.update(bytesOf(piece));
  return running.digest();
}

function bytesOf(piece: Piece): Uint8Array {
  return typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece;
}
