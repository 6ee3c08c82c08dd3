/**
 * Dropping a bucket, which must be empty. The gate is closed first, so that nothing can be added between the check
 * and the removal; a bucket that turns out not to be empty is opened again. A drop whose process died is completed
 * later: every step can be repeated.
 */
import { Fault } from '@millpond/protocol';
import type { Bucket, Buckets, GateClosure } from '../../buckets/index.ts';
import type { EmptyingStore } from './emptying.store.ts';

/** Longer than any live process goes without renewing its claim that a bucket must stay closed. */
const DEAD_AFTER_SECONDS = 600;

export class BucketDrops {
  readonly #buckets: Buckets;
  readonly #store: EmptyingStore;

  constructor(buckets: Buckets, store: EmptyingStore) {
    this.#buckets = buckets;
    this.#store = store;
  }

  async drop(uid: bigint, name: string): Promise<void> {
    const bucket = await this.#buckets.owned(uid, name);
    // Checked before the gate is touched, so that a non-empty bucket keeps accepting uploads.
    if (!(await this.#store.isEmpty(bucket.id))) throw new Fault('bucketNotEmpty');
    if (!(await this.#end(bucket, await this.#buckets.close(bucket)))) throw new Fault('bucketNotEmpty');
  }

  /** Completes drops that were left half done; returns the number of buckets removed. */
  async resume(signal: AbortSignal): Promise<number> {
    let dropped = 0;
    for (const bucket of await this.#buckets.interruptedDrops(DEAD_AFTER_SECONDS)) {
      signal.throwIfAborted();
      if (await this.#end(bucket, await this.#buckets.close(bucket))) dropped++;
    }
    return dropped;
  }

  /** Ends the drop of a closed bucket; false if it is not empty, in which case it is opened again. */
  async #end(bucket: Bucket, closing: GateClosure): Promise<boolean> {
    if (!(await this.#store.isEmpty(bucket.id))) {
      await this.#buckets.reopen(closing);
      return false;
    }
    await this.#store.giveUpUploads(bucket.id);
    await this.#buckets.remove(bucket);
    return true;
  }
}
