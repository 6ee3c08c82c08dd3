/**
 * Answers to earlier requests, for retransmissions. Answers to devices are kept apart from all others: anybody can get as
 * many challenges and refusals as they like. These may push out each other, but nothing that a device was answered.
 */
import { ServerTransactions } from '@millpond/camera-wire';

export class ResponseCache {
  readonly #devices: ServerTransactions;
  readonly #strangers: ServerTransactions;

  constructor(now?: () => number) {
    this.#devices = new ServerTransactions(now);
    this.#strangers = new ServerTransactions(now);
  }

  /** Its earlier answer, or that it is still being verified; undefined: it is new. */
  of(key: string): 'pending' | Buffer | undefined {
    return this.#devices.cachedResponse(key) ?? this.#strangers.cachedResponse(key);
  }

  /** Not verified again until it has been answered. */
  judging(key: string): void {
    this.#devices.begin(key);
  }

  device(key: string, answer: Buffer): void {
    this.#devices.begin(key);
    this.#devices.cacheResponse(key, answer);
  }

  stranger(key: string, answer: Buffer): void {
    this.#devices.forget(key);
    this.#strangers.begin(key);
    this.#strangers.cacheResponse(key, answer);
  }
}
