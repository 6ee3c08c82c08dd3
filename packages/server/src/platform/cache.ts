/**
 * A bounded, short-lived cache of what another database says: one lookup at a time per key, "there is none" is remembered too,
 * and when the source is down or silent, the last answer is served for a while, without a wait.
 */
import { copyString } from '@millpond/base';
import { Fault } from '@millpond/protocol';
import { isFaultOfAKey } from './db/sqlstate.ts';

export interface CacheOptions<V> {
  readonly load: (key: string) => Promise<V | undefined>;
  readonly freshMs: number;
  readonly staleMs: number;
  readonly entries: number;
  readonly now?: () => number;
}

interface Entry<V> {
  readonly value: V | undefined;
  readonly loadedAt: number;
}

interface Lookup<V> {
  readonly value: Promise<V | undefined>;
  readonly since: number;
}

/** How long a caller that could use the last answer waits for a new one. */
const PATIENCE_MS = 2_000;
/** After a failure, the source is left alone for this long: not every request needs to find out. */
const PAUSE_MS = 1_000;
/** For this long, callers that have a last answer do not wait for the source; it is still asked. */
const DOUBT_MS = 10_000;

export class StaleIfErrorCache<V> {
  readonly #options: CacheOptions<V>;
  readonly #entries = new Map<string, Entry<V>>();
  readonly #lookups = new Map<string, Lookup<V>>();
  readonly #now: () => number;
  #generation = 0;
  /** When the source last failed or was silent, if it has not answered since. */
  #doubtedAt = Number.NEGATIVE_INFINITY;

  constructor(options: CacheOptions<V>) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** The value, without a promise if it is cached and fresh: this saves hot paths a turn of the event loop. */
  peek(key: string): V | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#now() - entry.loadedAt < this.#options.freshMs
      ? entry.value
      : undefined;
  }

  async get(key: string): Promise<V | undefined> {
    const entry = this.#entries.get(key);
    const now = this.#now();
    const age = entry === undefined ? Number.POSITIVE_INFINITY : now - entry.loadedAt;
    if (entry !== undefined && age < this.#options.freshMs) return entry.value;
    if (entry === undefined || age >= this.#options.staleMs) return this.#lookup(key);
    const doubtedFor = now - this.#doubtedAt;
    if (doubtedFor < PAUSE_MS) return entry.value;
    const renewed = this.#lookup(key).catch(() => entry.value);
    return doubtedFor < DOUBT_MS ? entry.value : this.#orLast(renewed, entry);
  }

  /**
   * For something that must exist by now: an answer counts only if it was asked for after this call. If the source is down, the
   * last answer is served here too.
   */
  async getNew(key: string): Promise<V | undefined> {
    const now = this.#now();
    const running = this.#lookups.get(key);
    // One of the callers waiting for a lookup that began too early starts the next, and the others share it.
    if (running !== undefined && running.since < now) await running.value.catch(() => undefined);
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.loadedAt >= now) return entry.value;
    const isUsable = entry !== undefined && now - entry.loadedAt < this.#options.staleMs;
    if (!isUsable) return this.#lookup(key);
    if (now - this.#doubtedAt < PAUSE_MS) return entry.value;
    return this.#orLast(
      this.#lookup(key).catch(() => entry.value),
      entry,
    );
  }

  /** Call this after a local change, so that its author sees it at once. */
  forget(key: string): void {
    this.#generation++;
    this.#entries.delete(key);
    this.#lookups.delete(key);
  }

  #lookup(key: string): Promise<V | undefined> {
    const running = this.#lookups.get(key);
    if (running !== undefined) return running.value;
    const generation = this.#generation;
    const since = this.#now();
    const lookup = this.#options
      .load(key)
      .then((value) => {
        this.#doubtedAt = Number.NEGATIVE_INFINITY;
        // A lookup that began before a change must not bring the old value back.
        if (generation === this.#generation) this.#store(key, value, since);
        return value;
      })
      .catch((error: unknown) => {
        if (isAway(error)) this.#doubtedAt = this.#now();
        throw error;
      })
      .finally(() => {
        if (this.#lookups.get(key)?.value === lookup) this.#lookups.delete(key);
      });
    this.#lookups.set(key, { value: lookup, since });
    return lookup;
  }

  /** The new answer, or after some patience the last one. */
  #orLast(renewed: Promise<V | undefined>, { value }: Entry<V>): Promise<V | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#doubtedAt = this.#now();
        resolve(value);
      }, PATIENCE_MS);
      void renewed.then(resolve).finally(() => clearTimeout(timer));
    });
  }

  /** As old as its lookup: it does not contain changes made while the lookup was running. */
  #store(key: string, value: V | undefined, loadedAt: number): void {
    this.#entries.delete(key);
    this.#entries.set(copyString(key), { value, loadedAt });
    if (this.#entries.size > this.#options.entries) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
  }
}

/**
 * Whether the source failed, rather than the lookup of this one key: otherwise a client that may choose keys could have every
 * entry served without a check, and so keep revoked entries in use.
 */
function isAway(error: unknown): boolean {
  return error instanceof Fault && error.fault === 'serverFailure' && !isFaultOfAKey(error);
}
