/** Headers of a download. Stored content is untrusted: a browser must neither guess its type nor run it as a page. */
import {
  asAttachment,
  dateOfPutTime,
  formatAttachment,
  formatEntityTag,
  formatHttpDate,
  isActiveType,
  responseHeaderName,
} from '@millpond/protocol';
import { encodeByteString, metadataHeaders } from '@millpond/protocol/s3';
import { REQUEST_ID_HEADER, untrustedContentHeaders } from '../../platform/web/index.ts';
import { isOwnersHeader, type ObjectRow } from '../../storage/objects/index.ts';

const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl';

/** Another session, or none, must not be shown what this one was. */
const FOR_SESSIONS = 'private, no-cache';

export interface HeaderOptions {
  readonly reqid: string;
  readonly metaPrefix: string;
  /** Decoded `attname` of the query: the file name to save as. */
  readonly saveAs: string | undefined;
  /** The bucket's own domain is a site of its own: pages may be pages there. */
  readonly ownDomain: boolean;
  /** On the console's origin, for a session of the owner. */
  readonly inConsole?: boolean;
}

export function validatorsOf(row: ObjectRow): { etag: string; lastModified: number } {
  return {
    etag: formatEntityTag(row.hash),
    lastModified: Math.floor(dateOfPutTime(row.put_time).getTime() / 1000),
  };
}

export function downloadHeaders(row: ObjectRow, options: HeaderOptions): Record<string, string> {
  const { etag, lastModified } = validatorsOf(row);
  const headers: Record<string, string> = {
    [REQUEST_ID_HEADER]: options.reqid,
    'content-type': encodeByteString(typeOf(row)),
    etag,
    'last-modified': formatHttpDate(lastModified),
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
  };
  if (!options.ownDomain) {
    headers['content-security-policy'] = "default-src 'none'; sandbox";
    headers['cross-origin-resource-policy'] = 'cross-origin';
  }
  for (const [name, value] of Object.entries(row.headers ?? {})) {
    if (isOwnersHeader(name)) headers[name] = encodeByteString(value);
  }
  const disposition = dispositionOf(row, options);
  if (disposition !== undefined) headers['content-disposition'] = disposition;
  Object.assign(headers, metadataHeaders(row.meta ?? {}, options.metaPrefix));
  if (options.inConsole)
    Object.assign(headers, untrustedContentHeaders(headers['content-type']), {
      'cache-control': FOR_SESSIONS,
    });
  return headers;
}

/** For a playlist made from the object: none of the headers that describe the object's own bytes apply. */
export function playlistHeaders(row: ObjectRow, options: HeaderOptions): Record<string, string> {
  const plain = { ...row, mime_type: PLAYLIST_TYPE, meta: null, headers: null };
  const { etag: _, 'last-modified': __, 'accept-ranges': ___, ...headers } = downloadHeaders(plain, options);
  return { ...headers, 'cache-control': 'no-store' };
}

/** A header set by the owner replaces the recorded type, and is checked like it. */
function typeOf(row: ObjectRow): string {
  return row.headers?.['content-type'] ?? row.mime_type;
}

/** A requested name wins; otherwise the owner decides, except that active content is never shown as a page on a shared host. */
function dispositionOf(
  row: ObjectRow,
  options: Pick<HeaderOptions, 'saveAs' | 'ownDomain'>,
): string | undefined {
  if (options.saveAs !== undefined) return formatAttachment(options.saveAs);
  const own = row.headers?.['content-disposition'];
  return !options.ownDomain && isActiveType(typeOf(row)) ? asAttachment(own ?? '') : own;
}

/** nginx keeps these headers of the answer that hands over; others would have to be configured by name. */
const KEPT_BY_NGINX = new Set(['cache-control', 'content-disposition', 'expires']);

/** Whether the owner's headers also go out if nginx or the engine sends the bytes. */
export function canOffload({ headers }: ObjectRow, way: 'nginx' | 'redirect'): boolean {
  if (headers === null) return true;
  const passes =
    way === 'nginx'
      ? (name: string) => KEPT_BY_NGINX.has(name)
      : (name: string) => responseHeaderName(name) !== undefined;
  return Object.keys(headers).every(passes);
}
