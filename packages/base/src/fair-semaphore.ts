/**
 * Limits how many run at a time and how many wait; any more are rejected at once. Waiting parties take turns: a party that
 * wants a lot at once never keeps another from the next free slot. While there are several parties, each also has its own
 * limit, so that the next one finds a slot at once; a party that is alone may use all slots. If it does so with long work, a
 * newcomer does not wait for the end of it: the party with the most runs has to give one up, and begins that again later.
 */
import { TooManyWaitersError } from './too-many-waiters.ts';

export interface FairSemaphoreOptions {
  readonly slots: number;
  /** Slots of one party at a time, while there are other parties. */
  readonly slotsEach: number;
  /** The same while there are none; by default all. */
  readonly slotsAlone?: number;
  readonly waiting: number;
  readonly now?: () => number;
  /** How long a party that has nothing running waits before another has to give up a run. */
  readonly patienceMs?: number;
}

/** A party that has not come for this long is gone. */
const GONE_MS = 60_000;
const PATIENCE_MS = 1_000;

interface Run {
  /** Ends it before its time; it then leaves as any other does. */
  readonly giveUp: (() => void) | undefined;
}

interface Waiting {
  readonly admit: () => void;
  readonly refuse: (reason: Error) => void;
}

export class FairSemaphore<Party> {
  readonly #options: FairSemaphoreOptions;
  /** Running work of each party, the oldest first. */
  readonly #running = new Map<Party, Set<Run>>();
  /** The party whose turn is next comes first. */
  readonly #waiting = new Map<Party, readonly Waiting[]>();
  /** When each party last came, oldest first. */
  readonly #seen = new Map<Party, number>();
  readonly #now: () => number;
  #free: number;
  #waitingCount = 0;

  constructor(options: FairSemaphoreOptions) {
    this.#options = options;
    this.#free = options.slots;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Returns the function to call when done. Rejects with TooManyWaitersError at once, or when the signal is cancelled while waiting.
   * `giveUp` is called, perhaps several times, when the run must end for another party's sake.
   */
  async enter(party: Party, signal: AbortSignal, giveUp?: () => void): Promise<() => void> {
    signal.throwIfAborted();
    this.#seen.delete(party);
    this.#seen.set(party, this.#now());
    const run: Run = { giveUp };
    if (this.#waiting.has(party) || !this.#mayRun(party)) await this.#wait(party, run, signal);
    else this.#take(party, run);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#leave(party, run);
    };
  }

  #mayRun(party: Party): boolean {
    const { slots, slotsEach, slotsAlone = slots } = this.#options;
    return this.#free > 0 && this.#runsOf(party) < (this.#isAlone(party) ? slotsAlone : slotsEach);
  }

  #runsOf(party: Party): number {
    return this.#running.get(party)?.size ?? 0;
  }

  #isAlone(party: Party): boolean {
    const gone = this.#now() - GONE_MS;
    for (const [other, seenAt] of this.#seen) {
      if (seenAt > gone) break;
      this.#seen.delete(other);
    }
    return this.#seen.size === (this.#seen.has(party) ? 1 : 0);
  }

  #take(party: Party, run: Run): void {
    this.#free -= 1;
    const runs = this.#running.get(party) ?? new Set();
    this.#running.set(party, runs.add(run));
  }

  #wait(party: Party, run: Run, signal: AbortSignal): Promise<void> {
    if (this.#waitingCount >= this.#options.waiting) this.#makeRoom(party);
    return new Promise<void>((resolve, reject) => {
      const settle = (): void => {
        clearInterval(impatience);
        signal.removeEventListener('abort', cancelled);
      };
      const waiting: Waiting = {
        admit: () => {
          settle();
          this.#take(party, run);
          resolve();
        },
        refuse: (reason) => {
          settle();
          this.#removeWaiting(party, waiting);
          reject(reason);
        },
      };
      const cancelled = (): void => waiting.refuse(signal.reason as Error);
      const { patienceMs = PATIENCE_MS } = this.#options;
      const impatience = setInterval(() => this.#takeFromOthers(party), patienceMs).unref();
      this.#waiting.set(party, [...(this.#waiting.get(party) ?? []), waiting]);
      this.#waitingCount += 1;
      signal.addEventListener('abort', cancelled, { once: true });
      this.#admitNext();
    });
  }

  /** The party with the longest line has to let its last one go, unless that would be the newcomer's own. */
  #makeRoom(party: Party): void {
    const [longest] = [...this.#waiting].sort(([, one], [, other]) => other.length - one.length);
    const own = this.#waiting.get(party)?.length ?? 0;
    const last = longest?.[1].at(-1);
    if (longest === undefined || last === undefined || longest[1].length <= own + 1)
      throw new TooManyWaitersError();
    last.refuse(new TooManyWaitersError());
  }

  /** One run of the party that has the most, if it has several: the one that began last has the least to lose. */
  #takeFromOthers(party: Party): void {
    if (this.#runsOf(party) > 0) return;
    const [most] = [...this.#running.values()].sort((one, other) => other.size - one.size);
    // One at a time: those that were told to go are still counted.
    if (most === undefined || most.size < 2) return;
    [...most].at(-1)?.giveUp?.();
  }

  #removeWaiting(party: Party, waiting: Waiting): void {
    const line = (this.#waiting.get(party) ?? []).filter((each) => each !== waiting);
    this.#waitingCount -= 1;
    if (line.length === 0) this.#waiting.delete(party);
    else this.#waiting.set(party, line);
  }

  #leave(party: Party, run: Run): void {
    const runs = this.#running.get(party);
    runs?.delete(run);
    if (runs?.size === 0) this.#running.delete(party);
    this.#free += 1;
    this.#admitNext();
  }

  /** Admits one, and more if a party may use all slots again. Whoever has nothing running comes before the others. */
  #admitNext(): void {
    const lines = [...this.#waiting].filter(([party]) => this.#mayRun(party));
    const line = lines.find(([party]) => this.#runsOf(party) === 0) ?? lines[0];
    if (line === undefined) return;
    const [party, [first, ...rest]] = line;
    this.#waiting.delete(party);
    // Behind all others: it has had its turn.
    if (rest.length > 0) this.#waiting.set(party, rest);
    this.#waitingCount -= 1;
    first?.admit();
    this.#admitNext();
  }
}
