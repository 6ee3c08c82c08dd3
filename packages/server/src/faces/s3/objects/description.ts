/** What a client says of an object when it puts, copies or begins to upload it. */
import {
  checkCannedAcl,
  decodeByteString,
  metadataIn,
  parseTaggingHeader,
  S3Fault,
  storageClassOf,
  storedContentEncoding,
} from '@millpond/protocol/s3';
import type { S3Request } from '../s3.request.ts';

export interface ObjectDescription {
  readonly mimeType: string;
  readonly meta: Readonly<Record<string, string>> | undefined;
  /** Response headers, by lower-case name. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** S3's default; types are never detected for S3 uploads. */
const DEFAULT_TYPE = 'binary/octet-stream';
const SYSTEM_HEADERS = ['cache-control', 'content-disposition', 'content-language', 'expires'] as const;

export function descriptionIn(request: Pick<S3Request, 'header' | 'headers'>): ObjectDescription {
  const headers: Record<string, string> = {};
  for (const name of SYSTEM_HEADERS) {
    const value = request.header(name);
    if (value !== undefined && value !== '') headers[name] = decodeByteString(value);
  }
  const encoding = storedContentEncoding(request.header('content-encoding'));
  if (encoding !== undefined) headers['content-encoding'] = decodeByteString(encoding);
  return {
    mimeType: decodeByteString(request.header('content-type') || DEFAULT_TYPE),
    meta: unlessEmpty(metadataIn(request.headers())),
    headers: unlessEmpty(headers),
  };
}

export function storageClassIn(request: Pick<S3Request, 'header'>): number {
  return storageClassOf(request.header('x-amz-storage-class'));
}

export function tagsIn(request: Pick<S3Request, 'header'>): Readonly<Record<string, string>> | undefined {
  const text = request.header('x-amz-tagging');
  return text === undefined || text === '' ? undefined : unlessEmpty(parseTaggingHeader(text));
}

/** Promises that nobody here keeps are refused, never ignored. */
const REFUSED = [
  'x-amz-server-side-encryption',
  'x-amz-copy-source-server-side-encryption',
  'x-amz-object-lock-',
  'x-amz-website-redirect-location',
];

export function rejectUnsupportedHeaders(request: Pick<S3Request, 'header' | 'headers'>): void {
  for (const [name] of request.headers()) {
    if (REFUSED.some((prefix) => name.startsWith(prefix)))
      throw new S3Fault('NotImplemented', { details: { Header: name } });
    if (name.startsWith('x-amz-grant-')) throw new S3Fault('AccessControlListNotSupported');
  }
  const acl = request.header('x-amz-acl');
  if (acl !== undefined) checkCannedAcl(acl, 'object');
}

function unlessEmpty<Pairs extends Readonly<Record<string, string>>>(pairs: Pairs): Pairs | undefined {
  return Object.keys(pairs).length === 0 ? undefined : pairs;
}
