/**
 * How often something may happen per key (an address, an e-mail, an account): a token bucket that refills steadily. Each
 * gateway keeps its own, with a bounded number of keys; the oldest are forgotten first.
 */
import { Fault, type FaultName } from '@millpond/protocol';
import { copyString } from './copy-string.ts';

export interface Rate {
  /** How many at once, after a pause. */
  readonly burst: number;
  /** The steady rate. */
  readonly perMinute: number;
}

const MAX_KEYS = 100_000;

/** The allowance of one key: its tokens, and since when it has had that many. */
export class TokenBucket {
  readonly #rate: Rate;
  #tokens: number;
  #at: number;

  constructor(rate: Rate, now: number) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#at = now;
  }

  /** Takes a token and returns 0; or takes none and returns the milliseconds until there is one. */
  take(now: number): number {
    const { burst, perMinute } = this.#rate;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) / 60_000) * perMinute);
    this.#at = now;
    if (this.#tokens < 1) return ((1 - this.#tokens) * 60_000) / perMinute;
    this.#tokens -= 1;
    return 0;
  }

  giveBack(): void {
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + 1);
  }
}

export class RateLimiter {
  readonly #rate: Rate;
  readonly #allowances = new Map<string, TokenBucket>();
  readonly #refusal: FaultName;
  readonly #now: () => number;

  constructor(rate: Rate, refusal: FaultName, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#refusal = refusal;
    this.#now = now;
  }

  /** Takes a token, or refuses with the time to wait. */
  take(key: string): void {
    const wait = this.tryTake(key);
    if (wait === 0) return;
    throw new Fault(this.#refusal, {
      hint: 'too many requests: try again later',
      retryAfterSeconds: Math.ceil(wait / 1000),
    });
  }

  /** What was taken turned out not to count. */
  giveBack(key: string): void {
    this.#allowances.get(key)?.giveBack();
  }

  /** Takes a token and returns 0; or takes none and returns the milliseconds until there is one. */
  tryTake(key: string): number {
    const now = this.#now();
    const known = this.#allowances.get(key);
    const bucket = known ?? new TokenBucket(this.#rate, now);
    const wait = bucket.take(now);
    if (wait > 0) return wait;
    this.#allowances.delete(key);
    this.#allowances.set(copyString(key), bucket);
    if (this.#allowances.size > MAX_KEYS) {
      const [oldest] = this.#allowances.keys();
      if (oldest !== undefined) this.#allowances.delete(oldest);
    }
    return 0;
  }
}
