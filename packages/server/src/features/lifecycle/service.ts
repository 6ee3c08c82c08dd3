/**
 * Applies lifecycle rules: walks the keys under the rules' prefixes, page by page, and removes or cools what is due. The
 * walk records its progress, so it continues after a crash. Repeating it does no harm: every change names the version of
 * the object that was examined.
 */
import { type BucketsFeature, dueAction, type LifecycleRule, ruleFor } from '../buckets/index.ts';
import { rangeFrom, rangesOf } from './ranges.ts';
import type { ClassChange, LifecycleStore, WalkedRow } from './store.ts';

/** False if that version no longer exists, or is already that cold. */
export type ChangeClass = (change: ClassChange) => Promise<boolean>;

export interface LifecycleDeps {
  readonly ruledBuckets: BucketsFeature['ruledBuckets'];
  readonly store: Pick<LifecycleStore, 'begin' | 'page' | 'advance' | 'remove' | 'forget'>;
  readonly changeClass: ChangeClass;
  readonly region: string;
  /** Each bucket is walked once in this many seconds. */
  readonly everySeconds: number;
}

/** Numbers of objects. */
export type Applied = Readonly<Record<'removed' | 'moved', number>>;

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
    let [removed, moved] = [0, 0];
    for (let after = 0n; ; ) {
      const buckets = await ruledBuckets(region, after, BUCKETS);
      for (const { bucket_id, rules } of buckets) {
        const applied = await this.#walk(BigInt(bucket_id), rules, signal);
        removed += applied.removed;
        moved += applied.moved;
      }
      const last = buckets.at(-1);
      if (last === undefined) break;
      after = last.bucket_id;
    }
    await store.forget(FORGET_DAYS);
    return { removed, moved };
  }

  async #walk(bucketId: bigint, rules: readonly LifecycleRule[], signal: AbortSignal): Promise<Applied> {
    const { store, everySeconds } = this.#deps;
    const ranges = rangesOf(rules.map(({ prefix }) => prefix));
    let [removed, moved] = [0, 0];
    let at = await store.begin(bucketId, everySeconds / 2);
    while (at !== undefined) {
      signal.throwIfAborted();
      const range = rangeFrom(ranges, at);
      const rows = range === undefined ? [] : await store.page(bucketId, range, PAGE);
      const applied = await this.#apply(bucketId, rules, rows, signal);
      removed += applied.removed;
      moved += applied.moved;
      const next = rows.length < PAGE ? (range?.until ?? null) : `${rows.at(-1)?.key}\u0001`;
      // Another process has taken over, or the walk is done.
      if (!(await store.advance(bucketId, at, next)) || next === null) break;
      at = next;
    }
    return { removed, moved };
  }

  async #apply(
    bucketId: bigint,
    rules: readonly LifecycleRule[],
    rows: readonly WalkedRow[],
    signal: AbortSignal,
  ): Promise<Applied> {
    const actions = rows.map((row) => {
      const rule = ruleFor(rules, row.key);
      return { row, action: rule && dueAction(rule, row.age_days, row.class) };
    });
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
}
