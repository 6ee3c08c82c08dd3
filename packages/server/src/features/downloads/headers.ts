/** Headers of a download. What users stored is untrusted: a browser may neither guess its type nor run it as a page. */
import {
  asAttachment,
  dateOfPutTime,
  formatAttachment,
  formatEntityTag,
  formatHttpDate,
  isActiveType,
  responseHeaderName,
} from '@millpond/protocol';
import { REQUEST_ID_HEADER } from '../../platform/web/index.ts';
import { isOwnersHeader, type ObjectRow } from '../objects/index.ts';

const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl';

export interface HeaderOptions {
  readonly reqid: string;
  readonly metaPrefix: string;
  /** Decoded `attname` of the query: the name to save under. */
  readonly saveAs: string | undefined;
  /** A domain of the bucket's own is its own site: pages may be pages there. */
  readonly ownDomain: boolean;
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
    'content-type': typeOf(row),
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
    if (isOwnersHeader(name)) headers[name] = value;
  }
  const disposition = dispositionOf(row, options);
  if (disposition !== undefined) headers['content-disposition'] = disposition;
  for (const [key, value] of Object.entries(row.meta ?? {})) headers[options.metaPrefix + key] = value;
  return headers;
}

/** Of a playlist that was made from the object: it has nothing of what was said of the object's own bytes. */
export function playlistHeaders(row: ObjectRow, options: HeaderOptions): Record<string, string> {
  const plain = { ...row, mime_type: PLAYLIST_TYPE, meta: null, headers: null };
  const { etag: _, 'last-modified': __, 'accept-ranges': ___, ...headers } = downloadHeaders(plain, options);
  return { ...headers, 'cache-control': 'no-store' };
}

/** What the owner set as a header goes out in place of the recorded type, and is judged like it. */
function typeOf(row: ObjectRow): string {
  return row.headers?.['content-type'] ?? row.mime_type;
}

/** Whoever asks for a name gets it; else it is as the owner says, except that nobody makes a page of what could be one. */
function dispositionOf(
  row: ObjectRow,
  options: Pick<HeaderOptions, 'saveAs' | 'ownDomain'>,
): string | undefined {
  if (options.saveAs !== undefined) return formatAttachment(options.saveAs);
  const own = row.headers?.['content-disposition'];
  return !options.ownDomain && isActiveType(typeOf(row)) ? asAttachment(own ?? '') : own;
}

/** nginx keeps these of the answer that hands over; others it would have to be told by name. */
const KEPT_BY_NGINX = new Set(['cache-control', 'content-disposition', 'expires']);

/** Whether what the owner set goes out too when somebody else sends the bytes. */
export function canBeHandedOver({ headers }: ObjectRow, way: 'nginx' | 'redirect'): boolean {
  if (headers === null) return true;
  const passes =
    way === 'nginx'
      ? (name: string) => KEPT_BY_NGINX.has(name)
      : (name: string) => responseHeaderName(name) !== undefined;
  return Object.keys(headers).every(passes);
}
