/**
 * SIP messages (RFC 3261) as far as cameras speak it, read strictly and within bounds: anything that is not exactly a message
 * is a `SipParseError`, and nothing that a sender wrote can become a separate line in what we answer.
 */
import { SipParseError } from './fault.ts';

/** Also the most that a datagram can hold. */
export const MAX_MESSAGE_BYTES = 65_535;
export const MAX_HEAD_BYTES = 16_384;
const MAX_HEADERS = 64;
const MAX_VIAS = 16;
const MAX_CSEQ = 2 ** 31 - 1;

interface Parts {
  /** Full names in lower case; values in order of arrival. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly via: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly callId: string;
  readonly cseq: { readonly number: number; readonly method: string };
  readonly body: Buffer;
}

export interface SipRequest extends Parts {
  readonly kind: 'request';
  readonly method: string;
  readonly uri: string;
}

export interface SipResponse extends Parts {
  readonly kind: 'response';
  readonly status: number;
  /** The reason phrase; non-ASCII characters are left out. */
  readonly reason: string;
}

export type SipMessage = SipRequest | SipResponse;

const SHORT_NAMES: Readonly<Record<string, string>> = {
  c: 'content-type',
  e: 'content-encoding',
  f: 'from',
  i: 'call-id',
  k: 'supported',
  l: 'content-length',
  m: 'contact',
  s: 'subject',
  t: 'to',
  v: 'via',
};

const REQUEST_LINE = /^([A-Z]{1,20}) (sips?:[\x21-\x7e]{1,512}) SIP\/2\.0$/;
const STATUS_LINE = /^SIP\/2\.0 ([1-6]\d\d)(?: ([^\r\n]{0,200}))?$/;
const HEADER_NAME = /^[A-Za-z0-9.!%*_+`'~-]{1,64}$/;
const CSEQ = /^(\d{1,10})[ \t]+([A-Z]{1,20})$/;
const NEXT_VIA = /,(?=[ \t]*SIP[ \t]*\/)/i;
const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** Reads one whole message. `stream`: it came over a connection, where it must state its length. */
export function parseMessage(bytes: Buffer, { stream = false } = {}): SipMessage {
  if (bytes.length > MAX_MESSAGE_BYTES) throw new SipParseError('longer than a message may be');
  const end = bytes.indexOf(END_OF_HEAD);
  if (end < 0 || end > MAX_HEAD_BYTES) throw new SipParseError('the head does not end');
  const [first = '', ...lines] = unfolded(bytes.toString('latin1', 0, end).split('\r\n'));
  const headers = readHeaders(lines);
  const parts = {
    headers,
    via: readVias(headers.get('via') ?? []),
    from: only(headers, 'from'),
    to: only(headers, 'to'),
    callId: only(headers, 'call-id'),
    cseq: readCseq(only(headers, 'cseq')),
    body: readBody(headers, bytes.subarray(end + END_OF_HEAD.length), stream),
  };
  const request = REQUEST_LINE.exec(first);
  if (request !== null) {
    const [, method = '', uri = ''] = request;
    if (parts.cseq.method !== method) throw new SipParseError('CSeq names another method');
    return { kind: 'request', method, uri, ...parts };
  }
  const status = STATUS_LINE.exec(first);
  if (status === null) throw new SipParseError('neither a request nor a response');
  const reason = (status[2] ?? '').replaceAll(/[^\x20-\x7e]/g, '').trim();
  return { kind: 'response', status: Number(status[1]), reason, ...parts };
}

/** The first value of a header, or the empty text. */
export function headerOf(message: SipMessage, name: string): string {
  return message.headers.get(name)?.[0] ?? '';
}

/** A line that begins with a blank continues the one before it. */
function unfolded(lines: readonly string[]): string[] {
  const whole: string[] = [];
  for (const line of lines) {
    if (!line.startsWith(' ') && !line.startsWith('\t')) whole.push(line);
    else if (whole.length < 2) throw new SipParseError('the first line cannot be continued');
    else whole.push(`${whole.pop()} ${line.trim()}`);
    if (whole.length > MAX_HEADERS + 1) throw new SipParseError('more headers than a message may have');
  }
  return whole;
}

function readHeaders(lines: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const written = line.slice(0, Math.max(colon, 0)).trimEnd();
    const value = line.slice(colon + 1).trim();
    if (!HEADER_NAME.test(written) || hasControls(value)) throw new SipParseError('a header is malformed');
    const lower = written.toLowerCase();
    const name = SHORT_NAMES[lower] ?? lower;
    const values = headers.get(name);
    if (values === undefined) headers.set(name, [value]);
    else values.push(value);
  }
  return headers;
}

function readVias(values: readonly string[]): string[] {
  const vias = values.flatMap((value) => value.split(NEXT_VIA)).map((value) => value.trim());
  if (vias.length === 0 || vias.length > MAX_VIAS || vias.includes(''))
    throw new SipParseError('Via is missing or malformed');
  return vias;
}

/** For headers that may occur only once. */
function only(headers: ReadonlyMap<string, readonly string[]>, name: string): string {
  const [value = '', ...more] = headers.get(name) ?? [];
  if (value === '' || more.length > 0) throw new SipParseError(`${name} must be given once`);
  return value;
}

function readCseq(value: string): Parts['cseq'] {
  const [, digits, method = ''] = CSEQ.exec(value) ?? [];
  const number = Number(digits ?? Number.NaN);
  if (!(number <= MAX_CSEQ)) throw new SipParseError('CSeq is malformed');
  return { number, method };
}

function readBody(headers: ReadonlyMap<string, readonly string[]>, rest: Buffer, stream: boolean): Buffer {
  if (!headers.has('content-length')) {
    if (stream) throw new SipParseError('content-length must be given');
    return rest;
  }
  const length = contentLength(only(headers, 'content-length'));
  if (rest.length < length) throw new SipParseError('the body is cut off');
  return rest.subarray(0, length);
}

export function contentLength(value: string): number {
  const length = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN;
  if (!(length <= MAX_MESSAGE_BYTES)) throw new SipParseError('content-length is malformed');
  return length;
}

/** Whether there is any control character but a tab: one that could end a line, or that no line may contain. */
function hasControls(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if ((code < 0x20 && code !== 0x09) || code === 0x7f) return true;
  }
  return false;
}
