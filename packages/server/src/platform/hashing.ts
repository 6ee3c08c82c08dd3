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
  sha256HexOf: (text) => hash('sha256', isAscii(text) ? text : Buffer.from(text, 'latin1'), 'hex'),
  hmacSha256HexOf: (key, text) => createHmac('sha256', key).update(text, 'latin1').digest('hex'),
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

/** The same bytes as UTF-8 and as a byte string. */
function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}
