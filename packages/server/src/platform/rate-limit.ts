/**
 * How often something may happen per key (an address, an e-mail, an account): a bucket of tokens that refills steadily.
 * Kept by each gateway for itself and bounded; the oldest keys are forgotten first.
 */
import { Fault, type FaultName } from '@millpond/protocol';
import { ownText } from './own-text.ts';

export interface Rate {
  /** At once, after a pause. */
  readonly burst: number;
  /** Steadily. */
  readonly perMinute: number;
}

interface Level {
  tokens: number;
  at: number;
}

const MOST_KEYS = 100_000;

export class RateLimit {
  readonly #rate: Rate;
  readonly #levels = new Map<string, Level>();
  readonly #refusal: FaultName;
  readonly #now: () => number;

  constructor(rate: Rate, refusal: FaultName, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#refusal = refusal;
    this.#now = now;
  }

  /** Takes one, or refuses with the time to wait. */
  take(key: string): void {
    const now = this.#now();
    const { burst, perMinute } = this.#rate;
    const level = this.#levels.get(key) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, level.tokens + ((now - level.at) / 60_000) * perMinute);
    if (tokens < 1) {
      const retryAfterSeconds = Math.ceil(((1 - tokens) / perMinute) * 60);
      throw new Fault(this.#refusal, { hint: 'too often', retryAfterSeconds });
    }
    this.#levels.delete(key);
    this.#levels.set(ownText(key), { tokens: tokens - 1, at: now });
    if (this.#levels.size > MOST_KEYS) {
      const [oldest] = this.#levels.keys();
      if (oldest !== undefined) this.#levels.delete(oldest);
    }
  }
}
