/**
 * Writes the outcomes of events in batches. What could not be written is kept and written again: while the database is
 * away nothing is forgotten here, and what is lost with this process is sent again by another, under the same id.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@millpond/base';
import type { Settlement, SettleStore } from './settle.store.ts';

const SETTLEMENTS_BATCH = 256;
/** How long the first of a batch waits for others. */
const GATHER_MS = 4;
const RETRY_MS = 250;

export class Settler {
  readonly #store: Pick<SettleStore, 'settle'>;
  readonly #log: Log;
  readonly #onSettled: (followers: number) => void;
  #waiting: Settlement[] = [];
  #running: Promise<void> | undefined;
  #givenUp = false;

  /** `onSettled`: how many events became due as a result. */
  constructor(store: Pick<SettleStore, 'settle'>, log: Log, onSettled: (followers: number) => void) {
    this.#store = store;
    this.#log = log;
    this.#onSettled = onSettled;
  }

  get size(): number {
    return this.#waiting.length;
  }

  add(settlement: Settlement): void {
    this.#waiting.push(settlement);
    this.#running ??= this.#run();
  }

  /** Resolves when everything is written, or after this long. */
  async finish(withinMs: number): Promise<void> {
    const timer = setTimeout(() => {
      this.#givenUp = true;
    }, withinMs);
    await this.#running;
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#givenUp) {
      if (this.#waiting.length < SETTLEMENTS_BATCH) await sleep(GATHER_MS);
      const batch = this.#waiting.slice(0, SETTLEMENTS_BATCH);
      try {
        const followers = await this.#store.settle(batch);
        this.#waiting = this.#waiting.slice(batch.length);
        this.#onSettled(followers);
      } catch (error) {
        this.#log.warn(
          { error: (error as Error).message },
          'outcomes of deliveries could not be recorded yet',
        );
        await sleep(RETRY_MS);
      }
    }
    this.#running = undefined;
  }
}
