/** The checksums of S3 and their many names. Values are plain Base64 of the bytes, the highest first. */
import type { Hasher } from '../../hashing.ts';
import { decodePlainBase64, encodePlainBase64 } from '../encodings.ts';
import { S3Fault } from '../fault.ts';
import type { S3Hashing } from '../hashing.ts';
import { createCrc32, createCrc32c } from './crc32.ts';
import { createCrc64 } from './crc64.ts';

export type ChecksumAlgorithm = 'CRC32' | 'CRC32C' | 'CRC64NVME' | 'SHA1' | 'SHA256';
/** Over all bytes, or over the checksums of the parts. */
export type ChecksumType = 'FULL_OBJECT' | 'COMPOSITE';

interface AlgorithmRow {
  readonly bytes: number;
  /** Checksum types that uploads in parts may have, the default first; one PUT is always FULL_OBJECT. */
  readonly types: readonly [ChecksumType, ...ChecksumType[]];
  create(hashing: S3Hashing): Hasher;
}

const rows: Readonly<Record<ChecksumAlgorithm, AlgorithmRow>> = {
  CRC32: {
    bytes: 4,
    types: ['COMPOSITE', 'FULL_OBJECT'],
    create: (hashing) => createCrc32(hashing),
  },
  CRC32C: { bytes: 4, types: ['COMPOSITE', 'FULL_OBJECT'], create: () => createCrc32c() },
  CRC64NVME: { bytes: 8, types: ['FULL_OBJECT'], create: () => createCrc64() },
  SHA1: { bytes: 20, types: ['COMPOSITE'], create: (hashing) => hashing.sha1() },
  SHA256: { bytes: 32, types: ['COMPOSITE'], create: (hashing) => hashing.sha256() },
};

export const checksumAlgorithms = Object.keys(rows) as readonly ChecksumAlgorithm[];

const byName = new Map(checksumAlgorithms.map((algorithm) => [algorithm.toLowerCase(), algorithm]));

/** In any case; undefined if we have no such algorithm. */
export function algorithmNamed(name: string): ChecksumAlgorithm | undefined {
  return byName.get(name.toLowerCase());
}

/** As `x-amz-checksum-algorithm` names it. */
export function parseChecksumAlgorithm(name: string): ChecksumAlgorithm {
  const algorithm = algorithmNamed(name.trim());
  if (algorithm === undefined)
    throw new S3Fault('InvalidRequest', {
      message: 'Checksum algorithm provided is unsupported. Please try again with any of the valid types:',
      hint: checksumAlgorithms.join(', '),
    });
  return algorithm;
}

/** The header or trailer that carries its value. */
export function checksumHeader(algorithm: ChecksumAlgorithm): string {
  return `x-amz-checksum-${algorithm.toLowerCase()}`;
}

export function algorithmOfHeader(header: string): ChecksumAlgorithm | undefined {
  return header.startsWith('x-amz-checksum-')
    ? algorithmNamed(header.slice('x-amz-checksum-'.length))
    : undefined;
}

/** The element that carries its value. */
export function checksumElement(algorithm: ChecksumAlgorithm): `Checksum${ChecksumAlgorithm}` {
  return `Checksum${algorithm}`;
}

/** Checksum type of an upload in parts: the requested one, or the algorithm's default. */
export function checksumTypeOf(algorithm: ChecksumAlgorithm, asked?: string): ChecksumType {
  const { types } = rows[algorithm];
  if (asked === undefined) return types[0];
  const type = types.find((one) => one === asked.toUpperCase());
  if (type === undefined)
    throw new S3Fault('InvalidRequest', {
      message: `The ${asked.slice(0, 32)} checksum type cannot be used with the ${algorithm.toLowerCase()} checksum algorithm.`,
    });
  return type;
}

/** Its digest is the value's bytes. */
export function createChecksum(hashing: S3Hashing, algorithm: ChecksumAlgorithm): Hasher {
  return rows[algorithm].create(hashing);
}

export function encodeChecksum(bytes: Uint8Array): string {
  return encodePlainBase64(bytes);
}

/** Undefined unless it is Base64 of as many bytes as the algorithm has. */
export function decodeChecksum(algorithm: ChecksumAlgorithm, value: string): Uint8Array | undefined {
  const bytes = decodePlainBase64(value);
  return bytes?.length === rows[algorithm].bytes ? bytes : undefined;
}
