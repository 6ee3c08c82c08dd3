/** Node's hash functions for the tests of this package, which itself imports nothing of Node. */
import { createHash, createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { HashInput, Hashing, SecretKey } from '../src/hashing.ts';
import type { S3Hashing } from '../src/s3/hashing.ts';

export const hashing: Hashing & S3Hashing = {
  sha1: () => createHash('sha1'),
  sha1Of: (bytes) => createHash('sha1').update(bytes).digest(),
  hmacSha1: (secretKey, inputs) => hmac('sha1', secretKey, inputs),
  hmacSha256: (secretKey, inputs) => hmac('sha256', secretKey, inputs),
  md5: () => createHash('md5'),
  md5Of: (bytes) => createHash('md5').update(bytes).digest(),
  sha256: () => createHash('sha256'),
  sha256HexOf: (text) => createHash('sha256').update(text, 'latin1').digest('hex'),
  hmacSha256HexOf: (key, text) => createHmac('sha256', key).update(text, 'latin1').digest('hex'),
  crc32,
};

function hmac(algorithm: string, secretKey: SecretKey, inputs: readonly HashInput[]): Uint8Array {
  const running = createHmac(algorithm, secretKey);
  for (const input of inputs) running.update(bytesOf(input));
  return running.digest();
}

function bytesOf(input: HashInput): Uint8Array {
  return typeof input === 'string' ? Buffer.from(input, 'latin1') : input;
}
