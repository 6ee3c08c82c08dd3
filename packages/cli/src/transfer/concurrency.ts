/** Processes items as they come, a fixed number at a time, without ever holding more of them than that. */
export async function runConcurrently<T>(
  things: AsyncIterable<T>,
  lanes: number,
  signal: AbortSignal,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const iterator = things[Symbol.asyncIterator]();
  // A generator yields one item at a time, whoever asks: lanes queue here.
  let asking: Promise<unknown> = Promise.resolve();
  const next = (): Promise<IteratorResult<T>> => {
    const asked = asking.then(() => iterator.next());
    asking = asked.catch(() => undefined);
    return asked;
  };
  const lane = async () => {
    while (!signal.aborted) {
      const { done, value } = await next();
      if (done) return;
      await work(value as T);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
  await iterator.return?.();
  const failed = ended.find((each) => each.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Lets a fixed number in at a time. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(room: number) {
    this.#free = room;
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
