/**
 * Nonces of challenges. None is stored when it is issued: each carries its time, and a signature over the time and the address
 * it is for, by a key that lives as long as the process. Only used nonces are remembered, with the count that must grow, so
 * that nothing recorded on the way can be replayed.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const FORM = /^([0-9a-z]{1,11})\.([0-9a-z]{1,7})\.([0-9a-f]{32})$/;
const MAX_USED_NONCES = 100_000;

export interface NonceOptions {
  readonly lifeMs: number;
  readonly now?: () => number;
}

export class Nonces {
  readonly #key = randomBytes(32);
  readonly #lifeMs: number;
  readonly #now: () => number;
  /** The last count of each, in the order of first use. */
  readonly #used = new Map<string, { count: number; readonly until: number }>();
  #serial = 0;

  constructor({ lifeMs, now = () => performance.now() }: NonceOptions) {
    this.#lifeMs = lifeMs;
    this.#now = now;
  }

  make(address: string): string {
    this.#serial = (this.#serial + 1) % 2 ** 31;
    const head = `${Math.floor(this.#now()).toString(36)}.${this.#serial.toString(36)}`;
    return `${head}.${this.#sign(head, address)}`;
  }

  /** Whether we issued it to this address, not too long ago. */
  isFresh(nonce: string, address: string): boolean {
    const madeAt = this.#madeAt(nonce, address);
    return madeAt !== undefined && this.#now() - madeAt <= this.#lifeMs;
  }

  /**
   * Uses up a fresh nonce whose credentials were right. False: it was used before, with this count or a higher one. Without a
   * count (no `qop`) it is good once.
   */
  use(nonce: string, nc: string | undefined): boolean {
    const now = this.#now();
    const count = nc === undefined ? Number.POSITIVE_INFINITY : Number.parseInt(nc, 16);
    const used = this.#used.get(nonce);
    if (used !== undefined) {
      if (count <= used.count) return false;
      used.count = count;
      return true;
    }
    this.#used.set(nonce, { count, until: now + this.#lifeMs });
    for (const [oldest, { until }] of this.#used) {
      if (until > now && this.#used.size <= MAX_USED_NONCES) break;
      this.#used.delete(oldest);
    }
    return true;
  }

  #madeAt(nonce: string, address: string): number | undefined {
    const [, time = '', serial = '', mac = ''] = FORM.exec(nonce) ?? [];
    const expected = this.#sign(`${time}.${serial}`, address);
    if (mac === '' || !timingSafeEqual(Buffer.from(mac), Buffer.from(expected))) return undefined;
    return Number.parseInt(time, 36);
  }

  #sign(head: string, address: string): string {
    return createHmac('sha256', this.#key).update(`${head} ${address}`).digest('hex').slice(0, 32);
  }
}
