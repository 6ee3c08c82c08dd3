/** Finding and removing many objects at once. An error with one of them is only that one's outcome. */
import { type Dialect, Fault, type ObjectEntry } from '@millpond/protocol';
import type { Bucket, Buckets } from '../../buckets/index.ts';
import { objectRecord } from '../record.ts';
import type { BulkStore, ObjectRef } from './bulk-operations.store.ts';
import type { Outcome } from './operation.ts';

export interface BulkDeps {
  readonly store: BulkStore;
  readonly buckets: Buckets;
  readonly dialect: Dialect;
}

export class BulkObjects {
  readonly #deps: BulkDeps;

  constructor(deps: BulkDeps) {
    this.#deps = deps;
  }

  stat(uid: bigint, entries: readonly ObjectEntry[], cancel: AbortSignal): Promise<Outcome[]> {
    const { store, dialect } = this.#deps;
    return this.#inOwnBuckets(uid, entries, async (places) => {
      const rows = await store.find(places, cancel);
      return rows.map((row) => (row === undefined ? missing() : done(objectRecord(row, dialect))));
    });
  }

  remove(uid: bigint, entries: readonly ObjectEntry[]): Promise<Outcome[]> {
    return this.#inOwnBuckets(uid, entries, async (places) => {
      const removed = await this.#deps.store.remove(places);
      return removed.map((isGone) => (isGone ? done(undefined) : missing()));
    });
  }

  async #inOwnBuckets(
    uid: bigint,
    entries: readonly ObjectEntry[],
    run: (places: readonly ObjectRef[]) => Promise<Outcome[]>,
  ): Promise<Outcome[]> {
    const names = [...new Set(entries.map(({ bucket }) => bucket))];
    const found = await Promise.allSettled(names.map((name) => this.#deps.buckets.owned(uid, name)));
    const buckets = new Map<string, PromiseSettledResult<Bucket>>(
      names.map((name, index) => [name, found[index] as PromiseSettledResult<Bucket>]),
    );
    const places: ObjectRef[] = [];
    const refused = entries.map(({ bucket, key }) => {
      const owned = buckets.get(bucket) as PromiseSettledResult<Bucket>;
      if (owned.status === 'rejected') return owned;
      places.push({ bucketId: owned.value.id, key });
      return undefined;
    });
    const outcomes = (places.length === 0 ? [] : await run(places)).values();
    return refused.map((refusal) => refusal ?? (outcomes.next().value as Outcome));
  }
}

function done(value: object | undefined): Outcome {
  return { status: 'fulfilled', value };
}

function missing(): Outcome {
  return { status: 'rejected', reason: new Fault('noSuchEntry') };
}
