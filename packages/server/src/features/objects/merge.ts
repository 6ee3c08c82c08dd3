/**
 * Joins the segments of a blob that came in parts into one engine object, so that it is read and handed over like one
 * that came whole. The object keeps its record; only the name of its bytes changes, behind a fence. A merge may die
 * anywhere and be run again, by several at once: at most one of them counts, and readers never notice.
 */
import { createEtagStream, type EtagStream, etagOfParts, parseEtag } from '@millpond/protocol';
import { type BlobId, type BlobStore, newBlobId, writerSink } from '../../platform/blobs/index.ts';
import type { Transaction } from '../../platform/db/database.ts';
import { nodeHashing } from '../../platform/hashing.ts';
import type { MergeStore } from './merge-store.ts';
import type { ObjectStore, SegmentRow } from './store.ts';

/** Asks for a merge, in the transaction that commits an object of several segments. */
export type RequestMerge = (transaction: Transaction, blobId: BlobId) => Promise<unknown>;

export interface MergeParts {
  readonly store: MergeStore;
  readonly objects: ObjectStore;
  readonly blobs: BlobStore;
  readonly commitWindowMs: number;
}

export class Merger {
  readonly #parts: MergeParts;

  constructor(parts: MergeParts) {
    this.#parts = parts;
  }

  /** False when there is nothing to merge, or not any more. */
  async merge(blobId: BlobId, signal: AbortSignal): Promise<boolean> {
    const { store, objects, commitWindowMs } = this.#parts;
    const row = await store.find(blobId);
    if (row === undefined) return false;
    const segments = await objects.segments(blobId, signal);
    const merged = newBlobId();
    await this.#join(segments, merged, row, signal);
    return store.swap(blobId, merged, commitWindowMs);
  }

  /** The old bytes will be removed: what took their place must be what the object's hash says. */
  async #join(
    segments: readonly SegmentRow[],
    to: BlobId,
    row: { hash: string; class: number },
    signal: AbortSignal,
  ): Promise<void> {
    const { blobs } = this.#parts;
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const writer = blobs.openWriter(to, {
      tier: row.class >= 2 ? 'COLD' : 'STANDARD',
      signal,
      freeChunks: true,
    });
    const sink = writerSink(writer, (error) => stop.abort(error));
    const etag = runningEtag(parseEtag(row.hash).form === 'parts');
    const hashed = {
      write(chunk: Uint8Array) {
        etag.update(chunk);
        return sink.write(chunk);
      },
      once: (event: 'drain', listener: () => void) => sink.once(event, listener),
    };
    try {
      for (const { segment_id, size } of segments) {
        if (size > 0n)
          await blobs.read(segment_id, { offset: 0, length: Number(size), whole: true }, hashed, either);
        etag.endSegment();
      }
      const found = etag.digest();
      if (found !== row.hash) throw new Error(`the segments hash to ${found}, the object to ${row.hash}`);
      await writer.finish();
    } catch (error) {
      await writer.abort();
      throw error;
    }
  }
}

/** The hash of the whole, or where the object's goes by its parts, of each segment. */
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
