/**
 * Who may begin a media session. While any is free, each account may begin sessions up to its share. Beyond that it gets
 * only those not reserved for waiting accounts that are below their share. Nobody loses a session they have.
 */

export interface Standing {
  readonly uid: bigint;
  /** `waits`: wanted, but without a session. `idle`: neither. */
  readonly state: 'holds' | 'waits' | 'idle';
}

interface Account {
  held: number;
  waiting: number;
}

export class Shares {
  readonly #accounts = new Map<bigint, Account>();
  readonly #share: number;
  #free: number;
  /** Reserved for waiting accounts that are below their share. */
  #kept = 0;

  constructor(most: number, all: Iterable<Standing>) {
    this.#free = most;
    for (const { uid, state } of all) {
      if (state === 'idle') continue;
      const account = this.#accounts.get(uid) ?? { held: 0, waiting: 0 };
      this.#accounts.set(uid, account);
      if (state === 'waits') account.waiting += 1;
      else {
        account.held += 1;
        this.#free -= 1;
      }
    }
    this.#share = Math.ceil(most / Math.max(this.#accounts.size, 1));
    for (const account of this.#accounts.values()) this.#kept += this.#keptFor(account);
  }

  /** Takes a session for a waiting channel, or says why there is none. */
  take(uid: bigint): 'taken' | 'all in use' | 'kept for others' {
    const account = this.#accounts.get(uid);
    if (account === undefined || this.#free <= 0) return 'all in use';
    if (account.held >= this.#share && this.#free <= this.#kept) return 'kept for others';
    this.#kept -= this.#keptFor(account);
    account.held += 1;
    account.waiting -= 1;
    this.#free -= 1;
    this.#kept += this.#keptFor(account);
    return 'taken';
  }

  #keptFor({ held, waiting }: Account): number {
    return Math.min(waiting, Math.max(0, this.#share - held));
  }
}
