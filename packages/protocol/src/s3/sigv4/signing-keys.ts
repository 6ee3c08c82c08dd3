/** Signing keys of the day, kept: deriving one takes four hashes, and every request of a client needs the same. */
import type { SecretKey } from '../../hashing.ts';
import type { S3Hashing } from '../hashing.ts';
import { deriveSigningKey } from './canonical.ts';

/** Keeps the `most` latest made. A secret is part of the name it is kept by, so a changed one never finds the old key. */
export function createSigningKeys(
  hashing: S3Hashing,
  most = 1000,
): (secretKey: SecretKey, day: string, region: string) => Uint8Array {
  const keys = new Map<string, Uint8Array>();
  return (secretKey, day, region) => {
    if (typeof secretKey !== 'string') return deriveSigningKey(hashing, secretKey, day, region);
    const name = `${day}/${region}/${secretKey}`;
    const kept = keys.get(name);
    if (kept !== undefined) return kept;
    const key = deriveSigningKey(hashing, secretKey, day, region);
    if (keys.size >= most) keys.delete(keys.keys().next().value ?? '');
    keys.set(name, key);
    return key;
  };
}
