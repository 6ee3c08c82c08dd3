/** The digests that a request gives of its body, in headers and in trailers, and the refusal of wrong ones. */
import { equalBytes } from '../../equal-bytes.ts';
import { decodePlainBase64 } from '../encodings.ts';
import { S3Fault } from '../fault.ts';
import { algorithmNamed, algorithmOfHeader, type ChecksumAlgorithm, decodeChecksum } from './algorithms.ts';

/** By name in lower case. */
export type HeaderMap = ReadonlyMap<string, string>;

export interface GivenChecksum {
  readonly algorithm: ChecksumAlgorithm;
  /** Undefined if it comes in a trailer. */
  readonly value: Uint8Array | undefined;
}

const SETTINGS = new Set(['x-amz-checksum-mode', 'x-amz-checksum-algorithm', 'x-amz-checksum-type']);

/**
 * The one checksum that a request has, if any, in a header or announced as a trailer. Not for completing an upload in
 * parts, whose header is of the object and not of the body.
 */
export function readGivenChecksum(
  headers: HeaderMap,
  trailers: readonly string[] = [],
): GivenChecksum | undefined {
  const sdk = headers.get('x-amz-sdk-checksum-algorithm');
  if (sdk !== undefined && sdk !== '' && algorithmNamed(sdk) === undefined)
    throw invalid('Value for x-amz-sdk-checksum-algorithm header is invalid.');
  const found: GivenChecksum[] = [];
  for (const name of [...headers.keys(), ...trailers]) {
    if (!name.startsWith('x-amz-checksum-') || SETTINGS.has(name)) continue;
    const algorithm = algorithmOfHeader(name);
    if (algorithm === undefined)
      throw invalid('The algorithm type you specified in x-amz-checksum- header is invalid.');
    const value = headers.get(name);
    found.push({ algorithm, value: value === undefined ? undefined : readChecksumValue(algorithm, value) });
  }
  if (found.length > 1)
    throw invalid('Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.');
  return found[0];
}

/** The names in `x-amz-trailer`; all of them must be checksums. */
export function announcedTrailers(headers: HeaderMap): string[] {
  const names = (headers.get('x-amz-trailer') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  if (names.some((name) => algorithmOfHeader(name) === undefined))
    throw invalid('The value specified in the x-amz-trailer header is not supported');
  return names;
}

/** Decodes a checksum header or trailer; malformed is a mismatch. */
export function readChecksumValue(algorithm: ChecksumAlgorithm, text: string): Uint8Array {
  const value = decodeChecksum(algorithm, text.trim());
  if (value === undefined) throw wrongChecksum(algorithm);
  return value;
}

export function verifyChecksum(algorithm: ChecksumAlgorithm, given: Uint8Array, computed: Uint8Array): void {
  if (!equalBytes(given, computed)) throw wrongChecksum(algorithm);
}

export function wrongChecksum(algorithm: ChecksumAlgorithm): S3Fault {
  return new S3Fault('BadDigest', {
    message: `The ${algorithm} you specified did not match the calculated checksum.`,
  });
}

/** Content-MD5; an empty one is malformed too. */
export function readContentMd5(headers: HeaderMap): Uint8Array | undefined {
  const text = headers.get('content-md5');
  if (text === undefined) return undefined;
  const value = decodePlainBase64(text);
  if (value?.length !== 16)
    throw new S3Fault('InvalidDigest', { details: { 'Content-MD5': text.slice(0, 64) } });
  return value;
}

export function verifyContentMd5(given: Uint8Array, computed: Uint8Array): void {
  if (!equalBytes(given, computed)) throw new S3Fault('BadDigest');
}

/** A part must have the checksum that its upload was begun with. */
export function checkPartAlgorithm(
  ofUpload: ChecksumAlgorithm | undefined,
  ofPart: ChecksumAlgorithm | undefined,
): void {
  if (ofUpload === undefined || ofPart === undefined || ofUpload === ofPart) return;
  throw invalid(
    `Checksum Type mismatch occurred, expected checksum Type: ${ofUpload.toLowerCase()}, actual checksum Type: ${ofPart.toLowerCase()}`,
  );
}

function invalid(message: string): S3Fault {
  return new S3Fault('InvalidRequest', { message });
}
