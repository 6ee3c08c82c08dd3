/**
 * Whose turn it is, and whose share, goes by tenant: the parent account of a child, and any other account itself. An account that could
 * make itself children would else have as many turns as it likes. A child never changes its parent, so what is known stays true.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountStore } from './accounts.store.ts';

const MAX_KNOWN = 100_000;
/** Nothing waits longer for the control database just to be fair, and after that it is not asked for a while. */
const PATIENCE_MS = 500;
const PAUSE_MS = 10_000;

interface Account {
  readonly uid: bigint;
  /** 0 for a parent account. */
  readonly parentUid: bigint;
}

export function tenantOf({ uid, parentUid }: Account): bigint {
  return parentUid === 0n ? uid : parentUid;
}

export class Tenants {
  readonly #store: Pick<AccountStore, 'byUid'>;
  readonly #known = new Map<bigint, bigint>();
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(store: Pick<AccountStore, 'byUid'>) {
    this.#store = store;
  }

  /** Whoever reads an account anyway says so. */
  note(account: Account): void {
    const { uid } = account;
    if (this.#known.has(uid)) return;
    this.#known.set(uid, tenantOf(account));
    if (this.#known.size <= MAX_KNOWN) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }

  /** The account itself, if its parent is not known here. */
  known(uid: bigint): bigint {
    return this.#known.get(uid) ?? uid;
  }

  /** By which name it takes turns in a queue. */
  turnOf(uid: bigint): string {
    return String(this.known(uid));
  }

  /** The same, after it was looked up; while the control database is away, what is known. */
  async of(uid: bigint): Promise<bigint> {
    return (await this.find(uid)) ?? uid;
  }

  /** Undefined if it can't be looked up now. */
  async find(uid: bigint): Promise<bigint | undefined> {
    if (!this.#known.has(uid) && performance.now() >= this.#pausedUntil) {
      const silence = new AbortController();
      const found = await Promise.race([
        this.#store.byUid(uid).catch(() => 'away' as const),
        sleep(PATIENCE_MS, 'away' as const, silence).catch(() => undefined),
      ]);
      silence.abort();
      if (found === 'away') this.#pausedUntil = performance.now() + PAUSE_MS;
      else this.note({ uid, parentUid: found?.parent_uid ?? 0n });
    }
    return this.#known.get(uid);
  }
}
