/**
 * Takes an aws-chunked body apart as it streams: bytes go in, slices of them come out, the same however the body was
 * cut. Each chunk is hashed while it passes and never held, so its data comes out before its signature is judged:
 * nothing may become visible before `finish` has returned.
 *
 * Strict, because a proxy that reads a chunk's header differently from us would let one request hide in another: no
 * extensions but the signature, no bare line feeds, nothing after the end.
 */
import type { Hasher } from '../../hashing.ts';
import { encodeHex } from '../encodings.ts';
import { S3Fault } from '../fault.ts';
import type { S3Hashing } from '../hashing.ts';
import type { ChunkSigning } from '../sigv4/verify.ts';
import { ChunkSignatures } from './signatures.ts';
import { TrailerReader } from './trailers.ts';

export interface ChunkOptions {
  /** Signing state of the request, if its chunks are signed. */
  readonly signing?: ChunkSigning | undefined;
  /** Names that `x-amz-trailer` announced, in lower case; none if the payload has no trailers. */
  readonly trailers?: readonly string[] | undefined;
  /** `x-amz-decoded-content-length`; a body that can't seek has none. */
  readonly decodedLength?: number | undefined;
}

const MAX_LINE = 4096;
/** Minimum size of every chunk but the last, as on AWS: what a chunk costs must not be more than what its bytes cost. */
const MIN_CHUNK = 8192;
/** 1 PiB, more than any body: sizes stay exact numbers. */
const MAX_CHUNK = 2 ** 50;
const LF = 10;
const CR = 13;

export class ChunkDecoder {
  readonly #hashing: S3Hashing;
  readonly #signatures: ChunkSignatures | undefined;
  readonly #trailers: TrailerReader;
  readonly #decodedLength: number | undefined;
  #state: 'size' | 'data' | 'data end' | 'trailers' | 'end' = 'size';
  /** A line that has only partly arrived. */
  #line = '';
  /** What is left of the chunk, or of the line break after it. */
  #left = 0;
  #decoded = 0;
  /** Only the last one may be. */
  #hadSmallChunk = false;
  #hasher: Hasher | undefined;
  /** As the chunk's header gave it. */
  #signature = '';

  constructor(hashing: S3Hashing, { signing, trailers = [], decodedLength }: ChunkOptions) {
    this.#hashing = hashing;
    this.#signatures = signing && new ChunkSignatures(hashing, signing);
    this.#trailers = new TrailerReader(trailers, this.#signatures);
    this.#decodedLength = decodedLength;
  }

  /** How many bytes of the object have come out. */
  get decoded(): number {
    return this.#decoded;
  }

  /** The object's bytes among these, in order; slices, not copies. */
  push(bytes: Uint8Array): Uint8Array[] {
    const data: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; ) {
      switch (this.#state) {
        case 'data':
          at = this.#takeData(bytes, at, data);
          break;
        case 'data end':
          at = this.#takeDataEnd(bytes, at);
          break;
        case 'size':
        case 'trailers':
          at = this.#takeLine(bytes, at);
          break;
        case 'end':
          throw malformed('there are bytes after its end');
      }
    }
    return data;
  }

  /** Call when the body has ended: the trailers, if all of it arrived and every signature was right. */
  finish(): ReadonlyMap<string, string> {
    if (this.#state !== 'end') throw malformed('it ends before its last chunk');
    return this.#trailers.values;
  }

  #takeData(bytes: Uint8Array, at: number, data: Uint8Array[]): number {
    const end = Math.min(bytes.length, at + this.#left);
    const slice = bytes.subarray(at, end);
    this.#hasher?.update(slice);
    data.push(slice);
    this.#decoded += slice.length;
    this.#left -= slice.length;
    if (this.#left === 0) {
      this.#judgeChunk();
      this.#state = 'data end';
      this.#left = 2;
    }
    return end;
  }

  #takeDataEnd(bytes: Uint8Array, at: number): number {
    if (bytes[at] !== (this.#left === 2 ? CR : LF)) throw malformed('a chunk is longer than its size');
    if (--this.#left === 0) this.#state = 'size';
    return at + 1;
  }

  /** Lines end with CR and LF; an LF alone does not end one. */
  #takeLine(bytes: Uint8Array, at: number): number {
    const limit = Math.min(bytes.length, at + MAX_LINE - this.#line.length);
    let end = at;
    while (end < limit && bytes[end] !== LF) end++;
    const found = end < limit;
    const upTo = found ? end + 1 : end;
    this.#line += String.fromCharCode(...bytes.subarray(at, upTo));
    if (found && this.#line.endsWith('\r\n')) {
      const line = this.#line.slice(0, -2);
      this.#line = '';
      if (this.#state === 'size') this.#startChunk(line);
      else if (this.#trailers.take(line)) this.#state = 'end';
    } else if (this.#line.length >= MAX_LINE) throw malformed(`a line is longer than ${MAX_LINE} bytes`);
    return upTo;
  }

  #startChunk(line: string): void {
    const match = (this.#signatures === undefined ? UNSIGNED_HEADER : SIGNED_HEADER).exec(line);
    if (match === null) throw malformed('the header of a chunk is not as it must be');
    const size = Number.parseInt(match[1] ?? '', 16);
    this.#signature = match[2] ?? '';
    if (size > MAX_CHUNK || (this.#decodedLength !== undefined && size > this.#decodedLength - this.#decoded))
      throw malformed('a chunk is longer than what x-amz-decoded-content-length leaves');
    if (this.#hadSmallChunk && size > 0) throw new S3Fault('InvalidChunkSizeError');
    this.#hadSmallChunk = size < MIN_CHUNK;
    if (this.#signatures !== undefined) this.#hasher = this.#hashing.sha256();
    this.#left = size;
    this.#state = 'data';
    if (size > 0) return;
    this.#judgeChunk();
    if (this.#decodedLength !== undefined && this.#decoded !== this.#decodedLength)
      throw malformed('it is shorter than x-amz-decoded-content-length says');
    this.#state = 'trailers';
  }

  #judgeChunk(): void {
    if (this.#hasher === undefined) return;
    this.#signatures?.judgeChunk(encodeHex(this.#hasher.digest()), this.#signature);
    this.#hasher = undefined;
  }
}

const UNSIGNED_HEADER = /^([0-9a-fA-F]{1,16})$/;
const SIGNED_HEADER = /^([0-9a-fA-F]{1,16});chunk-signature=([0-9a-f]{64})$/;

function malformed(why: string): S3Fault {
  return new S3Fault('IncompleteBody', {
    message: `The request body is not a whole aws-chunked body: ${why}.`,
  });
}
