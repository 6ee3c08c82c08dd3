/** The object made from a fetched file: its type as the origin states it, its names and its content. */
import {
  DEFAULT_MIME_TYPE,
  detectedMimeType,
  isValidMimeType,
  mimeOfExtension,
  sniffMimeType,
} from '@millpond/protocol';
import type { Bucket } from '../../storage/buckets/index.ts';
import type { CommitHook, Committed, Objects } from '../../storage/objects/index.ts';
import type { FetchedFile } from './origin.ts';

/** No token expiry limits a fetch. */
const NO_DEADLINE = Number.MAX_SAFE_INTEGER;

export interface FetchedObject {
  readonly bucket: Pick<Bucket, 'id' | 'name' | 'uid'>;
  readonly key: string;
  readonly file: FetchedFile;
  readonly mimeType: string;
  readonly detectedType: string;
  readonly storageClass: number;
}

/** Without a key, the object is named by its hash. */
export function describeFetched(
  bucket: FetchedObject['bucket'],
  key: string | undefined,
  file: FetchedFile,
  storageClass = 0,
): FetchedObject {
  const detectedType = detectedMimeType({
    fileExtension: mimeOfExtension(nameInUrl(file.url)),
    keyExtension: key === undefined ? undefined : mimeOfExtension(key),
    content: sniffMimeType(file.head),
  });
  const mimeType = originType(file.contentType) ?? detectedType;
  return { bucket, key: key ?? file.hash, file, mimeType, detectedType, storageClass };
}

export function commitFetched(
  objects: Objects,
  { bucket, key, file, mimeType, detectedType, storageClass }: FetchedObject,
  mode: 'insert' | 'overwrite',
  way: 'fetch' | 'mirror',
  also?: CommitHook,
): Promise<Committed> {
  return objects.commit(
    {
      bucketId: bucket.id,
      key,
      blobId: file.blobId,
      inline: file.inline,
      segments: [{ id: file.blobId, size: file.size }],
      fsize: file.size,
      hash: file.hash,
      mimeType,
      detectedType,
      storageClass,
      endUser: undefined,
      meta: undefined,
      headers: file.headers,
      deadline: NO_DEADLINE,
      way,
    },
    mode,
    also,
  );
}

/** The last segment of the path; escapes stay, as no extension contains any. */
export function nameInUrl(url: string): string {
  const path = URL.parse(url)?.pathname ?? '';
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A type that is not allowed in our headers counts as absent, and so does the generic one. */
function originType(contentType: string | undefined): string | undefined {
  if (contentType === undefined || contentType === '' || contentType === DEFAULT_MIME_TYPE) return undefined;
  return isValidMimeType(contentType) ? contentType : undefined;
}
