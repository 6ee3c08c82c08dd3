/** `millpond overview` and `millpond failures`: what is stored and under way, and what went wrong. */
import type { OverviewRecord } from '@millpond/client/server';
import type { Command } from 'commander';
import { overviewSources } from '../database-or-api/overview.ts';
import { operatorOrUserCommand, type SourceOptions, withSource } from '../database-or-api/source.ts';
import { readLimit } from '../option-readers.ts';
import { print, printRows, type Row } from '../print.ts';

export function addOverview(program: Command): void {
  operatorOrUserCommand(program, 'overview', 'show what is stored and under way')
    .option('--account <email>', 'of this account; for operators')
    .action(async (options: SourceOptions) => {
      await withSource(options, overviewSources, async (source) => {
        const found = await source.overview(options.account);
        if (options.json) print(options, found, '');
        else printRows(options, linesOf(found), ['what', 'now']);
      });
    });
}

export function addFailures(program: Command): void {
  operatorOrUserCommand(
    program,
    'failures',
    'list what failed in the last 30 days, newest first, with its cause',
  )
    .option('--account <email>', 'of this account; for operators')
    .option('--limit <n>', 'maximum number of results', readLimit, 100)
    .action(async (options: SourceOptions & { limit: number }) => {
      await withSource(options, overviewSources, async (source) => {
        const found = await source.failures(options.account, options.limit);
        if (options.json) {
          for (const failure of found) print(options, failure, '');
          return;
        }
        const rows = found.map(({ cause, act, ...row }) => ({
          ...row,
          cause: `${cause.kind} ${cause.id}`,
          act,
        }));
        printRows(options, rows, ['at', 'what', 'entry', 'words', 'cause', 'act']);
      });
    });
}

function linesOf(found: OverviewRecord): Row[] {
  const sum = (classes: OverviewRecord['bytes']) =>
    Object.values(classes).reduce((total, each) => total + each, 0);
  const { tasks, deliveries, endpointsAway } = found;
  const lines: [string, string | number][] = [
    ['buckets', found.buckets],
    ['bytes', sum(found.bytes)],
    ['objects', sum(found.objects)],
    ['tasks', `${tasks.waiting} waiting, ${tasks.running} running, ${tasks.failedToday} failed today`],
    ['deliveries', `${deliveries.waiting} waiting, ${deliveries.failed} failed`],
    ...endpointsAway.map((away): [string, string] => [
      `endpoint ${away.name}`,
      `away, ${away.waiting} waiting`,
    ]),
    ['restores', found.restores],
    ['streams', found.streams],
    ['devices', found.devices],
  ];
  return lines.map(([what, now]) => ({ what, now }));
}
