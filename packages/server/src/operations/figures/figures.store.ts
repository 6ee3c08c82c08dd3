/**
 * SQL of the figures over time. Times are the database's. A row of a process is added once however often it is sent; a fold
 * removes what it adds up in the same statement, so that a crash counts nothing twice, and two folds at once do no harm.
 */
import { type Database, statement } from '../../platform/db/database.ts';
import type { MetricValues } from './metric-snapshot.ts';

export interface ProcessIdentity {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly roles: readonly string[];
}

export interface NewMetricValues {
  readonly sequence: number;
  readonly counts: MetricValues;
  readonly gauges: MetricValues;
  /** How long ago they were read. */
  readonly ageMs: number;
  readonly facts: ProcessFacts;
}

export interface ProcessRow {
  readonly process: string;
  readonly host: string;
  readonly pid: number;
  readonly roles: readonly string[];
  readonly facts: ProcessFacts;
  readonly started_at: Date;
  readonly seen_at: Date;
  /** Since it wrote last. */
  readonly silent_seconds: number;
}

/** What a process says of engines that only it can see. */
export interface ProcessFacts {
  /** Why it has no sandbox; absent if it has one, or has not needed it yet. */
  readonly sandbox?: readonly { readonly problem: string; readonly remedy: string }[] | undefined;
  /** It runs programs on users' content without one, as only `millpond dev` may. */
  readonly unconfined?: true | undefined;
  /** Whether it has the port of devices. */
  readonly sip?: boolean | undefined;
}

export interface TimeBucketRow {
  /** Seconds since 1970. */
  readonly slot: number;
  /** How many of its seconds have values. */
  readonly covered: number;
  readonly counts: MetricValues | null;
  readonly gauges: MetricValues | null;
}

/** In place of a process: all of them. */
const ALL = `'00000000-0000-0000-0000-000000000000'::uuid`;
const binned = (seconds: string, at: string) =>
  `date_bin(${seconds}, ${at}, timestamptz '1970-01-01 00:00:00Z')`;

// The time that they are of ended when they were read: half a minute before that lies within it, even if the reading was late.
const write = statement(
  'figures-write',
  `WITH me AS (
     INSERT INTO region.figures_processes AS p (process, host, pid, roles, facts, sequence)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (process) DO UPDATE SET seen_at = now(), facts = excluded.facts, sequence = excluded.sequence
     WHERE p.sequence < excluded.sequence RETURNING process
   ), written AS (
     INSERT INTO region.figures_minutes AS m (seconds, at, process, covered, counts, gauges)
     SELECT 60, ${binned(`interval '1 minute'`, `now() - make_interval(secs => 30 + $9::float8 / 1000)`)}, process, 60, $7, $8
     FROM me
     ON CONFLICT (seconds, at, process) DO UPDATE SET counts = region.add_figures(m.counts, excluded.counts),
       gauges = region.higher_figures(m.gauges, excluded.gauges)
   )
   SELECT (60 - extract(second FROM clock_timestamp()))::float8 AS rest`,
);
const leave = statement('figures-leave', 'DELETE FROM region.figures_processes WHERE process = $1');

const MAX_PROCESSES = 1000;
const processes = statement(
  'figures-processes',
  `SELECT process, host, pid, roles, facts, started_at, seen_at,
     extract(epoch FROM now() - seen_at)::float8 AS silent_seconds
   FROM region.figures_processes ORDER BY host, pid, started_at LIMIT ${MAX_PROCESSES}`,
);

