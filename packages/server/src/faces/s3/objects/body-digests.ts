/** Compares a body with everything that its request says of it: the signed hash, Content-MD5, a checksum in header or trailer. */
import { createHash, type Hash } from 'node:crypto';
import type { Hasher } from '@millpond/protocol';
import {
  announcedTrailers,
  type ChecksumAlgorithm,
  checkPartAlgorithm,
  checksumElement,
  checksumHeader,
  createChecksum,
  encodeChecksum,
  readChecksumValue,
  readContentMd5,
  readGivenChecksum,
  S3Fault,
  verifyChecksum,
  verifyContentMd5,
  type XmlChildren,
} from '@millpond/protocol/s3';
import { nodeHashing } from '../../../platform/hashing.ts';
import type { S3Request } from '../s3.request.ts';

export interface CheckOptions {
  /** That of the upload, for parts of which the client gives none. */
  readonly algorithm?: ChecksumAlgorithm | undefined;
  /** The checksum in the headers is not of this body: a completion gives that of the object. */
  readonly isOfObject?: boolean;
}

/** A checksum as it is written, and of what. */
export interface ChecksumValue {
  readonly algorithm: ChecksumAlgorithm;
  readonly value: string;
  readonly type?: 'FULL_OBJECT' | 'COMPOSITE' | undefined;
}

export interface VerifiedDigests {
  readonly md5: Buffer;
  /** The one that was given or asked for. */
  readonly checksum: ChecksumValue | undefined;
}

interface GivenChecksum {
  readonly algorithm: ChecksumAlgorithm;
  readonly value: Uint8Array | undefined;
}

const EMPTY: ReadonlyMap<string, string> = new Map();

export class BodyChecks {
  /** Names that follow the body. */
  readonly trailers: readonly string[];
  readonly #md5 = createHash('md5');
  readonly #sha256: Hash | undefined;
  readonly #expectedSha256: string | undefined;
  readonly #expectedMd5: Uint8Array | undefined;
  readonly #given: GivenChecksum | undefined;
  readonly #algorithm: ChecksumAlgorithm | undefined;
  readonly #checksum: Hasher | undefined;

  /** Without a request there is nothing to compare with: bytes that were copied here. */
  constructor(request: S3Request | undefined, { algorithm, isOfObject = false }: CheckOptions = {}) {
    const headers = request === undefined ? EMPTY : new Map(request.headers());
    const payload = request?.payload;
    this.trailers = payload?.kind === 'chunked' && payload.trailers ? announcedTrailers(headers) : [];
    if (payload?.kind === 'hashed') {
      this.#sha256 = createHash('sha256');
      this.#expectedSha256 = payload.sha256;
    }
    this.#expectedMd5 = readContentMd5(headers);
    this.#given = isOfObject ? undefined : readGivenChecksum(headers, this.trailers);
    checkPartAlgorithm(algorithm, this.#given?.algorithm);
    this.#algorithm = this.#given?.algorithm ?? algorithm;
    this.#checksum = this.#algorithm && createChecksum(nodeHashing, this.#algorithm);
  }

  update(bytes: Uint8Array): void {
    this.#md5.update(bytes);
    this.#sha256?.update(bytes);
    this.#checksum?.update(bytes);
  }

  finish(trailers: ReadonlyMap<string, string> = EMPTY): VerifiedDigests {
    const md5 = this.#md5.digest();
    const sha256 = this.#sha256?.digest('hex');
    if (sha256 !== this.#expectedSha256)
      throw new S3Fault('XAmzContentSHA256Mismatch', {
        details: {
          ClientComputedContentSHA256: this.#expectedSha256 ?? '',
          S3ComputedContentSHA256: sha256 ?? '',
        },
      });
    if (this.#expectedMd5 !== undefined) verifyContentMd5(this.#expectedMd5, md5);
    return { md5, checksum: this.#finishChecksum(trailers) };
  }

  #finishChecksum(trailers: ReadonlyMap<string, string>): ChecksumValue | undefined {
    const [algorithm, computed] = [this.#algorithm, this.#checksum?.digest()];
    if (algorithm === undefined || computed === undefined) return undefined;
    if (this.#given !== undefined) {
      const trailer = trailers.get(checksumHeader(algorithm)) ?? '';
      verifyChecksum(algorithm, this.#given.value ?? readChecksumValue(algorithm, trailer), computed);
    }
    return { algorithm, value: encodeChecksum(computed) };
  }
}

/** In headers of answers to uploads. */
export function checksumHeaders(checksum: ChecksumValue | undefined): Record<string, string> {
  if (checksum === undefined) return {};
  const { algorithm, value, type } = checksum;
  return { [checksumHeader(algorithm)]: value, ...(type && { 'x-amz-checksum-type': type }) };
}

/** In XML answers. */
export function checksumElements(checksum: ChecksumValue | null | undefined): XmlChildren {
  if (!checksum) return {};
  return { [checksumElement(checksum.algorithm)]: checksum.value, ChecksumType: checksum.type };
}
