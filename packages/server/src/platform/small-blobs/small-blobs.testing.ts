/** For tests: a blob store in which no blob is small. */
import type { BlobStore } from '@millpond/blobs';
import { engineBodyWriters, type ObjectBlobs } from './small-blobs.ts';

export function withoutSmallBlobs(blobs: BlobStore): ObjectBlobs {
  return Object.assign(blobs, { openBody: engineBodyWriters(blobs) });
}
