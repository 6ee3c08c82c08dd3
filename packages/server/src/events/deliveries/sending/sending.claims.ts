/**
 * Claims of what is due, and what they cost. Most start where the last one found the oldest row, with a margin. An
 * occasional claim looks at everything: it finds what a long transaction added with an older time.
 */
import type { ClaimedDue, QueueStore } from './delivery-queue.store.ts';

const MARGIN_MS = 20_000;
const WIDE_SCAN_INTERVAL_MS = 2000;
const TIMED = 256;

export class Claims {
  readonly #queue: QueueStore;
  readonly #leaseMs: number;
  readonly #times: number[] = [];
  #lookedWideAt = Number.NEGATIVE_INFINITY;
  /** Milliseconds for which the oldest row of the last claim had been due. */
  #oldest = 0;
  /** The last claim found as much as it asked for. */
  #isBehind = false;

  constructor(queue: QueueStore, leaseMs: number) {
    this.#queue = queue;
    this.#leaseMs = leaseMs;
  }

  /** Milliseconds that a claim takes, the median of the last ones. */
  get medianMs(): number {
    const times = this.#times.toSorted((a, b) => a - b);
    return times[times.length >> 1] ?? 0;
  }

  async due(most: number): Promise<ClaimedDue> {
    const begun = performance.now();
    const due = await this.#claim(most, begun);
    this.#times.push(performance.now() - begun);
    if (this.#times.length > TIMED) this.#times.shift();
    return due;
  }

  async #claim(most: number, now: number): Promise<ClaimedDue> {
    // Behind a burst that is still being put in its place, what just arrived gets its turn too.
    if (this.#isBehind) {
      this.#isBehind = false;
      return this.#queue.claimDue(most, this.#leaseMs, MARGIN_MS, 'newest');
    }
    const isWide = now - this.#lookedWideAt >= WIDE_SCAN_INTERVAL_MS;
    const within = this.#oldest + MARGIN_MS;
    const due = await this.#queue.claimDue(most, this.#leaseMs, isWide ? undefined : within);
    if (isWide) this.#lookedWideAt = now;
    this.#oldest = due.oldest;
    this.#isBehind = due.lookedAt >= most;
    return due;
  }
}
