/** SQL of the objects that work on many is about, a page at a time. */
import type { BlobId } from '@millpond/blobs';
import { type Queryable, statement } from '../../platform/db/database.ts';
import type { KeyRange } from './bulk.store.ts';

export interface FoundObject {
  readonly key: string;
  readonly fsize: bigint;
  readonly put_time: bigint;
  readonly class: number;
  readonly restore_status: number | null;
  readonly status: number;
  readonly blob_id: BlobId;
  readonly segment_count: number;
  readonly mime_type: string;
}

const COLUMNS = `key, fsize, put_time, class, region.restore_status(class, restore_ready_at, restore_ends_at) AS restore_status,
  status, blob_id, segment_count, mime_type`;
const RANGE = `SELECT ${COLUMNS} FROM region.objects
   WHERE bucket_id = $1 AND key >= $2 AND key < $3 ORDER BY key LIMIT $4`;
const NAMED = `SELECT ${COLUMNS} FROM region.objects WHERE bucket_id = $1 AND key = ANY ($2::text[]) ORDER BY key`;

const range = statement('bulk-objects', RANGE);
const named = statement('bulk-objects-named', NAMED);
// Locked in the order of keys: what is then done to them is done to what was read.
const lockedRange = statement('bulk-objects-locked', `${RANGE} FOR UPDATE`);
const lockedNamed = statement('bulk-objects-named-locked', `${NAMED} FOR UPDATE`);

export class BulkObjectStore {
  readonly #region: Queryable;

  constructor(region: Queryable) {
    this.#region = region;
  }

  range({ bucketId, from, until }: KeyRange, limit: number): Promise<FoundObject[]> {
    return this.#region.query<FoundObject>(range, [bucketId, from, until, limit]);
  }

  named(bucketId: bigint, keys: readonly string[]): Promise<FoundObject[]> {
    return this.#region.query<FoundObject>(named, [bucketId, keys]);
  }

  lockedRange(
    { bucketId, from, until }: KeyRange,
    limit: number,
    transaction: Queryable,
  ): Promise<FoundObject[]> {
    return transaction.query<FoundObject>(lockedRange, [bucketId, from, until, limit]);
  }

  lockedNamed(bucketId: bigint, keys: readonly string[], transaction: Queryable): Promise<FoundObject[]> {
    return transaction.query<FoundObject>(lockedNamed, [bucketId, keys]);
  }
}
