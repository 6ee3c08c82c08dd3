/**
 * Combines point reads of a group (a bucket) that wait at the same time into one statement. Each read stands alone to its
 * caller: it sees what was committed before it was asked for, it can be cancelled, and a fault of one key does not affect
 * another.
 */
import { currentTrace, withoutTrace } from '@millpond/base';
import { Coalescer } from '../coalescer.ts';
import type { Queryable, Statement } from './database.ts';
import { isFaultOfAKey } from './sqlstate.ts';

/** Statements of one group at a time: enough that a slow one does not hold up all. */
const MAX_CONCURRENT = 2;
const MAX_KEYS = 100;

export class BatchedReads<Row extends { readonly key: string }> {
  readonly #name: string;
  readonly #reads: Coalescer<{ readonly id: bigint; readonly key: string }, Row | undefined>;

  /** The statement's values are a group and an array of keys; it returns at most one row per key. */
  constructor(database: Queryable, statement: Statement) {
    this.#name = statement.name;
    this.#reads = new Coalescer({
      most: MAX_KEYS,
      atOnce: MAX_CONCURRENT,
      group: ({ id }) => id,
      async work(reads, cancel) {
        const keys = reads.map(({ key }) => key);
        // It is a step of every request that waits for it, which each notes itself.
        const rows = await withoutTrace(() => database.query<Row>(statement, [reads[0]?.id, keys], cancel));
        const byKey = new Map(rows.map((row) => [row.key, row]));
        return keys.map((key) => byKey.get(key));
      },
      isOfOne: isFaultOfAKey,
    });
  }

  find(id: bigint, key: string, cancel?: AbortSignal): Promise<Row | undefined> {
    const found = this.#reads.add({ id, key }, cancel);
    const trace = currentTrace();
    if (trace !== undefined) {
      const begun = performance.now();
      const note = (ok: boolean) => trace.step('statement', this.#name, begun, ok);
      found.then(
        () => note(true),
        () => note(false),
      );
    }
    return found;
  }
}
