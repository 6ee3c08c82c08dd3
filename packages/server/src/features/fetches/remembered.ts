/** Names that are remembered for a while; when there are too many, the oldest are forgotten first. */
export class Remembered {
  readonly #forMs: number;
  readonly #most: number;
  readonly #now: () => number;
  /** By name, when it is to be forgotten; in the order in which that happens. */
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
