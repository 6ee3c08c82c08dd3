/** Version 4 in the query, and the headers that presigners move there. */
import { TOKEN } from '../../http/grammar.ts';
import { S3Fault } from '../fault.ts';
import { V4_ALGORITHM } from './canonical.ts';
import { parseBasicDate } from './dates.ts';
import { hoistedParameter, parametersNamed, type RequestHead } from './head.ts';
import { checkNames } from './header-form.ts';
import { type Payload, readPayload, UNSIGNED_PAYLOAD } from './payload.ts';
import { type Credential, parseCredential } from './scope.ts';

const MAX_EXPIRES_SECONDS = 604_800;

/** Byte strings, as headers are; names in lower case. */
export type HoistedHeaders = readonly (readonly [name: string, value: string])[];

export interface PresignedCredentials extends Credential {
  readonly kind: 'presigned';
  readonly head: RequestHead;
  readonly payload: Payload;
  readonly date: string;
  readonly time: number;
  readonly expiresSeconds: number;
  readonly signedHeaders: string;
  readonly signature: string;
  readonly payloadHash: string;
  /** To be treated like headers of the request. */
  readonly hoisted: HoistedHeaders;
}

export function readPresigned(head: RequestHead): PresignedCredentials {
  if (required(head, 'X-Amz-Algorithm') !== V4_ALGORITHM)
    throw invalidPresignedUrl(`X-Amz-Algorithm only supports "${V4_ALGORITHM}"`);
  const credential = parseCredential(required(head, 'X-Amz-Credential'), (what) =>
    invalidPresignedUrl(`Error parsing the X-Amz-Credential parameter; ${what}`),
  );
  const date = required(head, 'X-Amz-Date');
  const time = parseBasicDate(date);
  if (time === undefined)
    throw invalidPresignedUrl("X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"");
  if (date.slice(0, 8) !== credential.day)
    throw invalidPresignedUrl(
      `Invalid credential date "${credential.day}". This date is not the same as X-Amz-Date: "${date.slice(0, 8)}".`,
    );
  const expiresSeconds = readExpires(required(head, 'X-Amz-Expires'));
  const signedHeaders = checkNames(required(head, 'X-Amz-SignedHeaders'), invalidPresignedUrl);
  const signature = required(head, 'X-Amz-Signature');
  const payloadHash =
    hoistedParameter(head, 'x-amz-content-sha256') ??
    head.headers.get('x-amz-content-sha256') ??
    UNSIGNED_PAYLOAD;
  const payload = readPayload(payloadHash, { chain: false });
  const hoisted = hoistedHeaders(head);
  return {
    kind: 'presigned',
    head,
    payload,
    ...credential,
    date,
    time,
    expiresSeconds,
    signedHeaders,
    signature,
    payloadHash,
    hoisted,
  };
}

/** Rejects duplicates: implementations differ on which counts. */
function required(head: RequestHead, name: string): string {
  const [parameter, second] = parametersNamed(head, name);
  if (parameter === undefined || parameter.value === '' || second !== undefined)
    throw invalidPresignedUrl(
      'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.',
    );
  return parameter.value;
}

/** Zero and negative numbers are answered as expired. */
function readExpires(text: string): number {
  if (!/^-?\d{1,12}$/.test(text)) throw invalidPresignedUrl('X-Amz-Expires should be a number');
  const seconds = Number(text);
  if (seconds > MAX_EXPIRES_SECONDS)
    throw invalidPresignedUrl(
      `X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than ${MAX_EXPIRES_SECONDS} seconds`,
    );
  return seconds;
}

function invalidPresignedUrl(message: string): S3Fault {
  return new S3Fault('AuthorizationQueryParametersError', { message });
}

const SIGNING = new Set([
  'x-amz-algorithm',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-expires',
  'x-amz-signedheaders',
  'x-amz-signature',
  'x-amz-content-sha256',
  'x-amz-security-token',
  // These describe a chunked body, which a presigned request does not have.
  'x-amz-trailer',
  'x-amz-decoded-content-length',
]);
const HEADER_NAME = new RegExp(`^${TOKEN}$`);
const CHECKSUM_VALUE = /^x-amz-checksum-(?!mode$|algorithm$|type$)/;

/**
 * Headers that are there in their own right win. Values of checksums never count: the JS SDK signs that of an empty
 * body into every URL, and takes any body.
 */
export function hoistedHeaders(head: RequestHead, further: readonly string[] = []): HoistedHeaders {
  const hoisted = new Map<string, string>();
  for (const { name, value } of head.parameters) {
    const lower = name.toLowerCase();
    if (!lower.startsWith('x-amz-') && !further.includes(lower)) continue;
    // A name with a colon or a line break would be the lines of several headers in what version 2 signs.
    if (!HEADER_NAME.test(name))
      throw new S3Fault('InvalidArgument', { hint: 'the name of a parameter can be no name of a header' });
    if (SIGNING.has(lower) || CHECKSUM_VALUE.test(lower) || hoisted.has(lower) || head.headers.has(lower))
      continue;
    // A control character can't be in a header, whatever a query can spell.
    if (hasControl(value)) throw new S3Fault('InvalidArgument', { details: { ArgumentName: lower } });
    hoisted.set(lower, value);
  }
  return [...hoisted];
}

function hasControl(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if ((code < 0x20 && code !== 9) || code === 0x7f) return true;
  }
  return false;
}
