/**
 * Removes what is left of a closed account after a grace period: its objects (whose bytes stay in the trash for their own
 * grace period), its buckets, then the account. Each region removes its own buckets, and the last one removes the account.
 * Every step can be repeated, so a crash at any point does no harm. It may take hours; an account that is enabled in
 * between keeps what it still has.
 */
import type { Accounts } from '../../../identity/accounts/index.ts';
import type { Bucket, Buckets, GateClosure } from '../../buckets/index.ts';
import { CLOSED_ACCOUNT_DAYS } from '../../limits.ts';
import type { EmptyingStore } from './emptying.store.ts';

export interface ClosedAccountDeps {
  readonly accounts: Accounts;
  readonly buckets: Buckets;
  readonly store: EmptyingStore;
  readonly region: string;
}

const BATCH = 1000;
const ACTOR = { name: 'upkeep', address: 'local', reqid: '' };

export class ClosedAccounts {
  readonly #deps: ClosedAccountDeps;

  constructor(deps: ClosedAccountDeps) {
    this.#deps = deps;
  }

  /** The number of accounts removed. */
  async remove(signal: AbortSignal): Promise<number> {
    const { accounts, region } = this.#deps;
    let removed = 0;
    for (const account of await accounts.closing.closedLongAgo(CLOSED_ACCOUNT_DAYS, 100, region)) {
      if ((await this.#dropBuckets(account.uid, signal)) && (await accounts.closing.remove(account, ACTOR)))
        removed++;
    }
    return removed;
  }

  /** False if the account, or a bucket, is no longer to be removed. */
  async #dropBuckets(uid: bigint, signal: AbortSignal): Promise<boolean> {
    const { buckets, region } = this.#deps;
    for (const bucket of await buckets.ofAccount(uid, { region })) {
      if (!(await this.#isClosed(uid)) || !(await this.#drop(bucket, signal))) return false;
    }
    signal.throwIfAborted();
    return this.#isClosed(uid);
  }

  async #drop(bucket: Bucket, signal: AbortSignal): Promise<boolean> {
    const { buckets, store } = this.#deps;
    const closing = await buckets.close(bucket);
    while (await this.#mayGoOn(bucket.uid, closing)) {
      signal.throwIfAborted();
      if ((await store.removeSome(bucket.id, BATCH)) === BATCH) continue;
      await store.giveUpUploads(bucket.id);
      await buckets.remove(bucket);
      return true;
    }
    await buckets.reopen(closing);
    return false;
  }

  async #mayGoOn(uid: bigint, closing: GateClosure): Promise<boolean> {
    return (await this.#isClosed(uid)) && (await this.#deps.buckets.keepClosed(closing));
  }

  #isClosed(uid: bigint): Promise<boolean> {
    return this.#deps.accounts.closing.isLongClosed(uid, CLOSED_ACCOUNT_DAYS);
  }
}
