/** Names remembered for a while; if there are too many, the oldest are forgotten first. */
export class Remembered {
  readonly #forMs: number;
  readonly #most: number;
  readonly #now: () => number;
  /** By name, the time at which to forget it; in order of that time. */
  readonly #until = new Map<string, number>();

  constructor(forMs: number, most: number, now: () => number = () => performance.now()) {
    this.#forMs = forMs;
    this.#most = most;
    this.#now = now;
  }

  add(name: string): void {
    this.#until.delete(name);
    this.#until.set(name, this.#now() + this.#forMs);
    for (const [oldest, until] of this.#until) {
      if (this.#until.size <= this.#most && until > this.#now()) break;
      this.#until.delete(oldest);
    }
  }

  has(name: string): boolean {
    return (this.#until.get(name) ?? Number.NEGATIVE_INFINITY) > this.#now();
  }
}
