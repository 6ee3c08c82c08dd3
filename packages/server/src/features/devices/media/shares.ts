/**
 * Who may begin a media session: as long as one is free, everybody up to their share of them; beyond that only with what is
 * not kept for others, who wait and have less than theirs. Nobody loses what they have.
 */

export interface Standing {
  readonly uid: bigint;
  /** `waits`: it is wanted, and there is no session for it. `idle`: neither. */
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
  /** For those who wait and have less than their share. */
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

  /** Takes a session for one of those that wait; or says why there is none. */
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
