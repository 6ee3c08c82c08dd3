/**
 * Cuts the bytes of a connection into messages, by Content-Length, one per call: if a sender puts many into one piece, they are
 * handled one after the other. A sender that exceeds a limit is a `SipParseError`, after which the connection is useless.
 */
import { ByteQueue } from '@millpond/base';
import { SipParseError } from './fault.ts';
import { contentLength, MAX_HEAD_BYTES, MAX_MESSAGE_BYTES } from './message.ts';

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const BLANK = Buffer.alloc(0);
const CR = 13;
const LF = 10;

export class MessageFramer {
  readonly #held = new ByteQueue();
  /** The end of the head is not before this. */
  #searched = 0;
  /** The length of the current message, once its head is complete. */
  #wanted: number | undefined;

  /** Call this when `next` has nothing more to give, so that no more is held than a message and a chunk. */
  add(chunk: Buffer): void {
    this.#held.add(chunk);
  }

  /** A complete message, as a separate copy; empty: blank lines, which keep a connection alive (RFC 5626). */
  next(): Buffer | undefined {
    const blank = this.#blankBytes();
    if (blank > 0) {
      this.#drop(blank);
      return BLANK;
    }
    this.#wanted ??= this.#wholeLength();
    if (this.#wanted === undefined || this.#held.length < this.#wanted) {
      this.#held.settle();
      return undefined;
    }
    const message = Buffer.from(this.#held.bytes.subarray(0, this.#wanted));
    this.#drop(this.#wanted);
    return message;
  }

  get heldBytes(): number {
    return this.#held.length;
  }

  get memoryBytes(): number {
    return this.#held.memoryBytes;
  }

  #blankBytes(): number {
    if (this.#wanted !== undefined || this.#searched > 0) return 0;
    const { bytes } = this.#held;
    let blank = 0;
    while (blank + 1 < bytes.length && bytes[blank] === CR && bytes[blank + 1] === LF) blank += 2;
    return blank;
  }

  #wholeLength(): number | undefined {
    const begin = this.#held.bytes.subarray(0, MAX_HEAD_BYTES + END_OF_HEAD.length);
    const end = begin.indexOf(END_OF_HEAD, this.#searched);
    if (end < 0) {
      if (begin.length > MAX_HEAD_BYTES) throw new SipParseError('the head does not end');
      this.#searched = Math.max(0, begin.length - END_OF_HEAD.length + 1);
      return undefined;
    }
    const head = begin.toString('latin1', 0, end);
    const lengths = head.match(/^(?:content-length|l)[ \t]*:.*$/gim) ?? [];
    const [line, ...more] = lengths;
    if (line === undefined || more.length > 0) throw new SipParseError('content-length must be given once');
    const whole = end + END_OF_HEAD.length + contentLength(line.slice(line.indexOf(':') + 1).trim());
    if (whole > MAX_MESSAGE_BYTES) throw new SipParseError('longer than a message may be');
    return whole;
  }

  #drop(count: number): void {
    this.#held.drop(count);
    this.#searched = 0;
    this.#wanted = undefined;
  }
}
