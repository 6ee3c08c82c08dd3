/**
 * Puts packets in the order of their numbers, which wrap at 2^16. Waits for a gap for a bounded time and a bounded number of
 * packets, then skips it; packets that come later than that, or twice, are dropped. A sender that restarts its count is
 * followed from its second packet on: a single one may be anything.
 */

export interface ReorderOptions {
  /** Packets held after a gap. */
  readonly most: number;
  /** How long to wait for a gap. */
  readonly patienceMs: number;
}

export interface ReorderCounts {
  lost: number;
  /** Too late, or duplicates. */
  late: number;
}

interface BufferedPacket {
  readonly payload: Buffer;
  readonly at: number;
}

const NUMBERS = 2 ** 16;
/** A number further than this from the expected one belongs to another count. */
const MAX_SEQUENCE_GAP = 3000;

export class Reorder {
  readonly counts: ReorderCounts = { lost: 0, late: 0 };
  readonly #options: ReorderOptions;
  /** After a gap, by number, in order of arrival. */
  readonly #held = new Map<number, BufferedPacket>();
  #next: number | undefined;
  /** The last gap that was longer than what is held. A stray number makes one, and the sender goes on within it. */
  #left = { from: 0, count: 0 };
  /** The number that would follow the last packet that was too far away. */
  #jumpsTo: number | undefined;

  constructor(options: ReorderOptions) {
    this.#options = options;
  }

  /** What can be passed on by now, in order. `now`: milliseconds of any monotonic clock. */
  add(sequence: number, payload: Buffer, now: number): Buffer[] {
    this.#next ??= sequence;
    const ahead = distance(this.#next, sequence);
    const isOfOtherCount = ahead > MAX_SEQUENCE_GAP && ahead < NUMBERS - MAX_SEQUENCE_GAP;
    if (isOfOtherCount || (ahead > MAX_SEQUENCE_GAP && this.#isLeft(sequence)))
      return this.#jump(sequence, payload);
    this.#jumpsTo = undefined;
    if (ahead > MAX_SEQUENCE_GAP || this.#held.has(sequence)) {
      this.counts.late += 1;
      return [];
    }
    this.#held.set(sequence, { payload, at: now });
    const ready = this.#take();
    while (this.#isOverdue(now)) {
      this.#leaveGap();
      ready.push(...this.#take());
    }
    return ready;
  }

  /** Another sender begins, with a count of its own. */
  restart(): void {
    this.#held.clear();
    this.#next = this.#jumpsTo = undefined;
    this.#left = { from: 0, count: 0 };
  }

  get held(): number {
    return this.#held.size;
  }

  #jump(sequence: number, payload: Buffer): Buffer[] {
    const isSecond = sequence === this.#jumpsTo;
    this.#jumpsTo = (sequence + 1) % NUMBERS;
    if (!isSecond) {
      this.counts.late += 1;
      return [];
    }
    this.#jumpsTo = undefined;
    const rest: Buffer[] = [];
    while (this.#held.size > 0) {
      this.#leaveGap();
      rest.push(...this.#take());
    }
    this.#next = (sequence + 1) % NUMBERS;
    return [...rest, payload];
  }

  #isLeft(sequence: number): boolean {
    return distance(this.#left.from, sequence) < this.#left.count;
  }

  /** All consecutive packets from the next one on. */
  #take(): Buffer[] {
    const ready: Buffer[] = [];
    for (;;) {
      const bufferedPacket = this.#held.get(this.#next ?? 0);
      if (bufferedPacket === undefined || this.#next === undefined) return ready;
      this.#held.delete(this.#next);
      ready.push(bufferedPacket.payload);
      this.#next = (this.#next + 1) % NUMBERS;
    }
  }

  #isOverdue(now: number): boolean {
    const [oldest] = this.#held.values();
    if (oldest === undefined) return false;
    return this.#held.size > this.#options.most || now - oldest.at > this.#options.patienceMs;
  }

  #leaveGap(): void {
    const next = this.#next ?? 0;
    const gap = [...this.#held.keys()].reduce(
      (least, each) => Math.min(least, distance(next, each)),
      NUMBERS,
    );
    this.counts.lost += gap;
    if (gap > this.#options.most) this.#left = { from: next, count: gap };
    this.#next = (next + gap) % NUMBERS;
  }
}

/** The distance from one number up to another. */
function distance(from: number, to: number): number {
  return (to - from + NUMBERS) % NUMBERS;
}
