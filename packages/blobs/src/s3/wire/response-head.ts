/**
 * The head of an HTTP/1.1 answer, read strictly. Anything that is ambiguous (folded lines, two lengths, a length together with
 * chunks) is refused: a wrong guess about where an answer ends would hand the bytes of one reader to the next.
 */
import { WireError } from './faults.ts';

export interface ResponseHead {
  readonly status: number;
  /** Content-Length. */
  readonly length: number | undefined;
  readonly chunked: boolean;
  /** Whether the connection stays open after this answer. */
  readonly keepAlive: boolean;
  readonly contentRange: string | undefined;
  readonly etag: string | undefined;
  readonly storageClass: string | undefined;
}

export const HEAD_LIMIT = 16 * 1024;

const BEGIN = 'HTTP/1.';
const WHOLE_HEAD =
  /HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?\r\n(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*\r\n)*\r\n/y;
const FIELD =
  /\n(connection|content-length|content-range|etag|transfer-encoding|x-amz-storage-class):[\t ]*([^\r]*?)[\t ]*\r/gi;
const LENGTH = /^\d{1,15}$/;

/** Where the head at the start of the text ends, including its empty line; undefined: it is incomplete. */
export function endOfHead(text: string, searchFrom: number): number | undefined {
  const at = text.indexOf('\r\n\r\n', Math.max(0, searchFrom - 3));
  if (at >= 0 && at + 4 <= HEAD_LIMIT) return at + 4;
  if (at >= 0 || text.length >= HEAD_LIMIT) throw new WireError('WIRE_NOT_HTTP', 'the head is too long');
  // A server that does not speak HTTP may send a line and then wait for ours.
  if (!text.startsWith(BEGIN.slice(0, text.length))) throw new WireError('WIRE_NOT_HTTP', 'no status line');
  return undefined;
}

/** Reads the first `end` characters, which endOfHead found. */
export function parseHead(text: string, end: number): ResponseHead {
  WHOLE_HEAD.lastIndex = 0;
  const whole = WHOLE_HEAD.exec(text);
  if (!whole || WHOLE_HEAD.lastIndex !== end)
    throw new WireError('WIRE_NOT_HTTP', 'a header line is malformed');
  let length: number | undefined;
  let chunked = false;
  let keepAlive = whole[1] === '1';
  let contentRange: string | undefined;
  let etag: string | undefined;
  let storageClass: string | undefined;

  FIELD.lastIndex = 0;
  for (let field = FIELD.exec(whole[0]); field; field = FIELD.exec(whole[0])) {
    const [, name = '', value = ''] = field;
    switch (name.toLowerCase()) {
      case 'connection':
        if (/\bclose\b/i.test(value)) keepAlive = false;
        break;
      case 'content-range':
        contentRange = value;
        break;
      case 'etag':
        etag = value;
        break;
      case 'x-amz-storage-class':
        storageClass = value;
        break;
      case 'content-length':
        if (length !== undefined || !LENGTH.test(value))
          throw new WireError('WIRE_NOT_HTTP', 'the content length is not a single number');
        length = Number(value);
        break;
      default:
        if (chunked || value.toLowerCase() !== 'chunked')
          throw new WireError('WIRE_NOT_HTTP', 'an unknown transfer encoding');
        chunked = true;
    }
  }
  if (chunked && length !== undefined)
    throw new WireError('WIRE_NOT_HTTP', 'both a content length and chunks');
  return { status: Number(whole[2]), length, chunked, keepAlive, contentRange, etag, storageClass };
}
