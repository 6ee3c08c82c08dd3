/** The result of a bench, as one line of JSON or as a table for people. */
import type { Options } from './options.ts';
import type { Round } from './rounds.ts';
import { median, percentile, rounded, spread } from './statistics.ts';

export interface Side {
  /** Median of the rounds. */
  readonly opsPerSecond: number;
  readonly megabytesPerSecond?: number;
  /** Milliseconds, over all requests of all rounds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of the load process per request: the client's own share, on both sides. */
  readonly clientCpu: number;
  /** Microseconds of the server and its child processes per request, without nginx. */
  readonly serverCpu?: number;
}

export interface Comparison {
  readonly name: string;
  readonly size?: string;
  readonly way?: string;
  /** For a list. */
  readonly form?: string;
  /** Megabytes of the server, if they were measured. */
  readonly memory?: { readonly before: number; readonly most: number };
  readonly rows?: number;
  /** For images: downloads of kept ones. */
  readonly kept?: Comparison;
  readonly concurrency: number;
  readonly ours: Side;
  readonly bare: Side;
  /** Median of the rounds' ratios of ours to bare, in requests per second. */
  readonly ratio: number;
  readonly spread: { readonly min: number; readonly max: number };
  readonly rounds: readonly { readonly ours: number; readonly bare: number; readonly ratio: number }[];
}

/** `bytes`: the size of one request's body, if bytes are what is measured. */
export function compare(rounds: readonly Round[], options: Options, bytes?: number): Comparison {
  const figures = rounds.map(({ ours, bare }) => ({
    ours: rounded(ours.opsPerSecond),
    bare: rounded(bare.opsPerSecond),
    ratio: rounded(ours.opsPerSecond / bare.opsPerSecond),
  }));
  const ratios = figures.map((figure) => figure.ratio);
  const ours = rounds.map((round) => round.ours);
  return {
    name: options.name,
    ...(bytes === undefined ? {} : { size: options.size }),
    ...(options.name === 'get' ? { way: options.way } : {}),
    ...(options.list === 'page' ? {} : { form: options.list }),
    ...(options.rows === 0 ? {} : { rows: options.rows }),
    concurrency: options.concurrency,
    ours: {
      ...sideOf(ours, bytes),
      serverCpu: rounded(median(ours.map((outcome) => outcome.serverCpu))),
    },
    bare: sideOf(
      rounds.map((round) => round.bare),
      bytes,
    ),
    ratio: rounded(median(ratios)),
    spread: spread(ratios),
    rounds: figures,
  };
}

function sideOf(outcomes: readonly Round['bare'][], bytes: number | undefined): Side {
  const opsPerSecond = median(outcomes.map((outcome) => outcome.opsPerSecond));
  const latencies = outcomes.flatMap((outcome) => outcome.latencies);
  return {
    opsPerSecond: rounded(opsPerSecond),
    ...(bytes === undefined ? {} : { megabytesPerSecond: rounded((opsPerSecond * bytes) / 1e6) }),
    p50: rounded(percentile(latencies, 0.5)),
    p99: rounded(percentile(latencies, 0.99)),
    clientCpu: rounded(median(outcomes.map((outcome) => outcome.clientCpu))),
  };
}

export function comparisonTable(result: Comparison): string {
  const { kept, ...rest } = result;
  return kept === undefined ? tableOf(rest) : `${tableOf(rest)}\n\nonce it is cached: ${tableOf(kept)}`;
}

function tableOf(result: Comparison): string {
  const what = [result.name, result.size, result.way, result.form, `${result.concurrency} at a time`];
  if (result.rows !== undefined) what.push(`${result.rows} rows`);
  const line = (name: string, side: Side) =>
    [
      name.padEnd(6),
      String(side.opsPerSecond).padStart(10),
      String(side.megabytesPerSecond ?? '').padStart(8),
      String(side.p50).padStart(9),
      String(side.p99).padStart(9),
      String(side.clientCpu).padStart(10),
      String(side.serverCpu ?? '').padStart(10),
    ].join(' ');
  return [
    what.filter((part) => part !== undefined).join(', '),
    '          requests/s     MB/s    p50 ms    p99 ms  client µs  server µs',
    line('ours', result.ours),
    line('bare', result.bare),
    ...(result.memory === undefined
      ? []
      : [`memory of the server: ${result.memory.before} MB before, ${result.memory.most} MB at most`]),
    `ratio ${result.ratio} (of ${result.rounds.length} rounds, ${result.spread.min} to ${result.spread.max})`,
  ].join('\n');
}
