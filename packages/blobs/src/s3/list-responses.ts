/** Reads the engine's XML answers. An answer that is not as expected gives undefined. */
import { childrenOf, childText, readXml, type XmlElement, XmlParseError } from '@millpond/protocol/s3';

export interface ListPage {
  readonly entries: readonly { readonly key: string; readonly size: number }[];
  readonly prefixes: readonly string[];
  /** Token of the next page; undefined on the last. */
  readonly next: string | undefined;
}

export interface UploadsPage {
  readonly uploads: readonly { readonly key: string; readonly uploadId: string; readonly begun: number }[];
  readonly next: { readonly key: string; readonly uploadId: string } | undefined;
}

/** The text of one child of the root. */
export function textIn(body: Buffer, rootName: string, child: string): string | undefined {
  const root = rootOf(body, rootName);
  return root && childText(root, child);
}

export function listPageIn(body: Buffer): ListPage | undefined {
  const root = rootOf(body, 'ListBucketResult');
  if (!root) return undefined;
  const truncated = childText(root, 'IsTruncated') === 'true';
  const next = childText(root, 'NextContinuationToken');
  // A page that says there is more but not where would make a sweep believe it had seen everything.
  if (truncated && !next) return undefined;
  const entries = childrenOf(root, 'Contents').map((entry) => ({
    key: childText(entry, 'Key') ?? '',
    size: Number(childText(entry, 'Size') ?? Number.NaN),
  }));
  if (entries.some(({ size }) => !Number.isSafeInteger(size))) return undefined;
  const prefixes = childrenOf(root, 'CommonPrefixes').map((entry) => childText(entry, 'Prefix') ?? '');
  return { entries, prefixes, next: truncated ? next : undefined };
}

export function uploadsPageIn(body: Buffer): UploadsPage | undefined {
  const root = rootOf(body, 'ListMultipartUploadsResult');
  if (!root) return undefined;
  const uploads = childrenOf(root, 'Upload').map((entry) => ({
    key: childText(entry, 'Key') ?? '',
    uploadId: childText(entry, 'UploadId') ?? '',
    begun: Date.parse(childText(entry, 'Initiated') ?? ''),
  }));
  if (childText(root, 'IsTruncated') !== 'true') return { uploads, next: undefined };
  const key = childText(root, 'NextKeyMarker');
  const uploadId = childText(root, 'NextUploadIdMarker');
  return key && uploadId ? { uploads, next: { key, uploadId } } : undefined;
}

function rootOf(body: Buffer, name: string): XmlElement | undefined {
  try {
    const root = readXml(body.toString('utf8'));
    return root.name === name ? root : undefined;
  } catch (error) {
    if (error instanceof XmlParseError) return undefined;
    throw error;
  }
}
