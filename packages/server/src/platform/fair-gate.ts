/**
 * Limits how many run at a time and how many wait; any more are rejected at once. Waiting parties take turns: a party that
 * wants a lot at once never keeps another from the next free slot. While there are several parties, each also has its own
 * limit, so that the next one finds a slot at once; a party that is alone may use all slots.
 */
import { TooManyWaiting } from './gate.ts';

export interface FairGateOptions {
  readonly slots: number;
  /** Slots of one party at a time, while there are other parties. */
  readonly slotsEach: number;
  readonly waiting: number;
  readonly now?: () => number;
}

/** A party that has not come for this long is gone. */
const GONE_MS = 60_000;

export class FairGate<Party> {
  readonly #options: FairGateOptions;
  readonly #running = new Map<Party, number>();
  /** The party whose turn is next comes first. */
  readonly #waiting = new Map<Party, (() => void)[]>();
  /** When each party last came, oldest first. */
  readonly #seen = new Map<Party, number>();
  readonly #now: () => number;
  #free: number;
  #waitingCount = 0;

  constructor(options: FairGateOptions) {
    this.#options = options;
    this.#free = options.slots;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Returns the function to call when done. Rejects with TooManyWaiting at once, or when the signal is cancelled while waiting. */
  async enter(party: Party, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    this.#seen.delete(party);
    this.#seen.set(party, this.#now());
    if (this.#waiting.has(party) || !this.#mayRun(party)) await this.#wait(party, signal);
    else this.#take(party);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#leave(party);
    };
  }

  #mayRun(party: Party): boolean {
    const { slots, slotsEach } = this.#options;
    return this.#free > 0 && (this.#running.get(party) ?? 0) < (this.#isAlone(party) ? slots : slotsEach);
  }

  #isAlone(party: Party): boolean {
    const gone = this.#now() - GONE_MS;
    for (const [other, seenAt] of this.#seen) {
      if (seenAt > gone) break;
      this.#seen.delete(other);
    }
    return this.#seen.size === (this.#seen.has(party) ? 1 : 0);
  }

  #take(party: Party): void {
    this.#free -= 1;
    this.#running.set(party, (this.#running.get(party) ?? 0) + 1);
  }

  #wait(party: Party, signal: AbortSignal): Promise<void> {
    if (this.#waitingCount >= this.#options.waiting) throw new TooManyWaiting();
    return new Promise<void>((resolve, reject) => {
      const admit = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#removeWaiting(party, admit);
        reject(signal.reason as Error);
      };
      this.#waiting.set(party, [...(this.#waiting.get(party) ?? []), admit]);
      this.#waitingCount += 1;
      signal.addEventListener('abort', giveUp, { once: true });
      this.#admitNext();
    });
  }

  #removeWaiting(party: Party, admit: () => void): void {
    const line = this.#waiting.get(party) ?? [];
    line.splice(line.indexOf(admit), 1);
    this.#waitingCount -= 1;
    if (line.length === 0) this.#waiting.delete(party);
  }

  #leave(party: Party): void {
    const running = (this.#running.get(party) ?? 1) - 1;
    if (running === 0) this.#running.delete(party);
    else this.#running.set(party, running);
    this.#free += 1;
    this.#admitNext();
  }

  /** Admits one, and more if a party may use all slots again. */
  #admitNext(): void {
    for (const [party, [admit, ...rest]] of this.#waiting) {
      if (admit === undefined || !this.#mayRun(party)) continue;
      this.#waiting.delete(party);
      // Behind all others: it has had its turn.
      if (rest.length > 0) this.#waiting.set(party, rest);
      this.#waitingCount -= 1;
      this.#take(party);
      admit();
      this.#admitNext();
      return;
    }
  }
}
