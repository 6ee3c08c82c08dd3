/** At most this many at a time under one name; others wait their turn, but not too many and not too long. */
import { Fault } from '@millpond/protocol';

export interface SlotOptions {
  readonly atOnce: number;
  readonly waiting: number;
  readonly waitMs: number;
  /** What there is too much of, for those refused. */
  readonly hint: string;
}

interface Line {
  running: number;
  readonly waiting: Set<() => void>;
}

export class Slots {
  readonly #options: SlotOptions;
  readonly #lines = new Map<string, Line>();

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  /** Resolves with the function that returns the slot. */
  async take(name: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const line = this.#lines.get(name) ?? { running: 0, waiting: new Set() };
    this.#lines.set(name, line);
    if (line.running < this.#options.atOnce) line.running += 1;
    else await this.#turn(line, signal);
    return () => this.#giveBack(name, line);
  }

  /** A returned slot is handed over directly: it is never free in between. */
  #turn(line: Line, signal: AbortSignal): Promise<void> {
    if (line.waiting.size >= this.#options.waiting) throw this.#tooMany();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        line.waiting.delete(onTurn);
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
      line.waiting.add(onTurn);
    });
  }

  #giveBack(name: string, line: Line): void {
    const [next] = line.waiting;
    if (next !== undefined) {
      next();
      return;
    }
    line.running -= 1;
    if (line.running === 0) this.#lines.delete(name);
  }

  #tooMany(): Fault {
    return new Fault('tooManyRequests', { hint: this.#options.hint, retryAfterSeconds: 1 });
  }
}
