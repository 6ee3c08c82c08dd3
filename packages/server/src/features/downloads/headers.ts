/** Headers of a download. What users stored is untrusted: a browser may neither guess its type nor run it as a page. */
import {
  dateOfPutTime,
  formatAttachment,
  formatEntityTag,
  formatHttpDate,
  isActiveType,
} from '@millpond/protocol';
import { REQUEST_ID_HEADER } from '../../platform/web/index.ts';
import type { ObjectRow } from '../objects/index.ts';

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
  Object.assign(headers, row.headers);
  const disposition = dispositionOf(row, options);
  if (disposition !== undefined) headers['content-disposition'] = disposition;
  for (const [key, value] of Object.entries(row.meta ?? {})) headers[options.metaPrefix + key] = value;
  return headers;
}

/** What the owner set as a header goes out in place of the recorded type, and is judged like it. */
function typeOf(row: ObjectRow): string {
  return row.headers?.['content-type'] ?? row.mime_type;
}

export function dispositionOf(
  row: ObjectRow,
  options: Pick<HeaderOptions, 'saveAs' | 'ownDomain'>,
): string | undefined {
  if (options.saveAs !== undefined) return formatAttachment(options.saveAs);
  return !options.ownDomain && isActiveType(typeOf(row)) ? formatAttachment() : undefined;
}
