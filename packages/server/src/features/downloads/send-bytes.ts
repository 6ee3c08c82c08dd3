/** Streams a range of a blob, segment by segment. Nothing is written before the engine has answered for the first. */
import { Fault } from '@millpond/protocol';
import {
  type BlobId,
  BlobMissing,
  type BlobSink,
  type BlobStore,
  type ByteRange,
} from '../../platform/blobs/index.ts';

export async function sendBytes(
  blobs: BlobStore,
  segments: readonly { readonly segment_id: BlobId; readonly size: bigint }[],
  range: { readonly offset: number; readonly length: number },
  sink: BlobSink,
  cancel: AbortSignal,
): Promise<void> {
  let skip = range.offset;
  let left = range.length;
  for (const segment of segments) {
    const size = Number(segment.size);
    if (skip >= size) {
      skip -= size;
      continue;
    }
    if (left === 0) return;
    const length = Math.min(left, size - skip);
    const whole = length === size;
    await readSegment(blobs, segment.segment_id, { offset: skip, length, whole }, sink, cancel);
    left -= length;
    skip = 0;
  }
  if (left > 0) throw new Fault('serverFailure', { detail: 'the segments are shorter than the object' });
}

async function readSegment(
  blobs: BlobStore,
  id: BlobId,
  range: ByteRange,
  sink: BlobSink,
  cancel: AbortSignal,
): Promise<void> {
  try {
    await blobs.read(id, range, sink, cancel);
  } catch (cause) {
    if (cause instanceof BlobMissing)
      throw new Fault('serverFailure', { detail: 'a committed blob is not in the engine', cause });
    throw cause;
  }
}
