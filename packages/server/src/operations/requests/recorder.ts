/**
 * Writes traces in batches, after the answers: no request waits for it. What can't be held while the database is slow or away is
 * dropped and counted.
 */
import type { Log } from '@millpond/base';
import { type RequestFacts, Trace, type TraceRecorder, withoutTrace } from '@millpond/base';
import { toStoredTrace } from './stored-trace.ts';
import type { NewTrace, TraceStore } from './trace.store.ts';
import { type TraceMode, TraceSampler } from './trace-sampler.ts';

const WRITE_INTERVAL_MS = 1000;
const TRACES_BATCH = 500;
const MAX_BUFFERED_TRACES = 5000;

/** When it arrived here, by this process's clock, instead of how long ago. */
type BufferedTrace = Omit<NewTrace, 'agoMs'> & { readonly begun: number };

export class Recorder implements TraceRecorder {
  readonly #store: Pick<TraceStore, 'insert'>;
  readonly #log: Log;
  readonly #isOn: boolean;
  readonly #chosen: TraceSampler;
  #held: BufferedTrace[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #dropped = 0;
  written = 0;

  constructor(store: Pick<TraceStore, 'insert'>, log: Log, which: TraceMode) {
    this.#store = store;
    this.#log = log;
    this.#isOn = which !== 'none';
    this.#chosen = new TraceSampler(which);
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
    if (this.#held.length >= MAX_BUFFERED_TRACES) {
      this.#dropped += 1;
      return;
    }
    this.#held.push({ uid: trace.uid, begun: trace.begun, trace: toStoredTrace(trace, facts) });
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
      }, WRITE_INTERVAL_MS),
    );
    this.#timer.unref();
  }

  async #write(): Promise<void> {
    const all = this.#held;
    this.#held = [];
    for (let from = 0; from < all.length; from += TRACES_BATCH) {
      const batch = all.slice(from, from + TRACES_BATCH);
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
