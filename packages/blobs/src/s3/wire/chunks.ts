/**
 * The chunked transfer encoding, in which engines send lists and errors. Anything after the last chunk (trailers) is not read,
 * so the connection must not be reused.
 */
import { WireError } from './faults.ts';

const SIZE_LINE = /^([0-9a-f]{1,8})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?\r\n$/i;
const MAX_SIZE_LINE_LENGTH = 256;
const LINE_END = 0x0a;

export class ChunkedBody {
  /** Whether the last chunk has come. */
  ended = false;
  /** Bytes of the current chunk that are still to come. */
  #left = 0;
  /** The current line so far. */
  #line = '';
  #expects: 'size' | 'data' | 'line end' = 'size';

  /** Takes the next bytes; returns those that belong to the body. */
  read(bytes: Buffer): Buffer[] {
    const body: Buffer[] = [];
    let at = 0;
    while (at < bytes.length && !this.ended) {
      if (this.#expects === 'data') {
        const piece = bytes.subarray(at, at + this.#left);
        body.push(piece);
        at += piece.length;
        this.#left -= piece.length;
        if (this.#left === 0) this.#expects = 'line end';
      } else {
        const found = bytes.indexOf(LINE_END, at);
        const end = found < 0 ? bytes.length : found + 1;
        if (this.#line.length + end - at > MAX_SIZE_LINE_LENGTH) throw notChunked();
        this.#line += bytes.toString('latin1', at, end);
        at = end;
        if (found >= 0) this.#takeLine();
      }
    }
    return body;
  }

  #takeLine(): void {
    const line = this.#line;
    this.#line = '';
    if (this.#expects === 'line end') {
      if (line !== '\r\n') throw notChunked();
      this.#expects = 'size';
      return;
    }
    const size = SIZE_LINE.exec(line)?.[1];
    if (size === undefined) throw notChunked();
    this.#left = Number.parseInt(size, 16);
    this.#expects = 'data';
    this.ended = this.#left === 0;
  }
}

function notChunked(): WireError {
  return new WireError('WIRE_NOT_HTTP', 'the chunked body is malformed');
}
