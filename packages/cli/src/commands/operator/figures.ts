/** `millpond figures`: what the region did and how it was, over time. */
import type { Command } from 'commander';
import { type OperatorOptions, operatorCommand, withTools } from '../../operator.ts';
import { readNumber, readTime } from '../../option-readers.ts';
import { printRows } from '../../print.ts';

interface FiguresOptions extends OperatorOptions {
  readonly from?: Date;
  readonly to?: Date;
  readonly step?: number;
}

/** What fits on a line; with `--json` all are printed unless some are named. */
const USUAL = [
  'requests.downloads',
  'requests.calls',
  'requests.uploads',
  'requests.s3',
  'errors.5xx',
  'latency.p50',
  'latency.p99',
  'traffic.in',
  'traffic.out',
  'tasks.waiting',
  'events.waiting',
];
const DECIMALS = 3;

export function addFigures(program: Command): void {
  operatorCommand(
    program,
    'figures',
    'show requests, errors, latency, traffic and queues of the last 30 days',
  )
    .argument('[names...]', 'figures by name, such as latency.p99; docs/metrics.md lists them')
    .option('--from <time>', 'since this time, ISO 8601 (an hour ago)', readTime)
    .option('--to <time>', 'until this time (now)', readTime)
    .option('--step <seconds>', 'seconds between two lines, a multiple of 60', readNumber(60, 86_400))
    .action(async (names: string[], options: FiguresOptions) => {
      await withTools(options, async ({ figures }) => {
        const chosen = names.length > 0 ? names : options.json ? undefined : USUAL;
        const asked = { from: secondsOf(options.from), to: secondsOf(options.to), step: options.step };
        const { from, step, series } = await figures({ ...asked, names: chosen });
        const shown = Object.keys(series);
        const length = series[shown[0] ?? '']?.length ?? 0;
        const rows = Array.from({ length }, (_, at) => ({
          at: new Date((from + at * step) * 1000),
          ...Object.fromEntries(shown.map((name) => [name, rounded(series[name]?.[at])])),
        }));
        printRows(options, rows, ['at', ...shown]);
      });
    });
}

function secondsOf(time: Date | undefined): number | undefined {
  return time && Math.floor(time.getTime() / 1000);
}

function rounded(value: number | null | undefined): number | null {
  return typeof value === 'number' ? Number(value.toFixed(DECIMALS)) : null;
}
