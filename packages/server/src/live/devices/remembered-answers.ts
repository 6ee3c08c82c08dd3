/**
 * Answers to earlier requests, for retransmissions. Answers to devices are kept apart from all others: anybody can get as
 * many challenges and refusals as they like. These may push out each other, but nothing that a device was answered.
 */
import { ServerTransactions } from '@millpond/camera-wire';

export class RememberedAnswers {
  readonly #devices: ServerTransactions;
  readonly #strangers: ServerTransactions;

  constructor(now?: () => number) {
    this.#devices = new ServerTransactions(now);
    this.#strangers = new ServerTransactions(now);
  }

  /** Its earlier answer, or that it is still being verified; undefined: it is new. */
  of(key: string): 'pending' | Buffer | undefined {
    return this.#devices.known(key) ?? this.#strangers.known(key);
  }

  /** Not verified again until it has been answered. */
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
