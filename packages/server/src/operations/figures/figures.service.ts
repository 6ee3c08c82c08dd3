/**
 * Figures of the region over the last 30 days, at any step: by the minute for two days, then by ten minutes, and by the hour
 * after eight days. A step without figures is null.
 */
import { TIMER_BOUNDS } from '@millpond/base';
import { Fault, type WireRecord } from '@millpond/protocol';
import type { FiguresStore, TimeBucketRow } from './figures.store.ts';
import { LATENCY } from './metric-snapshot.ts';
import { FIXED_NAMES, isOfQueue, keysOf, kindOf, PERCENTILES } from './names.ts';

export interface SeriesQuery {
  /** Seconds since 1970; by default the last hour. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** Seconds; by default one that gives some hundred points. */
  readonly step: number | undefined;
  /** Undefined: all. */
  readonly names: readonly string[] | undefined;
}

const HOUR = 3600;
const DAY = 24 * HOUR;
const KEPT_SECONDS = 30 * DAY;
/** A process that has said nothing for this long is forgotten. */
const PROCESS_SECONDS = DAY;
/** By then every process that runs has written its minute. */
const LATE_SECONDS = 300;
/** Older rows are folded into longer ones. */
const STEPS = [
  { seconds: 60, into: 600, after: 2 * DAY },
  { seconds: 600, into: HOUR, after: 8 * DAY },
] as const;
const DOWNLOADS = 'requests.downloads';
const CALL_KEYS = ['requests.calls', 'requests.uploads', 'requests.s3'];
const REQUEST_KEYS = [DOWNLOADS, ...CALL_KEYS];
const USUAL_POINTS = 360;
const MAX_POINTS = 1500;
const USUAL_STEPS = [60, 120, 300, 600, 1800, HOUR, 2 * HOUR, 6 * HOUR, DAY];

export class MetricsHistory {
  readonly #store: FiguresStore;

  constructor(store: FiguresStore) {
    this.#store = store;
  }

  async fold(signal: AbortSignal): Promise<void> {
    await this.#store.foldProcesses(LATE_SECONDS);
    for (const { seconds, into, after } of STEPS) {
      signal.throwIfAborted();
      await this.#store.foldTime(seconds, into, after);
    }
    await this.#store.forget(KEPT_SECONDS, PROCESS_SECONDS);
  }

  /** Requests of the days (UTC) that have any, the oldest first. */
  async requestsByDay(days: number): Promise<{ day: string; calls: number; downloads: number }[]> {
    const now = await this.#store.now();
    const rows = await this.#store.series(floorTo(now - (days - 1) * DAY, DAY), now, DAY, REQUEST_KEYS);
    return rows.map(({ slot, counts }) => ({
      day: new Date(slot * 1000).toISOString().slice(0, 10),
      calls: CALL_KEYS.reduce((sum, key) => sum + (counts?.[key] ?? 0), 0),
      downloads: counts?.[DOWNLOADS] ?? 0,
    }));
  }

  async read(seriesQuery: SeriesQuery): Promise<WireRecord<'Figures'>> {
    const now = await this.#store.now();
    const begin = Math.max(seriesQuery.from ?? now - HOUR, now - KEPT_SECONDS);
    const end = Math.min(seriesQuery.to ?? now, now);
    const step = stepOf(begin, end, now, seriesQuery.step);
    const from = floorTo(begin, step);
    const to = floorTo(end + step - 1, step);
    if (!(from < to)) throw invalidQuery('from must be before to, and not in the future');
    const points = (to - from) / step;
    if (points > MAX_POINTS)
      throw invalidQuery(`that is ${points} points; the most is ${MAX_POINTS}: use a longer step`);
    const unknown = seriesQuery.names?.find((name) => kindOf(name) === undefined);
    if (unknown !== undefined) throw invalidQuery(`there is no figure ${JSON.stringify(unknown)}`);
    const keys = seriesQuery.names && keysOf(seriesQuery.names);
    const rows = await this.#store.series(from, to, step, keys);
    const names = seriesQuery.names ?? allNames(rows);
    const bySlot = new Map(rows.map((row) => [row.slot, row]));
    const slots = Array.from({ length: points }, (_, at) => bySlot.get(from + at * step));
    const series = names.map((name): [string, (number | null)[]] => [
      name,
      slots.map((row) => (row === undefined ? null : figureOf(name, row))),
    ]);
    return { from, to, step, series: Object.fromEntries(series) };
  }
}

/** What is no longer kept by the minute can't be shown by the minute. */
function stepOf(begin: number, end: number, now: number, asked: number | undefined): number {
  const least = STEPS.findLast(({ after }) => begin < now - after)?.into ?? 60;
  if (asked !== undefined) return Math.ceil(asked / least) * least;
  const usual = USUAL_STEPS.find((seconds) => seconds >= least && (end - begin) / seconds <= USUAL_POINTS);
  return usual ?? DAY;
}

function floorTo(seconds: number, step: number): number {
  return Math.floor(seconds / step) * step;
}

function allNames(rows: readonly TimeBucketRow[]): string[] {
  const queues = new Set(rows.flatMap(({ gauges }) => Object.keys(gauges ?? {}).filter(isOfQueue)));
  return [...FIXED_NAMES, ...[...queues].toSorted()];
}

function figureOf(name: string, { covered, counts, gauges }: TimeBucketRow): number | null {
  const kind = kindOf(name);
  if (kind === 'gauge') return gauges?.[name] ?? null;
  if (kind === 'percentile') {
    const buckets = TIMER_BOUNDS.map((le) => ({
      le: le === '+Inf' ? Infinity : Number(le),
      count: counts?.[`${LATENCY}${le}`] ?? 0,
    }));
    const seconds = percentile(buckets, PERCENTILES[name] ?? 0);
    return seconds === undefined ? null : seconds * 1000;
  }
  const count = counts?.[name] ?? 0;
  return kind === 'perMinute' ? (count * 60) / covered : count / covered;
}

function invalidQuery(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}

/** Percentiles from the buckets of a histogram, the way Prometheus computes them: linear within a bucket. */
export interface Bucket {
  /** Its upper bound; the last is infinite. */
  readonly le: number;
  /** How many were at most that. */
  readonly count: number;
}

/** Ascending by bound. Undefined if nothing was counted. */
export function percentile(buckets: readonly Bucket[], share: number): number | undefined {
  const total = buckets.at(-1)?.count ?? 0;
  if (!(total > 0)) return undefined;
  const rank = share * total;
  const at = buckets.findIndex(({ count }) => count >= rank);
  const bucket = buckets[at];
  const below = buckets[at - 1] ?? { le: 0, count: 0 };
  // Values above all finite bounds are known only to be above.
  if (bucket === undefined || bucket.le === Infinity) return below.le;
  const within = bucket.count - below.count;
  return within === 0 ? bucket.le : below.le + (bucket.le - below.le) * ((rank - below.count) / within);
}
