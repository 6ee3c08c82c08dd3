/**
 * Writes traces in batches, after the answers: no request waits for it. What can't be held while the database is slow or away is
 * dropped and counted.
 */
import type { Log } from '@millpond/base';
import { type RequestFacts, Trace, type TraceRecorder, withoutTrace } from '@millpond/base';
import { Chosen, type Traced } from './chosen.ts';
import { keptTrace } from './kept-trace.ts';
import type { NewTrace, TraceStore } from './trace.store.ts';

const WRITTEN_EVERY_MS = 1000;
const MOST_AT_ONCE = 500;
const MOST_HELD = 5000;

/** When it arrived here, by this process's clock, instead of how long ago. */
type Held = Omit<NewTrace, 'agoMs'> & { readonly begun: number };

export class Recorder implements TraceRecorder {
  readonly #store: Pick<TraceStore, 'insert'>;
  readonly #log: Log;
  readonly #isOn: boolean;
  readonly #chosen: Chosen;
  #held: Held[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #dropped = 0;
  written = 0;

  constructor(store: Pick<TraceStore, 'insert'>, log: Log, which: Traced) {
    this.#store = store;
    this.#log = log;
    this.#isOn = which !== 'none';
    this.#chosen = new Chosen(which);
  }

  /** Requests that should have been kept and were not. */
  get dropped(): number {
    return this.#dropped + this.#chosen.tooMany;
  }

  begin(): Trace | undefined {
    return this.#isOn ? new Trace() : undefined;
  }

  end(trace: Trace, status: number, ms: number, facts: () => RequestFacts): void {
    if (this.#chosen.keeps(status, ms, trace.uid !== undefined)) this.#hold(trace, facts());
    trace.end();
  }

  /** Writes what is held, once. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#writing;
    await this.#write();
  }

  #hold(trace: Trace, facts: RequestFacts): void {
    if (this.#held.length >= MOST_HELD) {
      this.#dropped += 1;
      return;
    }
    this.#held.push({ uid: trace.uid, begun: trace.begun, trace: keptTrace(trace, facts) });
    this.#schedule();
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#writing !== undefined) return;
    this.#timer = withoutTrace(() =>
      setTimeout(() => {
        this.#timer = undefined;
        this.#writing = this.#write().finally(() => {
          this.#writing = undefined;
          if (this.#held.length > 0) this.#schedule();
        });
      }, WRITTEN_EVERY_MS),
    );
    this.#timer.unref();
  }

  async #write(): Promise<void> {
    const all = this.#held;
    this.#held = [];
    for (let from = 0; from < all.length; from += MOST_AT_ONCE) {
      const batch = all.slice(from, from + MOST_AT_ONCE);
      const now = performance.now();
      try {
        await this.#store.insert(batch.map(({ begun, ...trace }) => ({ ...trace, agoMs: now - begun })));
        this.written += batch.length;
      } catch (error) {
        this.#dropped += batch.length;
        this.#log.warn({ error: (error as Error).message }, 'traces of requests could not be written');
      }
    }
  }
}
