/** A request to the S3 listener, taken apart: where it goes, what it asks, and who signed it. Nothing of its body has been read. */
import { decodePercent, MAX_KEY_BYTES } from '@millpond/protocol';
import { type ChunkSigning, type Payload, S3Fault } from '@millpond/protocol/s3';
import type { AccessKey } from '../../identity/accounts/index.ts';
import type { RequestContext } from '../../platform/web/index.ts';

export interface S3Address {
  readonly bucket: string | undefined;
  /** As bytes of the path, still encoded; undefined where only a bucket is named. */
  readonly encodedKey: string | undefined;
}

/** Who signed the request. */
export interface RequestSigner {
  readonly key: AccessKey;
}

export interface S3Request {
  readonly context: RequestContext;
  readonly method: string;
  readonly place: S3Address;
  /** By decoded name; of a name that comes twice, the first. */
  readonly query: ReadonlyMap<string, string>;
  /** Undefined: anonymous. */
  readonly identity: RequestSigner | undefined;
  /** By a URL that anybody may have. */
  readonly isPresigned: boolean;
  readonly payload: Payload;
  /** What signed chunks follow from. */
  readonly chunkSigning: ChunkSigning | undefined;
  /** By lower-case name. In a presigned URL, parameters `x-amz-…` are headers too. */
  readonly header: (name: string) => string | undefined;
  /** All of them, as `header` gives them. */
  readonly headers: () => Iterable<readonly [name: string, value: string]>;
}

/** Path style `/<bucket>/<key>`; if the host names the bucket, all of the path is the key. */
export function parseS3Address(path: string, hostBucket: string | undefined): S3Address {
  if (hostBucket !== undefined) return { bucket: hostBucket, encodedKey: unlessEmpty(path.slice(1)) };
  const slash = path.indexOf('/', 1);
  const bucket = slash < 0 ? path.slice(1) : path.slice(1, slash);
  if (bucket === '') return { bucket: undefined, encodedKey: undefined };
  return { bucket, encodedKey: slash < 0 ? undefined : unlessEmpty(path.slice(slash + 1)) };
}

/** The key that an operation on an object is about: UTF-8, and no longer than ours may be. */
export function keyOf({ encodedKey = '' }: S3Address): string {
  const key = decodePercent(encodedKey);
  if (key === undefined) throw new S3Fault('InvalidURI', { hint: 'the key is not percent-encoded UTF-8' });
  return checkedKey(key);
}

export function checkedKey(key: string): string {
  const size = Buffer.byteLength(key);
  if (size > MAX_KEY_BYTES) {
    const details = { Size: String(size), MaxSizeAllowed: String(MAX_KEY_BYTES) };
    throw new S3Fault('KeyTooLongError', { details });
  }
  if (key.includes('\0')) throw new S3Fault('InvalidArgument', { hint: 'a key may not contain U+0000' });
  return key;
}

/** Names and values of a query as S3 reads it: `+` is a space, a name without `=` has an empty value. */
export function queryOf(query: string | undefined): Map<string, string> {
  const found = new Map<string, string>();
  for (const pair of (query ?? '').split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals));
    if (!found.has(name)) found.set(name, equals < 0 ? '' : decoded(pair.slice(equals + 1)));
  }
  return found;
}

function decoded(text: string): string {
  const value = decodePercent(text.replaceAll('+', ' '));
  if (value === undefined)
    throw new S3Fault('InvalidURI', { hint: 'the query is not percent-encoded UTF-8' });
  return value;
}

function unlessEmpty(text: string): string | undefined {
  return text === '' ? undefined : text;
}
