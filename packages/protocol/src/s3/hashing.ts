/** The hash functions of S3, supplied by the caller as those of the interface are. */
import type { Hasher, Hashing } from '../hashing.ts';

export interface S3Hashing extends Pick<Hashing, 'sha1' | 'sha1Of' | 'hmacSha1' | 'hmacSha256'> {
  md5(): Hasher;
  md5Of(bytes: Uint8Array): Uint8Array;
  sha256(): Hasher;
  /** In lower-case hex, of what every request signs: byte strings. A digest as bytes would cost more than the hash. */
  sha256HexOf(text: string): string;
  hmacSha256HexOf(key: Uint8Array, text: string): string;
  /** The CRC-32 of zlib over further bytes, `previous` being that of the bytes before them (0 at the start). */
  crc32(bytes: Uint8Array, previous: number): number;
}
