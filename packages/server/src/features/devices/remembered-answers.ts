/**
 * What requests were answered, for when they come again. Those of devices are kept apart from all others: anybody can have as many
 * challenges and refusals as they like, and these may push out each other, but nothing that a device was told.
 */
import { ServerTransactions } from '../../platform/sip/index.ts';

export class RememberedAnswers {
  readonly #devices: ServerTransactions;
  readonly #strangers: ServerTransactions;

  constructor(now?: () => number) {
    this.#devices = new ServerTransactions(now);
    this.#strangers = new ServerTransactions(now);
  }

  /** The answer that it had, or that it is being judged; undefined: it is new. */
  of(key: string): 'pending' | Buffer | undefined {
    return this.#devices.known(key) ?? this.#strangers.known(key);
  }

  /** Until it is answered it is not judged again. */
  judging(key: string): void {
    this.#devices.begin(key);
  }

  device(key: string, answer: Buffer): void {
    this.#devices.begin(key);
    this.#devices.answered(key, answer);
  }

  stranger(key: string, answer: Buffer): void {
    this.#devices.forget(key);
    this.#strangers.begin(key);
    this.#strangers.answered(key, answer);
  }
}
