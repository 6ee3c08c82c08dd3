/** Headers that describe an object, in answers to GET and HEAD. */
import { formatHttpDate } from '@millpond/protocol';
import { encodeByteString, metadataHeaders, storageClassName } from '@millpond/protocol/s3';
import { isOwnersHeader, type S3ObjectRow } from '../../../storage/objects/index.ts';
import type { S3Request } from '../s3.request.ts';
import { etagOf, lastModifiedOf, quoted } from './etag.ts';

/** Parameters of a signed request that replace headers of its answer. */
const OVERRIDES: Readonly<Record<string, string>> = {
  'response-content-type': 'content-type',
  'response-content-language': 'content-language',
  'response-expires': 'expires',
  'response-cache-control': 'cache-control',
  'response-content-disposition': 'content-disposition',
  'response-content-encoding': 'content-encoding',
};
export const RESTORING = 1;
export const RESTORED = 2;

export function overridesIn(request: Pick<S3Request, 'query'>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [parameter, name] of Object.entries(OVERRIDES)) {
    const value = request.query.get(parameter);
    if (value !== undefined) headers[name] = encodeByteString(value);
  }
  return headers;
}

export function objectHeaders(row: S3ObjectRow, request: S3Request): Record<string, string> {
  const headers: Record<string, string> = {
    'last-modified': formatHttpDate(lastModifiedOf(row)),
    etag: quoted(etagOf(row)),
    'accept-ranges': 'bytes',
    'content-type': encodeByteString(row.headers?.['content-type'] ?? row.mime_type),
  };
  for (const [name, value] of Object.entries(row.headers ?? {}))
    if (isOwnersHeader(name)) headers[name] = encodeByteString(value);
  Object.assign(headers, metadataHeaders(row.meta ?? {}));
  if (row.class !== 0) headers['x-amz-storage-class'] = storageClassName(row.class);
  const restore = restoreHeader(row);
  if (restore !== undefined) headers['x-amz-restore'] = restore;
  const tags = Object.keys(row.tags ?? {}).length;
  if (tags > 0) headers['x-amz-tagging-count'] = String(tags);
  // Shown by browsers, on a host that all accounts share: never a page, and never of a guessed type.
  if (request.identity === undefined || request.isPresigned) {
    headers['x-content-type-options'] = 'nosniff';
    headers['content-security-policy'] = "default-src 'none'; sandbox";
  }
  return headers;
}

/** Checksum of the whole object, and only if requested: clients verify what they read against it. */
export function checksumHeaders(
  { checksum }: Pick<S3ObjectRow, 'checksum'>,
  request: S3Request,
): Record<string, string> {
  if (checksum === null || request.header('x-amz-checksum-mode')?.toUpperCase() !== 'ENABLED') return {};
  return {
    [`x-amz-checksum-${checksum.algorithm.toLowerCase()}`]: checksum.value,
    'x-amz-checksum-type': checksum.type,
  };
}

function restoreHeader({ restore_status: status, restore_ends_at: end }: S3ObjectRow): string | undefined {
  if (status === RESTORING) return 'ongoing-request="true"';
  if (status !== RESTORED || end === null) return undefined;
  return `ongoing-request="false", expiry-date="${formatHttpDate(end.getTime() / 1000)}"`;
}
