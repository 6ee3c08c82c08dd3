/** Writes the segments of a blob as one engine object, and verifies it against the object's hash. */
import { type BlobId, type BlobStore, type Tier, writerSink } from '@millpond/blobs';
import { createEtagStream, type EtagStream, etagOfParts, parseEtag } from '@millpond/protocol';
import { nodeHashing } from '../../../platform/hashing.ts';
import type { SegmentRow } from '../objects.store.ts';

export interface Joining {
  readonly segments: readonly SegmentRow[];
  /** The object's hash: the old bytes will be removed, so their replacement must be identical. */
  readonly hash: string;
  readonly to: BlobId;
  readonly tier: Tier;
}

export async function joinSegments(
  blobs: BlobStore,
  { segments, hash, to, tier }: Joining,
  signal: AbortSignal,
): Promise<void> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const writer = blobs.openWriter(to, { tier, signal, freeChunks: true });
  const sink = writerSink(writer, (error) => stop.abort(error));
  const etag = runningEtag(parseEtag(hash).form === 'parts');
  const hashed = {
    write(chunk: Uint8Array) {
      etag.update(chunk);
      return sink.write(chunk);
    },
    once: (event: 'drain', listener: () => void) => sink.once(event, listener),
  };
  try {
    for (const { segment_id, size } of segments) {
      const all = { offset: 0, length: Number(size), whole: true };
      if (all.length > 0) await blobs.read(segment_id, all, hashed, either);
      etag.endSegment();
    }
    const found = etag.digest();
    if (found !== hash) throw new Error(`the segments hash to ${found}, the object to ${hash}`);
    await writer.finish();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** The hash of the whole content or, if the object's hash is built from its parts, of each segment. */
function runningEtag(
  byParts: boolean,
): Pick<EtagStream, 'update'> & { endSegment(): void; digest(): string } {
  let stream = createEtagStream(nodeHashing);
  const parts: { size: number; etag: string }[] = [];
  return {
    update: (chunk) => stream.update(chunk),
    endSegment() {
      if (!byParts) return;
      parts.push(stream.digest());
      stream = createEtagStream(nodeHashing);
    },
    digest: () => (byParts ? etagOfParts(nodeHashing, parts) : stream.digest().etag),
  };
}
