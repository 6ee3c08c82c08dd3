/** Limits an upload to the rate in its policy: the next chunk waits until the bytes so far are due. */
import { setTimeout as sleep } from 'node:timers/promises';

export class Throttle {
  readonly #bytesPerMs: number;
  readonly #now: () => number;
  readonly #begun: number;
  #bytes = 0;

  constructor(bitsPerSecond: number, now = () => performance.now()) {
    this.#bytesPerMs = bitsPerSecond / 8 / 1000;
    this.#now = now;
    this.#begun = now();
  }

  /** Undefined if the upload is not ahead of its rate. */
  take(bytes: number, signal: AbortSignal): Promise<void> | undefined {
    this.#bytes += bytes;
    const ahead = this.#bytes / this.#bytesPerMs - (this.#now() - this.#begun);
    return ahead > 1 ? sleep(ahead, undefined, { signal }) : undefined;
  }
}
