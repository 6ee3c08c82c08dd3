/** `millpond request`: what became of one request. */
import type { RequestTrace } from '@millpond/client/server';
import type { Command } from 'commander';
import { requestSources } from '../database-or-api/requests.ts';
import { operatorOrUserCommand, type SourceOptions, withSource } from '../database-or-api/source.ts';
import { print, printRows } from '../print.ts';
import { escapeForTerminal } from '../remote/text.ts';

export function addRequest(program: Command): void {
  const request = program
    .command('request')
    .description('show what became of a request, step by step, by its id');
  operatorOrUserCommand(
    request,
    'show',
    'show who made a request, what was judged, and every step with its time',
  )
    .argument('<reqid>', 'the `X-Reqid` of its answer')
    .action((reqid: string, options: SourceOptions) =>
      withSource(options, requestSources, async (requests) => show(options, await requests.get(reqid))),
    );
}

function show(options: SourceOptions, trace: RequestTrace): void {
  if (options.json) {
    print(options, trace, '');
    return;
  }
  const { steps, caused, ...head } = trace;
  const lines = Object.entries(head)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name.padEnd(9)} ${escapeForTerminal(String(value))}`);
  print(options, {}, `${lines.join('\n')}\n`);
  const rows = steps.map(({ ok, ...step }) => ({ ...step, ok: ok ? 'yes' : 'no' }));
  printRows(options, rows, ['at', 'ms', 'kind', 'name', 'ok', 'words']);
  const { tasks, deliveries, audit } = caused;
  const made = [
    ...tasks.map(({ id, desc }) => ({ caused: 'task', id, about: desc })),
    ...deliveries.map(({ id, kind, state }) => ({ caused: 'delivery', id, about: `${kind}, ${state}` })),
    ...audit.map(({ action, target, result }) => ({
      caused: 'act',
      id: action,
      about: `${target}: ${result}`,
    })),
  ];
  if (made.length === 0) return;
  print(options, {}, '');
  printRows(options, made, ['caused', 'id', 'about']);
}
