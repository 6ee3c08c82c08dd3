/**
 * How attempts at endpoints ended, counted in memory and written every few seconds: an event to a healthy endpoint writes nothing
 * about it. What a process that dies had not written yet is missing from the figures.
 */
import type { Log } from '@millpond/base';
import type { OutcomeStore } from './outcome.store.ts';

const WRITE_INTERVAL_MS = 2000;
/** Endpoints counted at a time; those beyond are left out while the database is away. */
const MAX_COUNTED = 20_000;

interface Count {
  ok: number;
  failed: number;
  /** By this process's clock. */
  succeededAt: number | undefined;
  failedAt: number | undefined;
}

export class Outcomes {
  readonly #store: OutcomeStore;
  readonly #log: Log;
  #counts = new Map<bigint, Count>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(store: OutcomeStore, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  note(endpointId: bigint, isGood: boolean): void {
    let count = this.#counts.get(endpointId);
    if (count === undefined) {
      if (this.#counts.size >= MAX_COUNTED) return;
      count = { ok: 0, failed: 0, succeededAt: undefined, failedAt: undefined };
      this.#counts.set(endpointId, count);
    }
    if (isGood) {
      count.ok += 1;
      count.succeededAt = performance.now();
    } else {
      count.failed += 1;
      count.failedAt = performance.now();
    }
    this.#schedule();
  }

  /** Writes what is counted, once; what can't be written by then is given up. */
  async finish(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
    clearTimeout(this.#timer);
    if (this.#counts.size > 0) await this.#write();
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#write();
    }, WRITE_INTERVAL_MS);
    this.#timer.unref();
  }

  async #write(): Promise<void> {
    const counts = this.#counts;
    this.#counts = new Map();
    const now = performance.now();
    const ago = (at: number | undefined) => (at === undefined ? undefined : now - at);
    try {
      await this.#store.add(
        [...counts].map(([endpointId, { ok, failed, succeededAt, failedAt }]) => ({
          endpointId,
          ok,
          failed,
          successAgoMs: ago(succeededAt),
          failureAgoMs: ago(failedAt),
        })),
      );
    } catch (error) {
      this.#log.warn({ error: (error as Error).message }, 'outcomes at endpoints could not be recorded');
    }
  }
}
