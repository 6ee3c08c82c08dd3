/** Compares a body with everything that its request says of it: the signed hash, Content-MD5. */
import { createHash, type Hash } from 'node:crypto';
import { S3Fault, type XmlChildren } from '@millpond/protocol/s3';
import type { StoredChecksum } from '../../objects/index.ts';
import type { S3Request } from '../request.ts';

export class BodyChecks {
  readonly #md5 = createHash('md5');
  readonly #sha256: Hash | undefined;
  readonly #expectedSha256: string | undefined;
  readonly #expectedMd5: Buffer | undefined;

  constructor(request: S3Request | undefined) {
    const { payload } = request ?? {};
    if (payload?.kind === 'hashed') {
      this.#sha256 = createHash('sha256');
      this.#expectedSha256 = payload.sha256;
    }
    this.#expectedMd5 = contentMd5(request?.header('content-md5'));
  }

  take(bytes: Uint8Array): void {
    this.#md5.update(bytes);
    this.#sha256?.update(bytes);
  }

  finish(): { readonly md5: Buffer } {
    const md5 = this.#md5.digest();
    const sha256 = this.#sha256?.digest('hex');
    if (sha256 !== this.#expectedSha256)
      throw new S3Fault('XAmzContentSHA256Mismatch', {
        details: {
          ClientComputedContentSHA256: this.#expectedSha256 ?? '',
          S3ComputedContentSHA256: sha256 ?? '',
        },
      });
    if (this.#expectedMd5 !== undefined && !md5.equals(this.#expectedMd5))
      throw new S3Fault('BadDigest', {
        details: {
          ExpectedDigest: this.#expectedMd5.toString('base64'),
          CalculatedDigest: md5.toString('base64'),
        },
      });
    return { md5 };
  }
}

function contentMd5(text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined;
  const md5 = Buffer.from(text, 'base64');
  if (md5.length !== 16 || md5.toString('base64') !== text.trim())
    throw new S3Fault('InvalidDigest', { details: { 'Content-MD5': text } });
  return md5;
}

/** In XML answers. */
export function checksumElements(checksum: StoredChecksum | null | undefined): XmlChildren {
  if (!checksum) return {};
  return { [`Checksum${checksum.algorithm}`]: checksum.value, ChecksumType: checksum.type };
}
