/** Reads a range of content that is spread over several blobs in sequence. */
import type { BlobId } from './blob-id.ts';
import type { BlobSink, BlobStore, ByteRange, PackLocation } from './store.ts';

export interface Segment {
  readonly id: BlobId;
  readonly size: number;
  readonly place?: PackLocation | undefined;
}

/** Writes exactly the bytes asked for into the sink and leaves it open, or rejects. */
export async function readSegments(
  blobs: Pick<BlobStore, 'read'>,
  segments: readonly Segment[],
  range: ByteRange,
  sink: BlobSink,
  signal: AbortSignal,
): Promise<void> {
  let skip = range.offset;
  let left = range.length;
  for (const { id, size, place } of segments) {
    if (left === 0) return;
    if (skip >= size) {
      skip -= size;
      continue;
    }
    const length = Math.min(left, size - skip);
    await blobs.read(id, { offset: skip, length, whole: length === size, place }, sink, signal);
    left -= length;
    skip = 0;
  }
  if (left > 0) throw new Error('the segments are shorter than the object');
}
