/**
 * Cuts the bytes of a connection into messages, by Content-Length. Holds at most one message that is not whole; a sender that
 * goes beyond any bound is a `SipFault`, after which the connection is worth nothing.
 */
import { SipFault } from './fault.ts';
import { contentLength, MAX_MESSAGE_BYTES } from './message.ts';

const MAX_HEAD_BYTES = 16_384;
const FIRST_BUFFER = 2_048;
const END_OF_HEAD = Buffer.from('\r\n\r\n');
const CR = 13;
const LF = 10;

export class Frames {
  #held = Buffer.alloc(0);
  #length = 0;
  /** Up to here there is no end of the head. */
  #searched = 0;
  /** Of the message that has begun, once its head is there. */
  #wanted: number | undefined;

  /** The messages that are whole now; each is a copy of its own. */
  add(chunk: Uint8Array): Buffer[] {
    const whole: Buffer[] = [];
    let at = 0;
    while (at < chunk.length) {
      // Never more than one message's worth at a time, so that what is held stays bounded whatever comes in one chunk.
      const room = Math.min(chunk.length - at, MAX_MESSAGE_BYTES + 1 - this.#length);
      this.#append(chunk.subarray(at, at + room));
      at += room;
      for (let message = this.#next(); message !== undefined; message = this.#next()) whole.push(message);
      if (this.#length > MAX_MESSAGE_BYTES) throw new SipFault('longer than a message may be');
    }
    return whole;
  }

  get heldBytes(): number {
    return this.#length;
  }

  #next(): Buffer | undefined {
    this.#skipBlankLines();
    this.#wanted ??= this.#wholeLength();
    if (this.#wanted === undefined || this.#length < this.#wanted) return undefined;
    const message = Buffer.from(this.#held.subarray(0, this.#wanted));
    this.#drop(this.#wanted);
    return message;
  }

  /** Between messages they keep the connection alive (RFC 5626). */
  #skipBlankLines(): void {
    if (this.#wanted !== undefined || this.#searched > 0) return;
    let blank = 0;
    while (blank + 1 < this.#length && this.#held[blank] === CR && this.#held[blank + 1] === LF) blank += 2;
    if (blank > 0) this.#drop(blank);
  }

  #wholeLength(): number | undefined {
    const end = this.#held.subarray(0, this.#length).indexOf(END_OF_HEAD, this.#searched);
    if (end < 0) {
      if (this.#length > MAX_HEAD_BYTES) throw new SipFault('the head does not end');
      this.#searched = Math.max(0, this.#length - END_OF_HEAD.length + 1);
      return undefined;
    }
    if (end > MAX_HEAD_BYTES) throw new SipFault('the head does not end');
    const head = this.#held.toString('latin1', 0, end);
    const lengths = head.match(/^(?:content-length|l)[ \t]*:.*$/gim) ?? [];
    const [line, ...more] = lengths;
    if (line === undefined || more.length > 0) throw new SipFault('content-length must be there once');
    return end + END_OF_HEAD.length + contentLength(line.slice(line.indexOf(':') + 1).trim());
  }

  #append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#held.length) {
      const grown = Buffer.alloc(
        Math.max(length, FIRST_BUFFER, Math.min(2 * this.#held.length, MAX_MESSAGE_BYTES + 1)),
      );
      this.#held.copy(grown, 0, 0, this.#length);
      this.#held = grown;
    }
    this.#held.set(bytes, this.#length);
    this.#length = length;
  }

  #drop(count: number): void {
    this.#held.copy(this.#held, 0, count, this.#length);
    this.#length -= count;
    this.#searched = 0;
    this.#wanted = undefined;
    // An idle connection holds no memory.
    if (this.#length === 0) this.#held = Buffer.alloc(0);
  }
}
