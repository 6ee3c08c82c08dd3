/** The lines after the last chunk: exactly the trailers that were announced, and their signature if chunks have one. */
import { S3Fault } from '../fault.ts';
import type { ChunkSignatures } from './signatures.ts';

const SIGNATURE_NAME = 'x-amz-trailer-signature';

export class TrailerReader {
  readonly #announced: ReadonlySet<string>;
  readonly #signatures: ChunkSignatures | undefined;
  readonly #values = new Map<string, string>();
  /** As they are signed. */
  #lines = '';
  #signature: string | undefined;

  constructor(announced: readonly string[], signatures: ChunkSignatures | undefined) {
    this.#announced = new Set(announced);
    this.#signatures = signatures;
  }

  get values(): ReadonlyMap<string, string> {
    return this.#values;
  }

  /** A line without its end; true once the empty line has come that ends them all. */
  take(line: string): boolean {
    if (line === '') {
      this.#judge();
      return true;
    }
    // Amazon's own example, and minio-go after it, end a line with one line feed more.
    const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([^\r\n]*)\n?$/.exec(line);
    if (match === null) throw malformed('a trailer is not name:value');
    const name = (match[1] ?? '').toLowerCase();
    const value = (match[2] ?? '').trim();
    if (this.#signature !== undefined) throw malformed('a trailer follows the signature');
    if (name === SIGNATURE_NAME && this.#signatures !== undefined && this.#announced.size > 0) {
      this.#signature = value;
      return false;
    }
    if (!this.#announced.has(name) || this.#values.has(name))
      throw malformed('a trailer was not announced in x-amz-trailer, or comes twice');
    this.#values.set(name, value);
    this.#lines += `${name}:${value}\n`;
    return false;
  }

  #judge(): void {
    if (this.#values.size < this.#announced.size)
      throw malformed('a trailer that x-amz-trailer announced is missing');
    if (this.#announced.size > 0) this.#signatures?.judgeTrailers(this.#lines, this.#signature ?? '');
  }
}

function malformed(hint: string): S3Fault {
  return new S3Fault('MalformedTrailerError', { hint });
}
