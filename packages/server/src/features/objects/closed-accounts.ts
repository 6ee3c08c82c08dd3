/**
 * What is left of a closed account goes after a grace: its objects (whose bytes stay in the trash for their own grace), its
 * buckets, itself. Each step can be repeated, so it can die anywhere.
 */
import type { Accounts } from '../accounts/index.ts';
import type { Bucket, Buckets } from '../buckets/index.ts';
import type { EmptyingStore } from './emptying-store.ts';

export interface ClosedAccountParts {
  readonly accounts: Accounts;
  readonly buckets: Buckets;
  readonly store: EmptyingStore;
}

const GRACE_DAYS = 30;
const BATCH = 1000;
const ACTOR = { name: 'upkeep', address: 'local', reqid: '' };

export class ClosedAccounts {
  readonly #parts: ClosedAccountParts;

  constructor(parts: ClosedAccountParts) {
    this.#parts = parts;
  }

  /** The number of accounts that are gone. */
  async remove(signal: AbortSignal): Promise<number> {
    const { accounts, buckets } = this.#parts;
    const due = await accounts.closedLongAgo(GRACE_DAYS, 100);
    for (const account of due) {
      for (const bucket of await buckets.ofAccount(account.uid)) await this.#drop(bucket, signal);
      signal.throwIfAborted();
      await accounts.remove(account, ACTOR);
    }
    return due.length;
  }

  async #drop(bucket: Bucket, signal: AbortSignal): Promise<void> {
    await this.#parts.buckets.close(bucket);
    await this.#parts.store.giveUpUploads(bucket.id);
    do signal.throwIfAborted();
    while ((await this.#parts.store.removeSome(bucket.id, BATCH)) === BATCH);
    await this.#parts.buckets.remove(bucket);
  }
}
