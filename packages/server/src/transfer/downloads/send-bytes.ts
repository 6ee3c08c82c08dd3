/** Streams a range of a blob, segment by segment. Nothing is written before the engine has answered for the first one. */
import { BlobNotFoundError, type BlobSink, type BlobStore, readSegments } from '@millpond/blobs';
import { Fault } from '@millpond/protocol';
import type { SegmentRow } from '../../storage/objects/index.ts';

export async function sendBytes(
  blobs: BlobStore,
  segments: readonly SegmentRow[],
  range: { readonly offset: number; readonly length: number },
  sink: BlobSink,
  cancel: AbortSignal,
): Promise<void> {
  const list = segments.map(({ segment_id, size, place }) => ({ id: segment_id, size: Number(size), place }));
  try {
    await readSegments(blobs, list, range, sink, cancel);
  } catch (cause) {
    if (cause instanceof BlobNotFoundError)
      throw new Fault('serverFailure', { detail: 'a committed blob is not in the engine', cause });
    throw cause;
  }
}
