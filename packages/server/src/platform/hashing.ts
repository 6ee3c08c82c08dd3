/** The protocol's hash functions on Node, those of S3 included. */
import { createHash, createHmac, hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { HashInput, Hashing, SecretKey } from '@millpond/protocol';
import type { S3Hashing } from '@millpond/protocol/s3';

export const nodeHashing: Hashing & S3Hashing = {
  sha1: () => createHash('sha1'),
  sha1Of: (bytes) => hash('sha1', bytes, 'buffer'),
  hmacSha1: (secretKey, inputs) => hmac('sha1', secretKey, inputs),
  hmacSha256: (secretKey, inputs) => hmac('sha256', secretKey, inputs),
  md5: () => createHash('md5'),
  md5Of: (bytes) => hash('md5', bytes, 'buffer'),
  sha256: () => createHash('sha256'),
  sha256HexOf: (text) => hash('sha256', isAscii(text) ? text : Buffer.from(text, 'latin1'), 'hex'),
  hmacSha256HexOf: (key, text) => createHmac('sha256', key).update(text, 'latin1').digest('hex'),
  crc32,
};

function hmac(algorithm: string, secretKey: SecretKey, inputs: readonly HashInput[]): Buffer {
  const running = createHmac(algorithm, secretKey);
  for (const input of inputs) {
    if (typeof input === 'string') running.update(input, 'latin1');
    else running.update(input);
  }
  return running.digest();
}

/** The same bytes as UTF-8 and as a byte string. */
function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}
