/** Objects: committing uploads, finding, removing. The API's rules for objects live here. */
import {
  DAY_MS,
  type Dialect,
  Fault,
  type ObjectEntry,
  tierOfClass,
  type WireRecord,
} from '@millpond/protocol';
import type { Transaction } from '../../platform/db/database.ts';
import type { Bucket, Buckets } from '../buckets/index.ts';
import { commitWindowFault } from './commit/freshness.ts';
import type {
  CommitMode,
  CommitRow,
  NewObject,
  ObjectRow,
  ObjectStore,
  SegmentRow,
} from './objects.store.ts';
import { type PlacedRow, placeOf } from './packs/place-statement.ts';
import { objectRecord } from './record.ts';
import { recoverLostCommit } from './recover-lost-commit.ts';
import type { RequestClassMove, RequestMerge } from './upkeep-requests.ts';

/** The outcome of committing an upload. */
export interface Committed {
  readonly hash: string;
  readonly fsize: bigint;
  readonly putTime: bigint;
  /** False when an identical object already existed. */
  readonly written: boolean;
}

/** Work that joins the commit of an object. */
export type CommitHook = (
  transaction: Transaction,
  outcome: Pick<Committed, 'written' | 'putTime'>,
) => Promise<void>;

/** Rows name the parts of a resumable upload while they wait, for as long as an upload may take. */
const NAMED_BYTES_MS = 8 * DAY_MS;

export interface ObjectsOptions {
  readonly commitWindowMs: number;
  readonly dialect: Dialect;
  /** Absent where no queue is open: segmented blobs then stay segmented. */
  readonly requestMerge?: RequestMerge | undefined;
  readonly requestMove?: RequestClassMove | undefined;
}

export class Objects {
  readonly #store: ObjectStore;
  readonly #buckets: Buckets;
  readonly #options: ObjectsOptions;

  constructor(store: ObjectStore, buckets: Buckets, options: ObjectsOptions) {
    this.#store = store;
    this.#buckets = buckets;
    this.#options = options;
  }

  /**
   * Makes the object visible, or says why not. If the answer of the database was lost, the object is looked for; if it is not
   * found either, it is unknown whether it exists. Its bytes are then left alone, and the sweep removes them if no row names them.
   *
   * `also` runs in the same transaction if the object is being created or already exists with the same content. It is for
   * whatever must become true together with the object.
   */
  async commit(
    object: Omit<NewObject, 'commitWindowMs'>,
    mode: CommitMode,
    also?: CommitHook,
  ): Promise<Committed> {
    const complete = {
      ...object,
      commitWindowMs: object.rowsNameBytes ? NAMED_BYTES_MS : this.#options.commitWindowMs,
    };
    const requestUpkeep = this.#upkeepOf(object);
    const committing =
      also === undefined && requestUpkeep === undefined
        ? this.#store.commit(complete, mode)
        : this.#commitWith(complete, mode, also, requestUpkeep);
    const row = await committing.catch((error: unknown) =>
      recoverLostCommit(error, () => this.#found(complete)),
    );
    return toCommitted(row, object);
  }

  #commitWith(
    object: NewObject,
    mode: CommitMode,
    also: CommitHook | undefined,
    requestUpkeep: RequestMerge | undefined,
  ): Promise<CommitRow> {
    // Don't roll back on a refusal: the refused bytes reach the trash only if this commits.
    return this.#store.transaction(async (transaction) => {
      const committed = await this.#store.commit(object, mode, transaction);
      if (refusal(committed, object) !== undefined) return committed;
      const { written, putTime } = toCommitted(committed, object);
      await also?.(transaction, { written, putTime });
      if (written) await requestUpkeep?.(transaction, object.blobId);
      return committed;
    });
  }

  async #found(object: NewObject): Promise<CommitRow | undefined> {
    const row = await this.#store.findCommitted(object);
    if (row === undefined) return undefined;
    const { blob_id, hash, fsize, put_time } = row;
    return { open: true, has_room: true, in_time: true, fresh: true, blob_id, hash, fsize, put_time };
  }

  /** Segments get merged into one blob, which is written to the right tier. A single blob in the wrong tier gets moved. */
  #upkeepOf(object: Pick<NewObject, 'segments' | 'tier' | 'storageClass'>): RequestMerge | undefined {
    if (object.segments.length > 1) return this.#options.requestMerge;
    const isPlaced = object.tier === undefined || object.tier === tierOfClass(object.storageClass);
    return isPlaced ? undefined : this.#options.requestMove;
  }

  /** The object's row, for reading its bytes; undefined when there is none. */
  find(bucket: Pick<Bucket, 'id'>, key: string, cancel?: AbortSignal): Promise<ObjectRow | undefined> {
    return this.#store.find(bucket.id, key, cancel);
  }

  /** The engine objects that make up a blob, in order. */
  async segments(
    row: Pick<ObjectRow, 'blob_id' | 'segment_count' | 'fsize'> & Partial<PlacedRow>,
    cancel?: AbortSignal,
  ): Promise<readonly SegmentRow[]> {
    if (row.segment_count === 1) return [{ segment_id: row.blob_id, size: row.fsize, place: placeOf(row) }];
    return this.#store.segments(row.blob_id, cancel);
  }

  async stat(uid: bigint, entry: ObjectEntry, cancel: AbortSignal): Promise<WireRecord<'Object'>> {
    const bucket = await this.#buckets.owned(uid, entry.bucket);
    const row = await this.#store.find(bucket.id, entry.key, cancel);
    if (row === undefined) throw new Fault('noSuchEntry');
    return objectRecord(row, this.#options.dialect);
  }

  async remove(uid: bigint, entry: ObjectEntry): Promise<void> {
    const bucket = await this.#buckets.owned(uid, entry.bucket);
    if (!(await this.#store.remove(bucket.id, entry.key))) throw new Fault('noSuchEntry');
  }
}

function toCommitted(row: CommitRow, object: Pick<NewObject, 'blobId' | 'hash' | 'fsize'>): Committed {
  const refused = refusal(row, object);
  if (refused !== undefined) throw refused;
  if (row.hash === null || row.fsize === null || row.put_time === null)
    throw new Error('the commit wrote nothing');
  return { hash: row.hash, fsize: row.fsize, putTime: row.put_time, written: row.blob_id === object.blobId };
}

function refusal(row: CommitRow, object: Pick<NewObject, 'blobId' | 'hash' | 'fsize'>): Fault | undefined {
  if (!row.open) return new Fault('noSuchBucket');
  if (!row.has_room) return new Fault('quotaExceeded');
  if (!row.in_time)
    return new Fault('expiredToken', { detail: 'deadline passed before the object was created' });
  if (!row.fresh) return commitWindowFault();
  if (row.matches !== undefined && row.blob_id === null) {
    const isMissing = row.was_there === false && row.matches === false;
    return new Fault(isMissing ? 'noSuchEntry' : 'preconditionFailed');
  }
  const isIdentical = row.hash === object.hash && row.fsize === BigInt(object.fsize);
  return row.blob_id === object.blobId || isIdentical ? undefined : new Fault('fileExists');
}
