/**
 * Brings packets into the order of their numbers, which wrap at 2^16. A gap is waited for, for a bounded time and a bounded
 * number of packets, and then left; what comes later than that, or twice, is dropped. A sender that begins to count anew
 * is followed from its second packet on: a single one may be anything.
 */

export interface ReorderOptions {
  /** Packets that are held behind a gap. */
  readonly most: number;
  /** How long a gap is waited for. */
  readonly patienceMs: number;
}

export interface ReorderCounts {
  lost: number;
  /** Too late, or a second time. */
  late: number;
}

interface Held {
  readonly payload: Buffer;
  readonly at: number;
}

const NUMBERS = 2 ** 16;
/** Further away than that from what is expected, a number belongs to another count. */
const FARTHEST = 3000;

export class Reorder {
  readonly counts: ReorderCounts = { lost: 0, late: 0 };
  readonly #options: ReorderOptions;
  /** Behind a gap, by number, in the order in which they came. */
  readonly #held = new Map<number, Held>();
  #next: number | undefined;
  /** What would follow the last packet that was too far away. */
  #jumpsTo: number | undefined;

  constructor(options: ReorderOptions) {
    this.#options = options;
  }

  /** What can go on by now, in order. `now`: milliseconds of any clock that does not go back. */
  add(sequence: number, payload: Buffer, now: number): Buffer[] {
    this.#next ??= sequence;
    const ahead = distance(this.#next, sequence);
    if (ahead > FARTHEST && ahead < NUMBERS - FARTHEST) return this.#jump(sequence, payload);
    this.#jumpsTo = undefined;
    if (ahead > FARTHEST || this.#held.has(sequence)) {
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

  /** All that follow each other from the next one on. */
  #take(): Buffer[] {
    const ready: Buffer[] = [];
    for (;;) {
      const held = this.#held.get(this.#next ?? 0);
      if (held === undefined || this.#next === undefined) return ready;
      this.#held.delete(this.#next);
      ready.push(held.payload);
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
    this.#next = (next + gap) % NUMBERS;
  }
}

/** How far it is from the one to the other, upwards. */
function distance(from: number, to: number): number {
  return (to - from + NUMBERS) % NUMBERS;
}
