/**
 * What failed lately, by name, so that the same request does not cost the same again. A failure is remembered for the longer, the
 * more it cost: whoever repeats it gets no more than a small share of the time that is spent on others.
 */

export interface FailureMemoryOptions {
  /** How many times as long as it took a failure is remembered. */
  readonly times: number;
  readonly maxMs: number;
  readonly entries: number;
  readonly now?: () => number;
}

interface RememberedFailure<Failure> {
  readonly failure: Failure;
  readonly until: number;
}

export class FailureMemory<Failure> {
  readonly #options: FailureMemoryOptions;
  readonly #now: () => number;
  readonly #failures = new Map<string, RememberedFailure<Failure>>();

  constructor(options: FailureMemoryOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  find(name: string): Failure | undefined {
    const found = this.#failures.get(name);
    if (found === undefined || found.until > this.#now()) return found?.failure;
    this.#failures.delete(name);
    return undefined;
  }

  add(name: string, failure: Failure, tookMs: number): void {
    const { times, maxMs, entries } = this.#options;
    this.#failures.delete(name);
    this.#failures.set(name, { failure, until: this.#now() + Math.min(maxMs, times * tookMs) });
    if (this.#failures.size <= entries) return;
    const [oldest] = this.#failures.keys();
    if (oldest !== undefined) this.#failures.delete(oldest);
  }
}
