/**
 * Joins the segments of a blob uploaded in parts into one engine object, so that it is read and handed over like one
 * uploaded whole. The object keeps its record; only the name of its bytes changes, behind a fence. A merge may crash at
 * any point and be rerun, even by several processes at once: at most one takes effect, and readers never notice.
 */
import { type BlobId, type BlobStore, newBlobId } from '@millpond/blobs';
import { tierOfClass } from '@millpond/protocol';
import type { ObjectStore } from '../objects.store.ts';
import { joinSegments } from './join-segments.ts';
import type { MergeStore } from './merge.store.ts';

export interface MergeDeps {
  readonly store: MergeStore;
  readonly objects: ObjectStore;
  readonly blobs: BlobStore;
  readonly commitWindowMs: number;
}

export class Merger {
  readonly #deps: MergeDeps;

  constructor(deps: MergeDeps) {
    this.#deps = deps;
  }

  /** False when there is nothing to merge, or nothing any more. */
  async merge(blobId: BlobId, signal: AbortSignal): Promise<boolean> {
    const { store, objects, blobs, commitWindowMs } = this.#deps;
    const row = await store.find(blobId);
    if (row === undefined) return false;
    const segments = await objects.segments(blobId, signal);
    const to = newBlobId();
    const tier = tierOfClass(row.class);
    await joinSegments(blobs, { segments, hash: row.hash, to, tier }, signal);
    return store.swap({ from: blobId, to, tier }, commitWindowMs);
  }
}
