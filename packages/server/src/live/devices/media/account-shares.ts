/**
 * Who may begin a media session. While any is free, each tenant may begin sessions up to its share. Beyond that it gets
 * only those not reserved for waiting tenants that are below their share. Nobody loses a session they have.
 */

export interface ShareClaim {
  readonly tenant: bigint;
  /** `waits`: wanted, but without a session. `idle`: neither. */
  readonly state: 'holds' | 'waits' | 'idle';
}

interface HeldShare {
  held: number;
  waiting: number;
}

export class AccountShares {
  readonly #tenants = new Map<bigint, HeldShare>();
  readonly #share: number;
  #free: number;
  /** Reserved for waiting tenants that are below their share. */
  #kept = 0;

  constructor(most: number, all: Iterable<ShareClaim>) {
    this.#free = most;
    for (const { tenant, state } of all) {
      if (state === 'idle') continue;
      const found = this.#tenants.get(tenant) ?? { held: 0, waiting: 0 };
      this.#tenants.set(tenant, found);
      if (state === 'waits') found.waiting += 1;
      else {
        found.held += 1;
        this.#free -= 1;
      }
    }
    this.#share = Math.ceil(most / Math.max(this.#tenants.size, 1));
    for (const each of this.#tenants.values()) this.#kept += this.#keptFor(each);
  }

  /** Takes a session for a waiting channel, or says why there is none. */
  claim(tenant: bigint): 'taken' | 'all in use' | 'kept for others' {
    const found = this.#tenants.get(tenant);
    if (found === undefined || this.#free <= 0) return 'all in use';
    if (found.held >= this.#share && this.#free <= this.#kept) return 'kept for others';
    this.#kept -= this.#keptFor(found);
    found.held += 1;
    found.waiting -= 1;
    this.#free -= 1;
    this.#kept += this.#keptFor(found);
    return 'taken';
  }

  #keptFor({ held, waiting }: HeldShare): number {
    return Math.min(waiting, Math.max(0, this.#share - held));
  }
}
