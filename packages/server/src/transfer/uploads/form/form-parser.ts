/**
 * Splits a multipart body into its parts as it streams. Pure: bytes go in, events come out, the same however the body was
 * cut into chunks. File bytes are slices of the input, never copied (except for a few at a chunk's edge).
 *
 * Our own code, because libraries hide what matters here: the raw bytes of a field (a key must be valid UTF-8, not be
 * made so), a part's type as it was sent or not sent at all, and a body that ends before its last boundary.
 */
import { ByteQueue } from '@millpond/base';
import { Fault } from '@millpond/protocol';

export type MultipartEvent =
  | { readonly kind: 'part'; readonly headers: ReadonlyMap<string, string> }
  | { readonly kind: 'data'; readonly bytes: Buffer }
  | { readonly kind: 'end' };

const MAX_HEADER_BYTES = 8 * 1024;
/** Far more than any form has. A part of twelve bytes costs as much as a kilobyte of a file. */
const MAX_PARTS = 1000;
/** A preamble is allowed but useless. */
const MAX_PREAMBLE_BYTES = 8 * 1024;
const CR = 13;
const LINE = Buffer.from('\r\n');
const BLANK_LINE = Buffer.from('\r\n\r\n');
const END: MultipartEvent = { kind: 'end' };

type State = 'preamble' | 'boundary' | 'headers' | 'body' | 'epilogue';

export class MultipartParser {
  readonly #delimiter: Buffer;
  readonly #mostParts: number;
  #state: State = 'preamble';
  /** Bytes that can't be judged until more arrive. */
  readonly #held = new ByteQueue();
  /** How far a part's headers have been searched for their end. */
  #searched = 0;
  #preambleBytes = 0;
  #parts = 0;

  constructor(boundary: string, maxParts = MAX_PARTS) {
    this.#mostParts = maxParts;
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
    // The first boundary has no line break before it; this one takes its place.
    this.#held.add(LINE);
  }

  push(chunk: Buffer): MultipartEvent[] {
    const events: MultipartEvent[] = [];
    this.#held.add(chunk);
    while (this.#held.length > 0) {
      const used = this.#step(this.#held.bytes, events);
      if (used === undefined) break;
      this.#held.drop(used);
    }
    this.#held.settle();
    return events;
  }

  /** Call when the body has ended: throws unless its last boundary was seen. */
  finish(): void {
    if (this.#state !== 'epilogue')
      throw new Fault('invalidForm', { hint: 'the body ends before its last boundary' });
  }

  /** How many bytes were consumed; undefined if more are needed to continue. */
  #step(bytes: Buffer, events: MultipartEvent[]): number | undefined {
    switch (this.#state) {
      case 'preamble':
        return this.#preamble(bytes);
      case 'boundary':
        return this.#boundary(bytes);
      case 'headers':
        return this.#headers(bytes, events);
      case 'body':
        return this.#body(bytes, events);
      case 'epilogue':
        return bytes.length;
    }
  }

  #preamble(bytes: Buffer): number | undefined {
    const at = bytes.indexOf(this.#delimiter);
    const end = at >= 0 ? at : this.#endBeforeDelimiter(bytes);
    this.#preambleBytes += end;
    if (this.#preambleBytes > MAX_PREAMBLE_BYTES)
      throw new Fault('invalidForm', { hint: 'the boundary is not in the body' });
    if (at < 0) return end === 0 ? undefined : end;
    this.#state = 'boundary';
    return at + this.#delimiter.length;
  }

  /** What follows a boundary: `--` ends the body, a line break (possibly after spaces) starts a part. */
  #boundary(bytes: Buffer): number | undefined {
    let at = 0;
    while (bytes[at] === 0x20 || bytes[at] === 0x09) at++;
    if (at > 64) throw new Fault('invalidForm', { hint: 'malformed boundary line' });
    const two = bytes.toString('latin1', at, at + 2);
    if (two.length < 2) return undefined;
    if (two === '--') this.#state = 'epilogue';
    else if (two === '\r\n') this.#state = 'headers';
    else throw new Fault('invalidForm', { hint: 'malformed boundary line' });
    // The line break stays: a part without headers starts with a blank line.
    return two === '--' ? at + 2 : at;
  }

  #headers(bytes: Buffer, events: MultipartEvent[]): number | undefined {
    const found = bytes.indexOf(BLANK_LINE, this.#searched);
    // A blank line that has only partly arrived starts at the third byte from the end at the earliest.
    const end = found < 0 ? bytes.length - BLANK_LINE.length + 1 : found;
    if (end > MAX_HEADER_BYTES) {
      throw new Fault('invalidForm', { hint: 'the headers of a part are too long' });
    }
    this.#searched = found < 0 ? Math.max(0, end) : 0;
    if (found < 0) return undefined;
    if (++this.#parts > this.#mostParts)
      throw new Fault('invalidForm', { hint: `there are more than ${this.#mostParts} parts` });
    events.push({ kind: 'part', headers: parseHeaders(bytes.toString('latin1', 2, end)) });
    this.#state = 'body';
    return end + BLANK_LINE.length;
  }

  #body(bytes: Buffer, events: MultipartEvent[]): number | undefined {
    const at = bytes.indexOf(this.#delimiter);
    const end = at >= 0 ? at : this.#endBeforeDelimiter(bytes);
    if (end > 0) events.push({ kind: 'data', bytes: bytes.subarray(0, end) });
    if (at < 0) return end === 0 ? undefined : end;
    events.push(END);
    this.#state = 'boundary';
    return at + this.#delimiter.length;
  }

  /** The end of the bytes that can't be the start of a delimiter. */
  #endBeforeDelimiter(bytes: Buffer): number {
    let at = bytes.indexOf(CR, Math.max(0, bytes.length - this.#delimiter.length + 1));
    while (at >= 0) {
      if (this.#delimiter.subarray(0, bytes.length - at).equals(bytes.subarray(at))) return at;
      at = bytes.indexOf(CR, at + 1);
    }
    return bytes.length;
  }
}

/** Names in lower case, no duplicates: an intermediary may have looked at the other one. */
function parseHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of text.split('\r\n')) {
    if (line === '') continue;
    const colon = line.indexOf(':');
    if (colon < 1) throw new Fault('invalidForm', { hint: 'malformed header of a part' });
    const name = line.slice(0, colon).trim().toLowerCase();
    if (headers.has(name))
      throw new Fault('invalidForm', { hint: `a part has the header ${name.slice(0, 40)} twice` });
    headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
}
