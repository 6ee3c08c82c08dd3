/** The hash functions of the protocol, with Node. */
import { createHash, createHmac, hash } from 'node:crypto';
import type { HashInput, Hashing, SecretKey } from '@millpond/protocol';

export const hashing: Hashing = {
  sha1: () => createHash('sha1'),
  sha1Of: (bytes) => hash('sha1', bytes, 'buffer'),
  hmacSha1: (secretKey, inputs) => hmac('sha1', secretKey, inputs),
  hmacSha256: (secretKey, inputs) => hmac('sha256', secretKey, inputs),
};

function hmac(algorithm: string, secretKey: SecretKey, inputs: readonly HashInput[]): Buffer {
  const running = createHmac(algorithm, secretKey);
  for (const input of inputs)
    running.update(typeof input === 'string' ? Buffer.from(input, 'latin1') : input);
  return running.digest();
}
