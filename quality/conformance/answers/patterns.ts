/** Requests and answers without what differs from run to run: names, ids, times, sizes. */
import type { RecordedAnswer } from './recorder.ts';

/** Headers that say when, how long and to whom, or that Node adds. */
const VOLATILE_HEADERS = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'etag',
  'last-modified',
  'expires',
  'x-reqid',
  'x-amz-request-id',
  'x-amz-id-2',
  'transfer-encoding',
]);

const MAX_SHAPE_DEPTH = 8;

/** `POST api /v1/trash/~/undelete`, with the names of its query and the kind of its credential. */
export function requestPattern({ method, target, host, credential, contentType }: RecordedAnswer): string {
  const [path = '', query = ''] = target.split('?', 2);
  const names = [...new Set(query.split('&').map((pair) => withoutNames(pair.split('=', 1)[0] ?? '')))];
  const segments = path.split('/').map(withoutNames).join('/');
  const rest = [credential, contentType].filter((each) => each !== '').join(' ');
  return `${method} ${withoutNames(host.replace(/:\d+$/, ''))} ${segments}${query === '' ? '' : `?${names.toSorted().join('&')}`} ${rest}`.trim();
}

export function answerPattern({ status, headers, body }: RecordedAnswer): string {
  const names = Object.keys(headers)
    .filter((name) => !VOLATILE_HEADERS.has(name))
    .map(withoutNames)
    .toSorted();
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  return `${status} ${type} [${names.join(' ')}] ${bodyPattern(type, body, status)}`.trim();
}

function bodyPattern(type: string, body: string, status: number): string {
  if (body === '') return '';
  if (type === 'application/json') {
    try {
      return JSON.stringify(shapeOf(JSON.parse(Buffer.from(body, 'latin1').toString()), 0));
    } catch {
      return 'JSON that is cut off';
    }
  }
  // What an error says; contents of objects are the tests' own.
  return status >= 400 ? withoutNames(body.slice(0, 500)) : 'bytes';
}

/** Objects keep their members, lists one of each kind, texts their words; numbers are their kind but for codes. */
function shapeOf(value: unknown, depth: number): unknown {
  if (depth > MAX_SHAPE_DEPTH) return '…';
  if (Array.isArray(value)) {
    const shapes = value.map((each) => JSON.stringify(shapeOf(each, depth + 1)));
    return [...new Set(shapes)].toSorted();
  }
  if (typeof value === 'string') return withoutNames(value).slice(0, 300);
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    withoutNames(name),
    name === 'code' ? member : shapeOf(member, depth + 1),
  ]);
  return Object.fromEntries(members.toSorted(([a], [b]) => a.localeCompare(b)));
}

/** Words stay; what is made up of digits, or of letters and digits, or in Base64, or long, is somebody's name or a number. */
function withoutNames(text: string): string {
  return text
    .replace(/%[0-9a-f]{2}/gi, '~')
    .replace(/[\w+=~-]{16,}/g, (word) => (/^[a-zA-Z]+(?:[-_][a-zA-Z]+)*$/.test(word) ? word : '~'))
    .replace(/\b(?=[\w-]*\d)(?=[\w-]*[a-zA-Z])[\w-]+\b/g, (word) => (KNOWN_WORDS.test(word) ? word : '~'))
    .replace(/\d+/g, '#')
    .replace(/[^\x20-\x7e]+/g, '~')
    .replace(/~(?:[.:~]*~)+/g, '~');
}

/** Words of the interface with digits in them. */
const KNOWN_WORDS =
  /^(?:v\d|imageView2|imageMogr2|crc32|md5|sha1|sha256|m3u8|pm3u8|base64|s3|x-amz-[a-z0-9-]+|mp[34]|hex|utf-?8|http2?)$/i;
