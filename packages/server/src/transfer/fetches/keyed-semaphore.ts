/** At most this many at a time under one name; others wait their turn, but not too many and not too long. */
import { Fault } from '@millpond/protocol';

export interface SlotOptions {
  readonly atOnce: number;
  readonly waiting: number;
  readonly waitMs: number;
  /** Error hint naming the exceeded limit. */
  readonly hint: string;
}

interface Waiters {
  running: number;
  readonly waiting: Set<() => void>;
}

export class KeyedSemaphore {
  readonly #options: SlotOptions;
  readonly #lines = new Map<string, Waiters>();

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  /** Resolves with the function that returns the slot. */
  async acquire(name: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const waiters = this.#lines.get(name) ?? { running: 0, waiting: new Set() };
    this.#lines.set(name, waiters);
    if (waiters.running < this.#options.atOnce) waiters.running += 1;
    else await this.#turn(waiters, signal);
    return () => this.#giveBack(name, waiters);
  }

  /** A returned slot is handed over directly: it is never free in between. */
  #turn(waiters: Waiters, signal: AbortSignal): Promise<void> {
    if (waiters.waiting.size >= this.#options.waiting) throw this.#tooMany();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        waiters.waiting.delete(onTurn);
      };
      const onTurn = (): void => {
        leave();
        resolve();
      };
      const onAbort = (): void => {
        leave();
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        leave();
        reject(this.#tooMany());
      }, this.#options.waitMs);
      signal.addEventListener('abort', onAbort, { once: true });
      waiters.waiting.add(onTurn);
    });
  }

  #giveBack(name: string, waiters: Waiters): void {
    const [next] = waiters.waiting;
    if (next !== undefined) {
      next();
      return;
    }
    waiters.running -= 1;
    if (waiters.running === 0) this.#lines.delete(name);
  }

  #tooMany(): Fault {
    return new Fault('tooManyRequests', { hint: this.#options.hint, retryAfterSeconds: 1 });
  }
}
