/** Aborts a wait for an engine that is silent for too long. Only time spent waiting counts, not the time in between. */
export class SilenceTimeout {
  readonly #ms: number;
  readonly #over = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  begin(): void {
    const late = () => this.#over.abort(new DOMException('the engine sends nothing', 'TimeoutError'));
    this.#timer = setTimeout(late, this.#ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  async during<T>(waiting: Promise<T>): Promise<T> {
    this.begin();
    try {
      return await waiting;
    } finally {
      this.end();
    }
  }
}
