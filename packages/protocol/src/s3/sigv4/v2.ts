/**
 * Version 2 in the query, which boto3 and s3cmd still make: HMAC-SHA1 over the method, a few headers, and those
 * parameters that version 2 knows.
 */
import { equalBytes } from '../../equal-bytes.ts';
import type { SecretKey } from '../../hashing.ts';
import { decodePlainBase64 } from '../encodings.ts';
import { S3Fault } from '../fault.ts';
import type { S3Hashing } from '../hashing.ts';
import { formatSeconds } from './dates.ts';
import { hoistedParameter, type Parameter, parametersNamed, type RequestHead } from './head.ts';
import { type Payload, readPayload, UNSIGNED_PAYLOAD } from './payload.ts';
import { type HoistedHeaders, hoistedHeaders } from './presigned.ts';
import { checkAccessKey } from './scope.ts';

export interface V2Credentials {
  readonly kind: 'presignedV2';
  readonly head: RequestHead;
  readonly payload: Payload;
  readonly accessKey: string;
  readonly expires: string;
  readonly signature: string;
  readonly hoisted: HoistedHeaders;
}

const SIGNED = new Set([
  'acl',
  'cors',
  'delete',
  'lifecycle',
  'location',
  'logging',
  'notification',
  'partNumber',
  'policy',
  'requestPayment',
  'restore',
  'tagging',
  'torrent',
  'uploadId',
  'uploads',
  'versionId',
  'versioning',
  'versions',
  'website',
  'response-cache-control',
  'response-content-disposition',
  'response-content-encoding',
  'response-content-language',
  'response-content-type',
  'response-expires',
]);
/** Not signed, and yet no other operation than the URL says: of lists, and of SDKs for their own purposes. */
const HARMLESS = new Set([
  'prefix',
  'delimiter',
  'marker',
  'max-keys',
  'encoding-type',
  'list-type',
  'continuation-token',
  'start-after',
  'fetch-owner',
  'key-marker',
  'version-id-marker',
  'upload-id-marker',
  'max-uploads',
  'max-parts',
  'part-number-marker',
  'x-id',
  'AWSAccessKeyId',
  'Signature',
  'Expires',
  'content-md5',
  'content-type',
]);

export function readV2(head: RequestHead): V2Credentials {
  // What is signed has a line for each header, and a line break in one would make it two.
  if (head.parameters.some(({ value }) => /[\r\n]/.test(value)))
    throw new S3Fault('InvalidArgument', { hint: 'a parameter contains a line break' });
  if (head.parameters.some(readsAsSeveral))
    throw new S3Fault('InvalidArgument', { hint: 'the value of a parameter contains another parameter' });
  return {
    kind: 'presignedV2',
    head,
    payload: readPayload(head.headers.get('x-amz-content-sha256') ?? UNSIGNED_PAYLOAD, { chain: false }),
    accessKey: checkAccessKey(single(head, 'AWSAccessKeyId')),
    expires: single(head, 'Expires'),
    signature: single(head, 'Signature'),
    hoisted: hoistedHeaders(head, ['content-type', 'content-md5']),
  };
}

/** Values are signed without escapes, so one with `&uploads` in it would have the signature of two parameters. */
function readsAsSeveral({ name, value }: Parameter): boolean {
  if (!SIGNED.has(name)) return false;
  const [, ...others] = value.split('&');
  return others.some((other) => SIGNED.has(other.split('=', 1)[0] ?? ''));
}

function single(head: RequestHead, name: string): string {
  const [parameter, second] = parametersNamed(head, name);
  if (parameter === undefined || second !== undefined)
    throw new S3Fault('AccessDenied', {
      message:
        'Query-string authentication requires the Signature, Expires and AWSAccessKeyId parameters, each once',
    });
  return parameter.value;
}

export function verifyV2(
  hashing: S3Hashing,
  credentials: V2Credentials,
  secretKey: SecretKey,
  now: number,
): void {
  const { head, accessKey, expires, signature } = credentials;
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 < now)
    throw new S3Fault('AccessDenied', {
      message: 'Request has expired',
      details: { Expires: expires.slice(0, 32), ServerTime: formatSeconds(now) },
    });
  const uncovered = head.parameters.find(({ name }) => !isCovered(name));
  if (uncovered !== undefined)
    throw new S3Fault('AccessDenied', {
      hint: 'a signature of version 2 does not cover one of the parameters; use AWS4-HMAC-SHA256',
      details: { ArgumentName: uncovered.name.slice(0, 64) },
    });
  const text = stringToSignV2(head, expires);
  if (equalBytes(hashing.hmacSha1(secretKey, [text]), decodePlainBase64(signature) ?? new Uint8Array()))
    return;
  throw new S3Fault('SignatureDoesNotMatch', {
    details: { AWSAccessKeyId: accessKey, StringToSign: text, SignatureProvided: signature.slice(0, 128) },
  });
}

function isCovered(name: string): boolean {
  const lower = name.toLowerCase();
  return SIGNED.has(name) || HARMLESS.has(name) || HARMLESS.has(lower) || lower.startsWith('x-amz-');
}

export function stringToSignV2(head: RequestHead, expires: string): string {
  const header = (name: string) => head.headers.get(name) ?? hoistedParameter(head, name) ?? '';
  const own = new Map([...head.headers].filter(([name]) => name.startsWith('x-amz-')));
  for (const { name, value } of head.parameters) {
    const lower = name.toLowerCase();
    if (lower.startsWith('x-amz-') && !own.has(lower)) own.set(lower, value.trim());
  }
  const lines = [...own].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `${name}:${value}\n`);
  const bucket = head.bucketOfHost === undefined ? '' : `/${head.bucketOfHost}`;
  const signed = head.parameters
    .filter(({ name }) => SIGNED.has(name))
    .map(({ name, value, bare }) => (bare ? name : `${name}=${value}`))
    .sort();
  const query = signed.length === 0 ? '' : `?${signed.join('&')}`;
  return `${head.method}\n${header('content-md5')}\n${header('content-type')}\n${expires}\n${lines.join('')}${bucket}${head.path}${query}`;
}
