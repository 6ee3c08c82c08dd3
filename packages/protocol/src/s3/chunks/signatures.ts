/** The chain of signatures through a body: each chunk's contains the one before it, the first the request's own. */
import { equalTexts } from '../../equal-bytes.ts';
import { S3Fault } from '../fault.ts';
import type { S3Hashing } from '../hashing.ts';
import { signatureOf } from '../sigv4/canonical.ts';
import type { ChunkSigning } from '../sigv4/verify.ts';

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export class ChunkSignatures {
  readonly #hashing: S3Hashing;
  readonly #signing: ChunkSigning;
  #previous: string;

  constructor(hashing: S3Hashing, signing: ChunkSigning) {
    this.#hashing = hashing;
    this.#signing = signing;
    this.#previous = signing.seed;
  }

  judgeChunk(dataSha256: string, given: string): void {
    this.#judge(`AWS4-HMAC-SHA256-PAYLOAD\n${this.#place()}\n${EMPTY_SHA256}\n${dataSha256}`, given);
  }

  /** `lines`: each trailer as `name:value` and a line feed. */
  judgeTrailers(lines: string, given: string): void {
    const hash = this.#hashing.sha256HexOf(lines);
    this.#judge(`AWS4-HMAC-SHA256-TRAILER\n${this.#place()}\n${hash}`, given);
  }

  #place(): string {
    return `${this.#signing.date}\n${this.#signing.scope}\n${this.#previous}`;
  }

  #judge(text: string, given: string): void {
    const expected = signatureOf(this.#hashing, this.#signing.signingKey, text);
    if (!equalTexts(expected, given))
      throw new S3Fault('SignatureDoesNotMatch', {
        details: {
          AWSAccessKeyId: this.#signing.accessKey,
          StringToSign: text,
          SignatureProvided: given.slice(0, 128),
        },
      });
    this.#previous = expected;
  }
}
