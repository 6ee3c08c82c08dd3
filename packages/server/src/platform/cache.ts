/**
 * A bounded cache of what another database says, for a short time: one lookup at a time per key, "there is none" is
 * remembered too, and when the source is away the last answer serves on for a while.
 */
export interface CacheOptions<V> {
  readonly load: (key: string) => Promise<V | undefined>;
  readonly freshMs: number;
  readonly staleMs: number;
  readonly entries: number;
  readonly now?: () => number;
}

interface Entry<V> {
  value: V | undefined;
  loadedAt: number;
}

export class BriefCache<V> {
  readonly #options: CacheOptions<V>;
  readonly #entries = new Map<string, Entry<V>>();
  readonly #loading = new Map<string, Promise<V | undefined>>();
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
    const age = entry === undefined ? Number.POSITIVE_INFINITY : this.#now() - entry.loadedAt;
    if (entry !== undefined && age < this.#options.freshMs) return entry.value;
    try {
      return await this.#load(key);
    } catch (error) {
      if (entry !== undefined && age < this.#options.staleMs) return entry.value;
      throw error;
    }
  }

  /** After a change made here, so that its author sees it at once. */
  forget(key: string): void {
    this.#generation++;
    this.#entries.delete(key);
    this.#loading.delete(key);
  }

  #load(key: string): Promise<V | undefined> {
    const running = this.#loading.get(key);
    if (running !== undefined) return running;
    const generation = this.#generation;
    const loading = this.#options
      .load(key)
      .then((value) => {
        // A lookup that began before a change may not bring the old value back.
        if (generation === this.#generation) this.#store(key, value);
        return value;
      })
      .finally(() => {
        if (this.#loading.get(key) === loading) this.#loading.delete(key);
      });
    this.#loading.set(key, loading);
    return loading;
  }

  #store(key: string, value: V | undefined): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, loadedAt: this.#now() });
    if (this.#entries.size > this.#options.entries) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
  }
}
