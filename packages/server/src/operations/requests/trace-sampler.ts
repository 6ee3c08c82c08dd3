/**
 * Which requests are kept: those that were refused, that failed or took long, and a few of the others; or all. However many a
 * client gets refused, no more than so many are written; those without a proven credential, which anybody can send, least.
 */
export type TraceMode = 'refused' | 'all' | 'none';

const SLOW_MS = 1000;
const ONE_IN = 100;

interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}
const OF_ACCOUNTS: Rate = { perSecond: 50, burst: 1000 };
const OF_STRANGERS: Rate = { perSecond: 5, burst: 200 };

export class TraceSampler {
  readonly #which: TraceMode;
  readonly #now: () => number;
  readonly #accounts: Allowance;
  readonly #strangers: Allowance;
  #others = 0;
  /** Requests that should have been kept, but for their number. */
  tooMany = 0;

  constructor(which: TraceMode, now: () => number = () => performance.now()) {
    this.#which = which;
    this.#now = now;
    this.#accounts = new Allowance(OF_ACCOUNTS, now());
    this.#strangers = new Allowance(OF_STRANGERS, now());
  }

  keeps(status: number, ms: number, isProven: boolean): boolean {
    if (this.#which === 'all') return true;
    if (status < 400 && ms <= SLOW_MS && !this.#isSample()) return false;
    const isAllowed = (isProven ? this.#accounts : this.#strangers).take(this.#now());
    if (!isAllowed) this.tooMany += 1;
    return isAllowed;
  }

  #isSample(): boolean {
    this.#others = (this.#others + 1) % ONE_IN;
    return this.#others === 0;
  }
}

class Allowance {
  readonly #rate: Rate;
  #left: number;
  #at: number;

  constructor(rate: Rate, now: number) {
    this.#rate = rate;
    this.#left = rate.burst;
    this.#at = now;
  }

  take(now: number): boolean {
    const gained = ((now - this.#at) / 1000) * this.#rate.perSecond;
    this.#left = Math.min(this.#rate.burst, this.#left + gained);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
