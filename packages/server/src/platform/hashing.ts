/** The protocol's hash functions on Node, those of S3 included. */
import { createHash, createHmac, hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Hashing, Piece, SecretKey } from '@millpond/protocol';
import type { S3Hashing } from '@millpond/protocol/s3';

export const nodeHashing: Hashing & S3Hashing = {
  sha1: () => createHash('sha1'),
  sha1Of: (bytes) => hash('sha1', bytes, 'buffer'),
  hmacSha1: (secretKey, pieces) => hmac('sha1', secretKey, pieces),
  hmacSha256: (secretKey, pieces) => hmac('sha256', secretKey, pieces),
  md5: () => createHash('md5'),
  md5Of: (bytes) => hash('md5', bytes, 'buffer'),
  sha256: () => createHash('sha256'),
  sha256Of: (piece) =>
    hash('sha256', typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece, 'buffer'),
  crc32,
};

function hmac(algorithm: string, secretKey: SecretKey, pieces: readonly Piece[]): Buffer {
  const running = createHmac(algorithm, secretKey);
  for (const piece of pieces) {
    if (typeof piece === 'string') running.update(piece, 'latin1');
    else running.update(piece);
  }
  return running.digest();
}
