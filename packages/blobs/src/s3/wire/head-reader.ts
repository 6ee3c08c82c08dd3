/** Finds the head of an answer in the incoming bytes, however they are split, and skips provisional answers. */
import { WireError } from './faults.ts';
import { endOfHead, HEAD_LIMIT, parseHead, type ResponseHead } from './response-head.ts';

/** How much is decoded to text at first: more than any usual head, and far less than a slab. */
const USUAL_HEAD = 1024;

export class HeadReader {
  /** Where the body begins in the piece that was read last. */
  end = 0;
  #text = '';

  /** Whether part of a head has arrived. */
  get begun(): boolean {
    return this.#text !== '';
  }

  /** Reads the first `count` bytes; undefined: the head is not complete yet. */
  read(bytes: Buffer, count: number): ResponseHead | undefined {
    let searchFrom = this.#text.length;
    let taken = Math.min(count, USUAL_HEAD);
    let text = this.#text + bytes.toString('latin1', 0, taken);
    for (;;) {
      const end = endOfHead(text, searchFrom);
      if (end !== undefined) {
        const head = parseHead(text, end);
        if (head.status >= 200) {
          this.end = taken - (text.length - end);
          this.#text = '';
          return head;
        }
        if (head.status === 101) throw new WireError('WIRE_NOT_HTTP', 'another protocol');
        text = text.slice(end);
        searchFrom = 0;
      } else if (taken < count) {
        searchFrom = text.length;
        const more = Math.min(count, taken + HEAD_LIMIT);
        text += bytes.toString('latin1', taken, more);
        taken = more;
      } else {
        this.#text = text;
        return undefined;
      }
    }
  }
}
