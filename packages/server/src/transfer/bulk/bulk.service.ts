/** Work on many objects, as an account sees it: submitted, listed, looked at and stopped. A key with limits sees its own only. */
import { newBlobId, parseBlobId } from '@millpond/blobs';
import { Fault, type WirePage, type WireRecord } from '@millpond/protocol';
import type { Principal } from '../../identity/accounts/index.ts';
import type { Transaction } from '../../platform/db/database.ts';
import type { Buckets } from '../../storage/buckets/index.ts';
import type { BulkRequest } from './bulk.request.ts';
import type { BulkRow, BulkState, BulkStore } from './bulk.store.ts';

/** Has a worker take it up, in the transaction. */
export type Requeue = (transaction: Transaction, bulk: Pick<BulkRow, 'bulk_id' | 'uid'>) => Promise<unknown>;

export interface BulkDeps {
  readonly store: BulkStore;
  readonly buckets: Buckets;
  readonly requeue: Requeue;
}

export interface BulkQuery {
  readonly state: BulkState | undefined;
  readonly marker: string | undefined;
  readonly limit: number;
}

/** Waiting or running, of one account. */
const MAX_OPEN = 100;

export class Bulk {
  readonly #deps: BulkDeps;

  constructor(deps: BulkDeps) {
    this.#deps = deps;
  }

  /** Its rights are those of the caller now: what the key loses later does not end it. */
  async submit(caller: Principal, request: BulkRequest, address: string): Promise<WireRecord<'Bulk'>> {
    const { store, buckets, requeue } = this.#deps;
    const { kind, prefix, keys, how } = request;
    const bucket = await buckets.owned(caller.uid, request.bucket);
    const target = how.to?.bucket ?? how.zip?.bucket;
    if (target !== undefined) await buckets.owned(caller.uid, target);
    const limited = limitedKey(caller);
    const row = await store.transaction(async (transaction) => {
      const inserted = await store.insert(
        {
          bulk_id: newBlobId(),
          uid: caller.uid,
          kind,
          bucket_id: bucket.id,
          bucket: bucket.name,
          prefix,
          keys,
          request: how,
          accessKey: limited,
          limits: caller.key?.limits,
          address,
        },
        MAX_OPEN,
        transaction,
      );
      if (inserted === undefined)
        throw new Fault('tooManyRequests', {
          hint: `the account has ${MAX_OPEN} of them waiting or running: wait for one to end, or stop it`,
        });
      await requeue(transaction, inserted);
      return inserted;
    });
    return bulkRecord(row);
  }

  async page(caller: Principal, { state, marker, limit }: BulkQuery): Promise<WirePage<'Bulk'>> {
    if (marker !== undefined && parseBlobId(marker) === undefined) throw new Fault('invalidMarker');
    const filter = { uid: caller.uid, accessKey: limitedKey(caller), state, before: marker };
    const rows = await this.#deps.store.list(filter, limit + 1);
    const shown = rows.slice(0, limit);
    return {
      items: shown.map(bulkRecord),
      marker: rows.length > limit ? shown.at(-1)?.bulk_id : undefined,
    };
  }

  async get(caller: Principal, id: string): Promise<WireRecord<'Bulk'>> {
    const row =
      parseBlobId(id) === undefined
        ? undefined
        : await this.#deps.store.find(id, caller.uid, limitedKey(caller));
    if (row === undefined) throw new Fault('noSuchBulk');
    return bulkRecord(row);
  }

  /** What has ended stays as it ended. */
  async stop(caller: Principal, id: string): Promise<WireRecord<'Bulk'>> {
    if (parseBlobId(id) !== undefined) await this.#deps.store.stop(id, caller.uid, limitedKey(caller));
    return this.get(caller, id);
  }
}

function limitedKey({ key }: Principal): string | undefined {
  return key?.limits === undefined ? undefined : key.accessKey;
}

/** Work on many objects as the interface shows it. */
function bulkRecord(row: BulkRow): WireRecord<'Bulk'> {
  return {
    id: row.bulk_id,
    kind: row.kind,
    bucket: row.bucket,
    // With named keys it may only be the empty beginning of all of them.
    prefix: row.keys !== null && row.prefix === '' ? undefined : row.prefix,
    keys: row.keys ?? undefined,
    ...row.request,
    state: row.state,
    done: Number(row.done),
    failed: Number(row.failed),
    bytes: Number(row.bytes),
    of: row.expected === null ? undefined : Number(row.expected),
    current: row.current ?? undefined,
    created: row.created_at.toISOString(),
    begun: row.begun_at?.toISOString(),
    ended: row.ended_at?.toISOString(),
    words: row.words ?? undefined,
    problems: row.problems,
    accessKey: row.access_key ?? undefined,
  };
}
