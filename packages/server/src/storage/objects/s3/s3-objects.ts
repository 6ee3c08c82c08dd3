/** Objects as the S3 protocol needs them: read with ETags and checksums, listed, copied, removed and restored under conditions. */
import { Fault, isArchiveClass, tierOfClass } from '@millpond/protocol';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { isSqlState } from '../../../platform/db/sqlstate.ts';
import type { Bucket } from '../../buckets/index.ts';
import { endOfPrefix, firstAfterPrefix } from '../lists/key-ranges.ts';
import { type GroupedRow, ListStore } from '../lists/list.store.ts';
import { ArchiveStore } from '../operations/archive.store.ts';
import { type ArchiveOptions, restoreTimes } from '../operations/archive.ts';
import { BulkStore } from '../operations/bulk-operations.store.ts';
import { RESTORED } from '../restore-status.ts';
import type { UpkeepRequests } from '../upkeep-requests.ts';
import { copyObject, type S3Copy, type S3CopyRow } from './s3-copy.store.ts';
import {
  type PartEntry,
  type RemovalCondition,
  S3_LISTED_COLUMNS,
  type S3ListedRow,
  type S3ObjectRow,
  S3ObjectStore,
  s3ListedRow,
} from './s3-object.store.ts';

export interface S3ListQuery {
  readonly prefix: string;
  readonly delimiter: string;
  /** Only what comes after it. */
  readonly after: string;
  readonly limit: number;
}

export type S3ListItem = S3ListedRow | GroupedRow<S3ListedRow>;

/** Work that joins a copy. */
export type CopyHook = (transaction: Transaction, putTime: bigint) => Promise<void>;

/** Rows that exist are locked in order; a target that appears in between can't be, which may cause a deadlock. */
const TRIES = 5;
/** The empty key is valid in our own interface, and has no name in S3. */
const FIRST_KEY = '\u0001';

export class S3Objects {
  readonly #region: Database;
  readonly #store: S3ObjectStore;
  readonly #lists: ListStore<S3ListedRow>;
  readonly #bulk: BulkStore;
  readonly #archive: ArchiveStore;
  readonly #options: ArchiveOptions;
  readonly #requests: UpkeepRequests;

  constructor(region: Database, options: ArchiveOptions, requests: UpkeepRequests) {
    this.#region = region;
    this.#store = new S3ObjectStore(region);
    this.#lists = new ListStore(region, { name: 's3-list', columns: S3_LISTED_COLUMNS, rowOf: s3ListedRow });
    this.#bulk = new BulkStore(region);
    this.#archive = new ArchiveStore(region);
    this.#options = options;
    this.#requests = requests;
  }

  find(bucket: Bucket, key: string, cancel: AbortSignal): Promise<S3ObjectRow | undefined> {
    return this.#store.find(bucket.id, key, cancel);
  }

  partList(bucket: Bucket, row: Pick<S3ObjectRow, 'key' | 'put_time'>): Promise<PartEntry[] | null> {
    return this.#store.partList(bucket.id, row);
  }

  /** In byte order; one more than the limit tells that there is more. */
  list(bucket: Bucket, query: S3ListQuery, cancel: AbortSignal): Promise<S3ListItem[]> {
    const { prefix, delimiter } = query;
    const range = {
      bucketId: bucket.id,
      from: firstListed(query),
      until: endOfPrefix(prefix),
      limit: query.limit + 1,
    };
    if (delimiter === '') return this.#lists.page(range, cancel);
    const afterDelimiter = firstAfterPrefix(delimiter);
    if (afterDelimiter === undefined)
      throw new Fault('invalidArgument', { hint: 'this delimiter cannot be used' });
    return this.#lists.groupedPage(range, { delimiter, afterDelimiter, prefix }, cancel);
  }

  async remove(bucket: Bucket, keys: readonly string[]): Promise<void> {
    await this.#bulk.remove(keys.map((key) => ({ bucketId: bucket.id, key })));
  }

  /** Undefined if there was nothing to remove; false if the condition did not hold. */
  removeIf(bucket: Bucket, key: string, condition: RemovalCondition): Promise<boolean | undefined> {
    return this.#store.removeIf(bucket.id, key, condition);
  }

  /** False if there is no object. */
  setTags(bucket: Bucket, key: string, tags: Readonly<Record<string, string>>): Promise<boolean> {
    return this.#store.setTags(bucket.id, key, tags);
  }

  /** Returns the put time of the copy. */
  async copy(asked: S3Copy, also?: CopyHook): Promise<bigint> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#region.transaction((transaction) => this.#copyIn(transaction, asked, also));
      } catch (error) {
        if (tries === TRIES || !isSqlState(error, 'deadlock')) throw error;
      }
    }
  }

  async #copyIn(transaction: Transaction, asked: S3Copy, also?: CopyHook): Promise<bigint> {
    const row = await copyObject(transaction, asked);
    const refused = refusalOf(row);
    if (refused !== undefined) throw refused;
    const { blob_id: blobId, segment_count: segments, put_time: putTime, cold } = row;
    if (blobId === null || putTime === null) throw new Error('the copy wrote nothing');
    await also?.(transaction, putTime);
    // A merge, like a move, writes to the tier of the class.
    if (segments !== 1) await this.#requests.merge?.(transaction, blobId);
    else if (cold !== (tierOfClass(asked.storageClass) === 'COLD'))
      await this.#requests.move?.(transaction, blobId);
    return putTime;
  }

  /** The status it had: 0 frozen (the restore has begun), 1 being restored, 2 restored (its end is later now). */
  async restore(bucket: Bucket, key: string, days: number): Promise<number> {
    const times = restoreTimes(this.#options, days);
    const row = await this.#archive.restoreOrExtend(bucket.id, key, times);
    if (row === undefined) throw new Fault('noSuchEntry');
    if (!isArchiveClass(row.class)) throw new Fault('notArchive');
    return row.restore_status ?? RESTORED;
  }
}

function refusalOf(row: S3CopyRow): Fault | undefined {
  if (!row.open) return new Fault('noSuchBucket');
  // Replaced or removed since it was judged.
  if (!row.is_there) return new Fault('preconditionFailed', { hint: 'the source was changed meanwhile' });
  if (!row.readable) return new Fault('archiveUnrestored');
  if (!row.has_room) return new Fault('quotaExceeded');
  if (row.blob_id !== null) return undefined;
  return new Fault(row.was_there || row.matches ? 'preconditionFailed' : 'noSuchEntry');
}

/** A marker within a group is after the whole group: it has been listed as one item. */
function firstListed({ prefix, delimiter, after }: S3ListQuery): string {
  const first = prefix === '' ? FIRST_KEY : prefix;
  if (Buffer.compare(Buffer.from(after), Buffer.from(first)) < 0) return first;
  const at = delimiter === '' || !after.startsWith(prefix) ? -1 : after.indexOf(delimiter, prefix.length);
  const group = at < 0 ? undefined : firstAfterPrefix(after.slice(0, at + delimiter.length));
  return group ?? `${after}\u0001`;
}
