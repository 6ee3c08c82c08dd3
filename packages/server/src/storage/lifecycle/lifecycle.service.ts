/**
 * Applies lifecycle rules: walks the keys under the rules' prefixes, page by page, and removes or cools what is due. The
 * walk records its progress, so it continues after a crash. Repeating it does no harm: every change names the version of
 * the object that was examined.
 */
import { type BucketLifecycle, type BucketsFeature, dueActionOf } from '../buckets/index.ts';
import type { ClassChange, LifecycleStore, ScannedRow } from './lifecycle.store.ts';
import { rangeFrom, rangesOf, walkedPrefixes } from './ranges.ts';
import { walkedObject } from './walked-object.ts';

/** False if that version no longer exists, or is already that cold. */
export type ChangeClass = (change: ClassChange) => Promise<boolean>;

export interface LifecycleDeps {
  readonly ruledBuckets: BucketsFeature['ruledBuckets'];
  readonly store: Pick<LifecycleStore, 'begin' | 'page' | 'advance' | 'remove' | 'abortUploads' | 'forget'>;
  readonly changeClass: ChangeClass;
  readonly region: string;
  /** Each bucket is walked once in this many seconds. */
  readonly everySeconds: number;
}

/** Numbers of objects, and of uploads that were given up. */
export type Applied = Readonly<Record<'removed' | 'moved' | 'aborted', number>>;

const PAGE = 1000;
const BUCKETS = 100;
const FORGET_DAYS = 30;

export class Lifecycle {
  readonly #deps: LifecycleDeps;

  constructor(deps: LifecycleDeps) {
    this.#deps = deps;
  }

  async run(signal: AbortSignal): Promise<Applied> {
    const { ruledBuckets, store, region } = this.#deps;
    const total = { removed: 0, moved: 0, aborted: 0 };
    for (let after = 0n; ; ) {
      const buckets = await ruledBuckets(region, after, BUCKETS);
      for (const { bucketId, lifecycle } of buckets) {
        const applied = await this.#walk(bucketId, lifecycle, signal);
        total.removed += applied.removed;
        total.moved += applied.moved;
        total.aborted += applied.aborted;
      }
      const last = buckets.at(-1);
      if (last === undefined) break;
      after = last.bucketId;
    }
    await store.forget(FORGET_DAYS);
    return total;
  }

  async #walk(bucketId: bigint, lifecycle: BucketLifecycle, signal: AbortSignal): Promise<Applied> {
    const { store, everySeconds } = this.#deps;
    const ranges = rangesOf(walkedPrefixes(lifecycle));
    let at = await store.begin(bucketId, everySeconds / 2);
    const aborted = at === undefined ? 0 : await this.#abortUploads(bucketId, lifecycle);
    let [removed, moved] = [0, 0];
    while (at !== undefined) {
      signal.throwIfAborted();
      const range = rangeFrom(ranges, at);
      const rows = range === undefined ? [] : await store.page(bucketId, range, PAGE);
      const applied = await this.#apply(bucketId, lifecycle, rows, signal);
      removed += applied.removed;
      moved += applied.moved;
      const next = rows.length < PAGE ? (range?.until ?? null) : `${rows.at(-1)?.key}\u0001`;
      // Another process has taken over, or the walk is done.
      if (!(await store.advance(bucketId, at, next)) || next === null) break;
      at = next;
    }
    return { removed, moved, aborted };
  }

  async #apply(
    bucketId: bigint,
    lifecycle: BucketLifecycle,
    rows: readonly ScannedRow[],
    signal: AbortSignal,
  ): Promise<Omit<Applied, 'aborted'>> {
    const actions = rows.map((row) => ({
      row,
      action: dueActionOf(lifecycle, walkedObject(row), Number(row.now)),
    }));
    const due = actions.filter(({ action }) => action === 'delete').map(({ row }) => row);
    const removed = due.length === 0 ? 0 : await this.#deps.store.remove(bucketId, due);
    let moved = 0;
    for (const { row, action } of actions) {
      if (typeof action !== 'number') continue;
      signal.throwIfAborted();
      const change = { bucketId, key: row.key, putTime: row.put_time, storageClass: action };
      if (await this.#deps.changeClass(change)) moved++;
    }
    return { removed, moved };
  }

  /** Our own rules say nothing about uploads; those end by themselves after some days. */
  async #abortUploads(bucketId: bigint, lifecycle: BucketLifecycle): Promise<number> {
    let aborted = 0;
    for (const { isEnabled, scope, abortUploadsAfterDays: days } of lifecycle.by === 's3'
      ? lifecycle.rules
      : []) {
      const [range] = rangesOf([scope.prefix ?? '']);
      if (!isEnabled || days === undefined || range === undefined) continue;
      aborted += await this.#deps.store.abortUploads(bucketId, range, days);
    }
    return aborted;
  }
}
