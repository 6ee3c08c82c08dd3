/** The checksum of an object that was uploaded in parts. */
import type { S3Hashing } from '../hashing.ts';
import {
  type ChecksumAlgorithm,
  type ChecksumType,
  createChecksum,
  decodeChecksum,
  encodeChecksum,
} from './algorithms.ts';
import { type CrcPart, combineCrcs } from './combine.ts';

/**
 * COMPOSITE values end in `-<number of parts>`, by which clients know that they are not over the bytes. Undefined if a
 * part's value is not one of that algorithm, or if the algorithm can't be combined.
 */
export function checksumOfParts(
  hashing: S3Hashing,
  algorithm: ChecksumAlgorithm,
  type: ChecksumType,
  parts: readonly CrcPart[],
): string | undefined {
  if (type === 'FULL_OBJECT')
    return algorithm === 'SHA1' || algorithm === 'SHA256' ? undefined : combineCrcs(algorithm, parts);
  const running = createChecksum(hashing, algorithm);
  for (const { value } of parts) {
    const bytes = decodeChecksum(algorithm, value);
    if (bytes === undefined) return undefined;
    running.update(bytes);
  }
  return `${encodeChecksum(running.digest())}-${parts.length}`;
}

/** Whether the value that a completion gives is the object's: clients write a composite one with and without `-N`. */
export function isChecksumOfObject(stored: string, given: string): boolean {
  return given === stored || (!given.includes('-') && given === stored.replace(/-\d+$/, ''));
}
