/**
 * What accounts and buckets use: bytes and objects as of the last fold (a few seconds ago), and requests by day. Quotas
 * are checked where objects are committed, against what the last fold left of them.
 */
import type { WireRecord } from '@millpond/protocol';
import type { Bucket, Buckets } from '../buckets/index.ts';
import { type Days, MAX_DAYS } from './days.ts';
import type { Quota, UsageRow, UsageStore } from './usage.store.ts';

export type AccountUsage = Omit<WireRecord<'Usage'>, 'from' | 'to'>;
export type BucketUsage = NonNullable<AccountUsage['buckets']>[number];
type StoredUsage = Pick<BucketUsage, 'bytes' | 'objects' | 'classes'>;
type Requested = BucketUsage['requests'];
type ByDay = Pick<AccountUsage, 'days'>;

const FOLD_BATCH = 20_000;
const EMPTY: Requested = { calls: 0, downloads: 0 };

export class Usage {
  readonly #store: UsageStore;
  readonly #buckets: Buckets;

  constructor(store: UsageStore, buckets: Buckets) {
    this.#store = store;
    this.#buckets = buckets;
  }

  /** The number of changes folded. */
  async fold(signal: AbortSignal): Promise<number> {
    let folded = 0;
    for (;;) {
      signal.throwIfAborted();
      const taken = await this.#store.fold(FOLD_BATCH);
      folded += taken;
      if (taken < FOLD_BATCH) return folded;
    }
  }

  async tidy(): Promise<void> {
    await this.#store.forgetEmpty();
    await this.#store.forgetRequests(MAX_DAYS);
  }

  async ofBucket(bucket: Bucket, days: Days): Promise<BucketUsage & ByDay> {
    const [rows, requests, byDay] = await Promise.all([
      this.#store.usageOf([bucket.id]),
      this.#requests(bucket.uid, days),
      this.#byDay(bucket.uid, days, bucket.id),
    ]);
    return { bucket: bucket.name, ...held(rows), requests: requests.get(bucket.id) ?? EMPTY, ...byDay };
  }

  /** Usage of several accounts at once, by uid, from their buckets. */
  async ofAccounts(
    owned: readonly { readonly uid: bigint; readonly bucket_id: bigint }[],
  ): Promise<Map<bigint, { buckets: number; bytes: number; objects: number }>> {
    const rows = await this.#store.usageOf(owned.map(({ bucket_id }) => bucket_id));
    const byBucket = Map.groupBy(rows, (row) => row.bucket_id);
    const sums = new Map<bigint, { buckets: number; bytes: number; objects: number }>();
    for (const { uid, bucket_id } of owned) {
      const { buckets, ...sum } = sums.get(uid) ?? { buckets: 0, bytes: 0, objects: 0 };
      const { bytes, objects } = held(byBucket.get(bucket_id) ?? []);
      sums.set(uid, { buckets: buckets + 1, bytes: sum.bytes + bytes, objects: sum.objects + objects });
    }
    return sums;
  }

  async ofAccount(uid: bigint, days: Days): Promise<AccountUsage> {
    const buckets = await this.#buckets.ofAccount(uid);
    const [rows, requests, byDay] = await Promise.all([
      this.#store.usageOf(buckets.map(({ id }) => id)),
      this.#requests(uid, days),
      this.#byDay(uid, days),
    ]);
    const byBucket = Map.groupBy(rows, (row) => row.bucket_id);
    return {
      uid: Number(uid),
      ...held(rows),
      requests: [...requests.values()].reduce(
        (sum, { calls, downloads }) => ({
          calls: sum.calls + calls,
          downloads: sum.downloads + downloads,
        }),
        EMPTY,
      ),
      ...byDay,
      buckets: buckets.map(({ id, name }) => ({
        bucket: name,
        ...held(byBucket.get(id) ?? []),
        requests: requests.get(id) ?? EMPTY,
      })),
    };
  }

  /** Recounts a bucket and returns by how much the figures were off. */
  recount(bucket: Bucket): Promise<{ bytes: bigint; objects: bigint }> {
    return this.#store.recount(bucket.id);
  }

  setQuota(bucket: Bucket, bytes: bigint, objects: bigint): Promise<void> {
    return this.#store.setQuota(bucket.id, bytes, objects);
  }

  quotaOf(bucket: Bucket): Promise<Quota> {
    return this.#store.quotaOf(bucket.id);
  }

  async #byDay(uid: bigint, { from, to }: Days, bucketId?: bigint): Promise<ByDay> {
    if (from === to) return {};
    const rows = await this.#store.requestsByDay(uid, from, to, bucketId);
    return {
      days: rows.map(({ day, calls, downloads }) => ({
        day,
        calls: Number(calls),
        downloads: Number(downloads),
      })),
    };
  }

  async #requests(uid: bigint, { from, to }: Days): Promise<Map<bigint, Requested>> {
    const rows = await this.#store.requestsOf(uid, from, to);
    return new Map(
      rows.map((row) => [row.bucket_id, { calls: Number(row.calls), downloads: Number(row.downloads) }]),
    );
  }
}

function held(rows: readonly UsageRow[]): StoredUsage {
  const classes = Map.groupBy(rows, (row) => row.class);
  const sum = (of: readonly UsageRow[]) => ({
    bytes: Number(of.reduce((total, row) => total + row.bytes, 0n)),
    objects: Number(of.reduce((total, row) => total + row.objects, 0n)),
  });
  return {
    ...sum(rows),
    classes: [...classes]
      .toSorted(([one], [other]) => one - other)
      .map(([type, of]) => ({ type, ...sum(of) }))
      .filter(({ bytes, objects }) => bytes !== 0 || objects !== 0),
  };
}
