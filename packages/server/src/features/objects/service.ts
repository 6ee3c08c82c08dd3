/** Objects: committing what was uploaded, finding, removing. The rules of the interface on them live here. */
import { Fault, type ObjectEntry } from '@millpond/protocol';
import type { Bucket, Buckets } from '../buckets/index.ts';
import { type ObjectRecord, objectRecord } from './record.ts';
import type { NewObject, ObjectRow, ObjectStore, SegmentRow } from './store.ts';

/** What a commit made of an upload. */
export interface Committed {
  readonly hash: string;
  readonly fsize: bigint;
  readonly putTime: bigint;
  /** False when an identical object was there already. */
  readonly written: boolean;
}

export class Objects {
  readonly #store: ObjectStore;
  readonly #buckets: Buckets;
  readonly #commitWindowMs: number;

  constructor(store: ObjectStore, buckets: Buckets, options: { commitWindowMs: number }) {
    this.#store = store;
    this.#buckets = buckets;
    this.#commitWindowMs = options.commitWindowMs;
  }

  /**
   * Makes the object visible, or says why not. After a fault of the database it is not known whether the object is
   * there; its bytes are left alone then, and the sweep removes them if no row names them.
   */
  async commit(object: Omit<NewObject, 'commitWindowMs'>, mode: 'insert' | 'overwrite'): Promise<Committed> {
    const row = await this.#store.commit({ ...object, commitWindowMs: this.#commitWindowMs }, mode);
    if (!row.open) throw new Fault('noSuchBucket');
    if (!row.in_time)
      throw new Fault('expiredToken', { detail: 'deadline passed before the object was created' });
    if (!row.fresh) {
      throw new Fault('serverFailure', {
        detail: 'the upload took longer than the commit window, or this host’s clock is wrong',
      });
    }
    if (row.blob_id === null || row.hash === null || row.fsize === null || row.put_time === null) {
      throw new Error('the commit statement wrote nothing');
    }
    const written = row.blob_id === object.blobId;
    const identical = row.hash === object.hash && row.fsize === BigInt(object.fsize);
    if (!written && !identical) throw new Fault('fileExists');
    return { hash: row.hash, fsize: row.fsize, putTime: row.put_time, written };
  }

  /** The object's row, for reading its bytes; undefined when there is none. */
  find(bucket: Bucket, key: string, cancel?: AbortSignal): Promise<ObjectRow | undefined> {
    return this.#store.find(bucket.id, key, cancel);
  }

  /** The engine objects that make up a blob, in order. */
  async segments(row: ObjectRow, cancel?: AbortSignal): Promise<readonly SegmentRow[]> {
    if (row.segment_count === 1) return [{ segment_id: row.blob_id, size: row.fsize }];
    return this.#store.segments(row.blob_id, cancel);
  }

  async stat(uid: bigint, entry: ObjectEntry, cancel: AbortSignal): Promise<ObjectRecord> {
    const bucket = await this.#buckets.owned(uid, entry.bucket);
    const row = await this.#store.find(bucket.id, entry.key, cancel);
    if (row === undefined) throw new Fault('noSuchEntry');
    return objectRecord(row);
  }

  async remove(uid: bigint, entry: ObjectEntry): Promise<void> {
    const bucket = await this.#buckets.owned(uid, entry.bucket);
    if (!(await this.#store.remove(bucket.id, entry.key))) throw new Fault('noSuchEntry');
  }
}
