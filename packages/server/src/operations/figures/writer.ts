/**
 * Writes the figures of this process once a minute, just after the database's minute has ended. Counts are what was added since
 * the last row that arrived: a database that is away costs no count, and a killed process loses at most its last minute. A row
 * of which nobody knows whether it arrived is sent again, with the same number.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Log, Metrics } from '@millpond/base';
import type { FiguresStore, ProcessFacts, ProcessIdentity } from './figures.store.ts';
import {
  type MetricValues,
  readCounts,
  readOwnGauges,
  readRegionGauges,
  subtract,
} from './metric-snapshot.ts';

export interface FiguresWriterDeps {
  readonly metrics: Pick<Metrics, 'samplesOf'>;
  readonly store: Pick<FiguresStore, 'write' | 'leave'>;
  readonly log: Pick<Log, 'warn'>;
  readonly roles: readonly string[];
  /** What the process says of engines that only it can see. */
  readonly facts: () => ProcessFacts;
}

interface Unwritten {
  readonly sequence: number;
  readonly counts: MetricValues;
  readonly gauges: MetricValues;
  readonly readAt: number;
}

/** Who writes just after the minute may still be of the old one by a clock that was read a moment later. */
const AFTER_MINUTE_MS = 500;
/** Processes do not write all at once. */
const SPREAD_MS = 3000;
const RETRY_MS = 10_000;
/** A process that is gone before is not worth a row. */
const FIRST_MS = 1000;

export class FiguresWriter {
  readonly process: ProcessIdentity;
  readonly #deps: FiguresWriterDeps;
  readonly #spreadMs: number;
  #written: MetricValues = {};
  #unwritten: Unwritten | undefined;
  #sequence = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<number> | undefined;
  #isStopped = false;

  constructor(deps: FiguresWriterDeps) {
    this.#deps = deps;
    const id = randomUUID();
    this.process = { id, host: hostname(), pid: process.pid, roles: deps.roles };
    this.#spreadMs = (Number.parseInt(id.slice(0, 4), 16) / 0x1_0000) * SPREAD_MS;
  }

  start(): void {
    this.#again(FIRST_MS);
  }

  /** Writes what is left, and takes the process off the list. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#writing?.catch(() => undefined);
    if (this.#sequence === 0) return;
    try {
      await this.write();
      await this.#deps.store.leave(this.process.id);
    } catch (error) {
      this.#deps.log.warn({ error: String(error) }, 'last figures lost');
    }
  }

  /** Everything up to now. Returns how many seconds the database's minute still lasts. */
  async write(): Promise<number> {
    if (this.#unwritten !== undefined) await this.#send(this.#unwritten);
    const read = await this.#read();
    const sequence = ++this.#sequence;
    this.#unwritten = { ...read, sequence, counts: subtract(this.#written, read.counts) };
    this.#written = read.counts;
    return this.#send(this.#unwritten);
  }

  async #read(): Promise<Omit<Unwritten, 'sequence'>> {
    const { metrics, roles } = this.#deps;
    const [counts, own, region] = await Promise.all([
      readCounts(metrics),
      readOwnGauges(metrics),
      // The first row only says that the process is there.
      roles.includes('work') && this.#sequence > 0 ? readRegionGauges(metrics) : {},
    ]);
    return { counts, gauges: { ...own, ...region }, readAt: performance.now() };
  }

  async #send({ sequence, counts, gauges, readAt }: Unwritten): Promise<number> {
    const ageMs = performance.now() - readAt;
    const figures = { sequence, counts, gauges, ageMs, facts: this.#deps.facts() };
    const rest = await this.#deps.store.write(this.process, figures);
    this.#unwritten = undefined;
    return rest;
  }

  #again(afterMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#writing = this.write();
      this.#writing.then(
        (rest) => this.#again(rest * 1000 + AFTER_MINUTE_MS + this.#spreadMs),
        (error: unknown) => {
          this.#deps.log.warn({ error: String(error) }, 'figures wait for the database');
          this.#again(RETRY_MS);
        },
      );
    }, afterMs).unref();
  }
}
