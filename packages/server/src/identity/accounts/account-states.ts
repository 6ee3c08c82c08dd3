/**
 * Whether accounts are disabled, for clients whose credential does not tell: publishers with a stream's key, players with
 * its tokens, devices with their own passwords.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '@millpond/protocol';
import { StaleIfErrorCache } from '../../platform/cache.ts';
import type { AccountStore } from './accounts.store.ts';

/** How long to wait for a bulk lookup, and how long to pause lookups after one failed. */
const PATIENCE_MS = 2_000;
const PAUSE_MS = 10_000;

export class AccountStates {
  readonly #store: AccountStore;
  readonly #isDisabled: StaleIfErrorCache<boolean>;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(store: AccountStore, times: { freshMs: number; staleMs: number }) {
    this.#store = store;
    this.#isDisabled = new StaleIfErrorCache({
      ...times,
      entries: 50_000,
      load: async (uid) => (await store.byUid(BigInt(uid)))?.is_disabled,
    });
  }

  /** Judged like keys: as of a few seconds ago, and by the last answer while the control database is away. */
  async isDisabled(uid: bigint): Promise<boolean> {
    const key = uid.toString();
    // An account that is gone counts as disabled too.
    return this.#isDisabled.peek(key) ?? (await this.#isDisabled.get(key)) ?? true;
  }

  /** For clients already let in: if the state can't be determined, they may stay. */
  async isEnabledOrUnknown(uid: bigint): Promise<boolean> {
    try {
      return !(await this.isDisabled(uid));
    } catch (error) {
      return noneIfAway(error) ?? true;
    }
  }

  /** Many at once, in their current state. Empty while the control database is away: the caller has other work to do. */
  async disabledAmong(uids: Iterable<bigint>): Promise<Set<bigint>> {
    const asked = [...new Set(uids)];
    if (asked.length === 0 || performance.now() < this.#pausedUntil) return new Set();
    const silence = new AbortController();
    const found = await Promise.race([
      this.#store.disabledAmong(asked).catch(noneIfAway),
      sleep(PATIENCE_MS, undefined, silence).catch(() => undefined),
    ]);
    silence.abort();
    if (found === undefined) this.#pausedUntil = performance.now() + PAUSE_MS;
    return new Set(found);
  }
}

function noneIfAway(error: unknown): undefined {
  if (!(error instanceof Fault)) throw error;
}
