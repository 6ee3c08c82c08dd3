/**
 * The same calls on a small and on a large object table, in turn: the cost of a put, a stat and a page of a list must
 * not grow with the number of objects. Bytes go to the disk store, whose time varies less than the network engine's and
 * so hides less of the database's.
 */
import type { Filled } from '../fill.ts';
import type { Driver } from '../load/driver.ts';
import type { Work } from '../load/work.ts';
import { type Options, sizes } from '../options.ts';
import type { Stage } from '../stage.ts';
import { median, percentile, rounded, spread } from '../statistics.ts';
import { listSides } from './list.ts';
import { putWork } from './put.ts';
import { statSides } from './stat.ts';

export const SMALL_ROWS = 100_000;
export const STORE = 'disk';

const calls = ['put', 'stat', 'list'] as const;
type CallName = (typeof calls)[number];

export interface Loaded {
  readonly stage: Stage;
  readonly filled: Filled;
}

interface Growth {
  /** Milliseconds, over all rounds. */
  readonly small: { readonly p50: number; readonly p99: number };
  readonly large: { readonly p50: number; readonly p99: number };
  /** Median of the rounds' ratios of the large table's p50 to the small one's. */
  readonly ratio: number;
  readonly spread: { readonly min: number; readonly max: number };
}

export interface RowsResult extends Record<CallName, number> {
  readonly name: 'rows';
  readonly rows: number;
  readonly smallRows: number;
  readonly store: string;
  readonly concurrency: number;
  readonly rounds: number;
  readonly details: Record<CallName, Growth>;
}

export async function benchRows(
  small: Loaded,
  large: Loaded,
  driver: Driver,
  options: Options,
): Promise<RowsResult> {
  const measure = (call: CallName) => grow(works[call](small), works[call](large), driver, options);
  const details = { put: await measure('put'), stat: await measure('stat'), list: await measure('list') };
  return {
    name: 'rows',
    rows: options.rows,
    smallRows: SMALL_ROWS,
    store: STORE,
    concurrency: options.concurrency,
    rounds: options.rounds,
    put: details.put.ratio,
    stat: details.stat.ratio,
    list: details.list.ratio,
    details,
  };
}

const works: Record<CallName, (loaded: Loaded) => Work> = {
  // Between the existing keys, not after them.
  put: ({ stage }) => putWork(stage, sizes['4k'], 'user-'),
  stat: ({ stage, filled }) => statSides(stage, filled).ours,
  list: ({ stage, filled }) => listSides(stage, filled).ours,
};

async function grow(small: Work, large: Work, driver: Driver, options: Options): Promise<Growth> {
  const { concurrency, seconds, rounds } = options;
  const run = async (work: Work) => (await driver.run({ work, concurrency, seconds })).latencies;
  await run(small);
  await run(large);
  const done: { small: readonly number[]; large: readonly number[] }[] = [];
  while (done.length < rounds) done.push({ small: await run(small), large: await run(large) });
  const ratios = done.map((round) => rounded(percentile(round.large, 0.5) / percentile(round.small, 0.5)));
  return {
    small: latencies(done.flatMap((round) => round.small)),
    large: latencies(done.flatMap((round) => round.large)),
    ratio: rounded(median(ratios)),
    spread: spread(ratios),
  };
}

function latencies(values: readonly number[]): { p50: number; p99: number } {
  return { p50: rounded(percentile(values, 0.5)), p99: rounded(percentile(values, 0.99)) };
}

export function rowsTable(result: RowsResult): string {
  const lines = calls.map((call) => {
    const { small, large, spread: range } = result.details[call];
    return [
      call.padEnd(5),
      String(small.p50).padStart(10),
      String(large.p50).padStart(10),
      String(small.p99).padStart(10),
      String(large.p99).padStart(10),
      `${String(result[call]).padStart(8)} (${range.min} to ${range.max})`,
    ].join(' ');
  });
  return [
    `${result.smallRows} and ${result.rows} rows, ${result.concurrency} at a time, ${result.store} store`,
    '       p50 small  p50 large  p99 small  p99 large    ratio of p50',
    ...lines,
  ].join('\n');
}
