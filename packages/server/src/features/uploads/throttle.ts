/** Holds an upload to a rate, as its policy asks: the next chunk waits until the bytes so far are due. */
import { setTimeout as sleep } from 'node:timers/promises';

export class Throttle {
  readonly #bytesPerMs: number;
  readonly #begun = performance.now();
  #bytes = 0;

  constructor(bitsPerSecond: number) {
    this.#bytesPerMs = bitsPerSecond / 8 / 1000;
  }

  /** Undefined when the upload is not ahead of its rate. */
  take(bytes: number, signal: AbortSignal): Promise<void> | undefined {
    this.#bytes += bytes;
    const ahead = this.#bytes / this.#bytesPerMs - (performance.now() - this.#begun);
    return ahead > 1 ? sleep(ahead, undefined, { signal }) : undefined;
  }
}
