/**
 * The chunked transfer encoding, for the small error bodies that some engines send so. What follows the last chunk
 * (trailers) is not read, so the connection that brought it is not to be used again.
 */
import { WireFault } from './faults.ts';

const SIZE_LINE = /^([0-9a-f]{1,8})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i;
const LONGEST_SIZE_LINE = 256;

/** With all their framing. */
const MOST_BYTES = 64 * 1024;

export class ChunkedBody {
  #bytes = Buffer.alloc(0);

  /** Takes the next bytes; the decoded body once its last chunk has come. */
  read(bytes: Buffer): Buffer | undefined {
    if (this.#bytes.length + bytes.length > MOST_BYTES)
      throw new WireFault('WIRE_NOT_HTTP', 'too large a body in chunks');
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    return decodeChunks(this.#bytes);
  }
}

/** The decoded body, or undefined if its last chunk has not come yet. */
function decodeChunks(bytes: Buffer): Buffer | undefined {
  const pieces: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at, 'latin1');
    if (lineEnd < 0 ? bytes.length - at > LONGEST_SIZE_LINE : lineEnd - at > LONGEST_SIZE_LINE)
      throw notChunked();
    if (lineEnd < 0) return undefined;
    const size = SIZE_LINE.exec(bytes.toString('latin1', at, lineEnd))?.[1];
    if (size === undefined) throw notChunked();
    const from = lineEnd + 2;
    const to = from + Number.parseInt(size, 16);
    if (to === from) return Buffer.concat(pieces);
    if (bytes.length < to + 2) return undefined;
    if (bytes[to] !== 0x0d || bytes[to + 1] !== 0x0a) throw notChunked();
    pieces.push(bytes.subarray(from, to));
    at = to + 2;
  }
}

function notChunked(): WireFault {
  return new WireFault('WIRE_NOT_HTTP', 'the chunks of the body are not chunks');
}
