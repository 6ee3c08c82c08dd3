/**
 * Dropping a bucket, which must be empty. The gate is closed first, so that nothing can be added between the look into
 * the bucket and its end; a bucket that turns out not to be empty is opened again. A drop whose process died is
 * brought to its end later: every step can be repeated.
 */
import { Fault } from '@millpond/protocol';
import type { Bucket, Buckets, Closing } from '../../buckets/index.ts';
import type { EmptyingStore } from './emptying-store.ts';

/** Longer than anybody with a process goes without saying that a bucket is to stay closed. */
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
    // Seen before the gate is touched, a full bucket goes on taking uploads.
    if (!(await this.#store.isEmpty(bucket.id))) throw new Fault('bucketNotEmpty');
    if (!(await this.#end(bucket, await this.#buckets.close(bucket)))) throw new Fault('bucketNotEmpty');
  }

  /** Ends drops that were left half done: the number of buckets that are gone. */
  async resume(signal: AbortSignal): Promise<number> {
    let dropped = 0;
    for (const bucket of await this.#buckets.halfDropped(DEAD_AFTER_SECONDS)) {
      signal.throwIfAborted();
      if (await this.#end(bucket, await this.#buckets.close(bucket))) dropped++;
    }
    return dropped;
  }

  /** Of a closed bucket; false and open again where it is not empty. */
  async #end(bucket: Bucket, closing: Closing): Promise<boolean> {
    if (!(await this.#store.isEmpty(bucket.id))) {
      await this.#buckets.reopen(closing);
      return false;
    }
    await this.#store.giveUpUploads(bucket.id);
    await this.#buckets.remove(bucket);
    return true;
  }
}
