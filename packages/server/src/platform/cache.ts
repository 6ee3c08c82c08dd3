/**
 * A bounded cache of what another database says, for a short time: one lookup at a time per key, "there is none" is
 * remembered too, and when the source is away, or silent, the last answer serves on for a while.
 */
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
  /** When a lookup that should have renewed it failed. */
  failedAt: number;
}

interface Lookup<V> {
  readonly value: Promise<V | undefined>;
  readonly since: number;
}

/** How long a caller that could do with the last answer waits for a new one. */
const PATIENCE_MS = 2_000;
/** How long a source that failed is left alone, so that not every request finds out again. */
const PAUSE_MS = 1_000;

export class BriefCache<V> {
  readonly #options: CacheOptions<V>;
  readonly #entries = new Map<string, Entry<V>>();
  readonly #lookups = new Map<string, Lookup<V>>();
  readonly #now: () => number;
  #generation = 0;

  constructor(options: CacheOptions<V>) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** The value, without a promise when it is at hand and fresh: hot paths save the turn of the event loop. */
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
    if (entry === undefined || age >= this.#options.staleMs) return this.#lookup(key).value;
    if (now - entry.failedAt < PAUSE_MS) return entry.value;
    const { value, since } = this.#lookup(key);
    if (now - since >= PATIENCE_MS) return entry.value;
    return orAfter(PATIENCE_MS, value, entry.value);
  }

  /** After a change made here, so that its author sees it at once. */
  forget(key: string): void {
    this.#generation++;
    this.#entries.delete(key);
    this.#lookups.delete(key);
  }

  #lookup(key: string): Lookup<V> {
    const running = this.#lookups.get(key);
    if (running !== undefined) return running;
    const generation = this.#generation;
    const since = this.#now();
    const value = this.#options
      .load(key)
      .then((loaded) => {
        // A lookup that began before a change may not bring the old value back.
        if (generation === this.#generation) this.#store(key, loaded, since);
        return loaded;
      })
      .catch((error: unknown) => {
        const entry = this.#entries.get(key);
        if (entry !== undefined) entry.failedAt = this.#now();
        throw error;
      })
      .finally(() => {
        if (this.#lookups.get(key) === lookup) this.#lookups.delete(key);
      });
    const lookup = { value, since };
    this.#lookups.set(key, lookup);
    return lookup;
  }

  /** As old as its lookup: what changed while that was on its way is not in it. */
  #store(key: string, value: V | undefined, loadedAt: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, loadedAt, failedAt: Number.NEGATIVE_INFINITY });
    if (this.#entries.size > this.#options.entries) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
  }
}

/** What the promise gives, or the other value when it fails or takes too long. */
function orAfter<V>(ms: number, promise: Promise<V>, other: V): Promise<V> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(other), ms);
    promise.then(resolve, () => resolve(other)).finally(() => clearTimeout(timer));
  });
}