const MAX_FOLDED = 2000;
// Rows may come late, if the database could not be reached: then they are added to what was folded before.
const foldProcesses = statement(
  'figures-fold-processes',
  `WITH taken AS (
     DELETE FROM region.figures_minutes WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM region.figures_minutes
       WHERE seconds = 60 AND process <> ${ALL} AND at < now() - $1 * interval '1 second' ORDER BY at LIMIT ${MAX_FOLDED}))
     RETURNING at, counts, gauges
   ), folded AS (
     INSERT INTO region.figures_minutes AS m (seconds, at, process, covered, counts, gauges)
     SELECT 60, at, ${ALL}, 60, region.sum_figures(counts), region.highest_figures(gauges) FROM taken GROUP BY at ORDER BY at
     ON CONFLICT (seconds, at, process) DO UPDATE SET counts = region.add_figures(m.counts, excluded.counts),
       gauges = region.higher_figures(m.gauges, excluded.gauges)
   )
   SELECT count(*)::integer AS taken FROM taken`,
);
const foldTime = statement(
  'figures-fold-time',
  `WITH taken AS (
     DELETE FROM region.figures_minutes WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM region.figures_minutes
       WHERE seconds = $1 AND process = ${ALL} AND at < now() - $3 * interval '1 second' ORDER BY at LIMIT ${MAX_FOLDED}))
     RETURNING at, covered, counts, gauges
   ), folded AS (
     INSERT INTO region.figures_minutes AS m (seconds, at, process, covered, counts, gauges)
     SELECT $2::integer, slot, ${ALL}, sum(covered), region.sum_figures(counts), region.highest_figures(gauges)
     FROM (SELECT ${binned('make_interval(secs => $2::integer)', 'at')} AS slot, * FROM taken) AS t GROUP BY slot ORDER BY slot
     ON CONFLICT (seconds, at, process) DO UPDATE SET covered = LEAST(m.seconds, m.covered + excluded.covered),
       counts = region.add_figures(m.counts, excluded.counts), gauges = region.higher_figures(m.gauges, excluded.gauges)
   )
   SELECT count(*)::integer AS taken FROM taken`,
);
const forget = statement(
  'figures-forget',
  `WITH gone AS (
     DELETE FROM region.figures_minutes WHERE seconds IN (60, 600, 3600) AND at < now() - $1 * interval '1 second'
   )
   DELETE FROM region.figures_processes WHERE seen_at < now() - $2 * interval '1 second'`,
);
const now = statement('figures-now', 'SELECT extract(epoch FROM now())::float8 AS now');
// Named keys are looked up; for all of them every row is taken apart.
const FOUND = {
  all: (column: string) => `chosen, jsonb_each_text(${column})`,
  named: (column: string) => `chosen, LATERAL (
       SELECT key, ${column} ->> key AS value FROM unnest($4::text[]) AS key WHERE ${column} ? key) AS named`,
};
const seriesOf = (which: keyof typeof FOUND) => {
  const each = (column: string, fold: string) =>
    `SELECT slot, jsonb_object_agg(key, value) AS ${column} FROM (
       SELECT slot, key, ${fold}(value::float8) AS value FROM ${FOUND[which](column)} GROUP BY slot, key) AS each GROUP BY slot`;
  return statement(
    `figures-series-${which}`,
    `WITH chosen AS MATERIALIZED (
       SELECT ${binned('make_interval(secs => $3::integer)', 'at')} AS slot, seconds, at, covered, counts, gauges
       FROM region.figures_minutes
       WHERE seconds IN (60, 600, 3600) AND at >= to_timestamp($1::float8) AND at < to_timestamp($2::float8)
     ), lengths AS (
       SELECT slot, sum(covered)::integer AS covered
       FROM (SELECT slot, max(covered) AS covered FROM chosen GROUP BY slot, seconds, at) AS minutes GROUP BY slot
     ), added AS (${each('counts', 'sum')}), highest AS (${each('gauges', 'max')})
     SELECT extract(epoch FROM slot)::float8 AS slot, covered, counts, gauges
     FROM lengths LEFT JOIN added USING (slot) LEFT JOIN highest USING (slot) ORDER BY slot`,
  );
};
const series = { all: seriesOf('all'), named: seriesOf('named') };

export class FiguresStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** Returns how many seconds the database's minute still lasts. */
  async write(of: ProcessIdentity, figures: NewMetricValues): Promise<number> {
    const { sequence, counts, gauges, ageMs, facts } = figures;
    const [row] = await this.#region.query<{ rest: number }>(write, [
      of.id,
      of.host,
      of.pid,
      of.roles,
      JSON.stringify(facts),
      sequence,
      JSON.stringify(counts),
      JSON.stringify(gauges),
      ageMs,
    ]);
    return row?.rest ?? 60;
  }

  /** The process ends; its figures stay. */
  async leave(process: string): Promise<void> {
    await this.#region.query(leave, [process]);
  }

  /** Those that run, and those that were killed in the last day. */
  processes(): Promise<ProcessRow[]> {
    return this.#region.query<ProcessRow>(processes, []);
  }

  /** Rows of single processes that are older become one row a minute. */
  foldProcesses(olderThanSeconds: number): Promise<void> {
    return this.#untilFew(() => this.#taken(foldProcesses, [olderThanSeconds]));
  }

  /** Rows of `from` seconds that are older become rows of `to` seconds. */
  foldTime(from: number, to: number, olderThanSeconds: number): Promise<void> {
    return this.#untilFew(() => this.#taken(foldTime, [from, to, olderThanSeconds]));
  }

  async forget(figuresSeconds: number, processSeconds: number): Promise<void> {
    await this.#region.query(forget, [figuresSeconds, processSeconds]);
  }

  /** Seconds since 1970. */
  async now(): Promise<number> {
    const [row] = await this.#region.query<{ now: number }>(now, []);
    return row?.now ?? 0;
  }

  /** In steps that have any. Undefined keys: all. */
  series(
    from: number,
    to: number,
    step: number,
    keys: readonly string[] | undefined,
  ): Promise<TimeBucketRow[]> {
    return keys === undefined
      ? this.#region.query<TimeBucketRow>(series.all, [from, to, step])
      : this.#region.query<TimeBucketRow>(series.named, [from, to, step, keys]);
  }

  async #taken(fold: typeof foldTime, values: readonly number[]): Promise<number> {
    const [row] = await this.#region.query<{ taken: number }>(fold, values);
    return row?.taken ?? 0;
  }

  async #untilFew(fold: () => Promise<number>): Promise<void> {
    while ((await fold()) === MAX_FOLDED);
  }
}
