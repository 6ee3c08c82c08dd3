/**
 * How often something may happen per key (an address, an e-mail, an account): a bucket of tokens that refills steadily.
 * Kept by each gateway for itself and bounded; the oldest keys are forgotten first.
 */
import { Fault, type FaultName } from '@millpond/protocol';
import { detachedText } from './detached-text.ts';

export interface Rate {
  /** At once, after a pause. */
  readonly burst: number;
  /** Steadily. */
  readonly perMinute: number;
}

const MOST_KEYS = 100_000;

/** What one may do: its tokens, and since when it has had so many. */
export class Allowance {
  readonly #rate: Rate;
  #tokens: number;
  #at: number;

  constructor(rate: Rate, now: number) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#at = now;
  }

  /** Takes one and is 0; or takes none and is how many milliseconds it is until there is one. */
  take(now: number): number {
    const { burst, perMinute } = this.#rate;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) / 60_000) * perMinute);
    this.#at = now;
    if (this.#tokens < 1) return ((1 - this.#tokens) * 60_000) / perMinute;
    this.#tokens -= 1;
    return 0;
  }
}

export class RateLimit {
  readonly #rate: Rate;
  readonly #allowances = new Map<string, Allowance>();
  readonly #refusal: FaultName;
  readonly #now: () => number;

  constructor(rate: Rate, refusal: FaultName, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#refusal = refusal;
    this.#now = now;
  }

  /** Takes one, or refuses with the time to wait. */
  take(key: string): void {
    const wait = this.tryTake(key);
    if (wait === 0) return;
    throw new Fault(this.#refusal, { hint: 'too often', retryAfterSeconds: Math.ceil(wait / 1000) });
  }

  /** Takes one and is 0; or takes none and is how many milliseconds it is until there is one. */
  tryTake(key: string): number {
    const now = this.#now();
    const known = this.#allowances.get(key);
    const allowance = known ?? new Allowance(this.#rate, now);
    const wait = allowance.take(now);
    if (wait > 0) return wait;
    this.#allowances.delete(key);
    this.#allowances.set(detachedText(key), allowance);
    if (this.#allowances.size > MOST_KEYS) {
      const [oldest] = this.#allowances.keys();
      if (oldest !== undefined) this.#allowances.delete(oldest);
    }
    return 0;
  }
}
