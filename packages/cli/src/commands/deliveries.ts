/** `millpond deliveries`: what was sent to receivers, what was not, and resending it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryDetail } from '@millpond/client/server';
import { type Command, Option } from 'commander';
import { type DeliveryQuery, deliverySources } from '../database-or-api/deliveries.ts';
import { operatorOrUserCommand, type SourceOptions, withSource } from '../database-or-api/source.ts';
import { ExitError, exitCodes, UsageError } from '../exit.ts';
import { type OperatorOptions, operatorCommand, withTools } from '../operator.ts';
import { readLimit, readTime } from '../option-readers.ts';
import { print, printRows } from '../print.ts';
import { escapeForTerminal } from '../remote/text.ts';

type FilterOptions = SourceOptions & DeliveryQuery;

export function addDeliveries(program: Command): void {
  const deliveries = program
    .command('deliveries')
    .description('show what was sent to receivers of events and callbacks, and send it again');
  addList(deliveries);
  addShow(deliveries);
  addAgain(deliveries);
  addEndpoints(deliveries);
  addTest(deliveries);
  addNotices(deliveries);
}

function filtered(command: Command): Command {
  return command
    .option('--account <email>', 'of this account; for operators')
    .option('--endpoint <number>', 'to this endpoint')
    .option('--since <time>', 'created at or after this time, ISO 8601', readTime)
    .option('--until <time>', 'created before this time, ISO 8601', readTime);
}

function checkEndpoint(endpoint: string | undefined): void {
  if (endpoint !== undefined && !/^\d{1,18}$/.test(endpoint))
    throw new UsageError('an endpoint must be a number: `millpond deliveries endpoints` lists them');
}

function addList(parent: Command): void {
  filtered(operatorOrUserCommand(parent, 'list', 'list deliveries, newest first'))
    .addOption(
      new Option('--state <state>', 'in this state').choices(['unsent', 'waiting', 'delivered', 'failed']),
    )
    .option('--limit <n>', 'maximum number of results', readLimit, 100)
    .action(async (options: FilterOptions & { limit: number }) => {
      checkEndpoint(options.endpoint);
      await withSource(options, deliverySources, async (deliveries) => {
        const rows = await deliveries.list(options, options.limit);
        const columns = ['id', 'created', 'kind', 'state', 'endpoint', 'url', 'subject'];
        const isOperators = rows.some(({ uid }) => uid !== undefined);
        printRows(
          options,
          rows.map((row) => ({ ...row })),
          isOperators ? columns.toSpliced(2, 0, 'uid') : columns,
        );
      });
    });
}

function addShow(parent: Command): void {
  operatorOrUserCommand(parent, 'show', 'show one delivery with its attempts')
    .argument('<id>')
    .action(async (id: string, options: SourceOptions) => {
      await withSource(options, deliverySources, async (deliveries) => {
        const delivery = await deliveries.get(id);
        if (options.json) {
          print(options, delivery, '');
          return;
        }
        const { body, attempts, waitingFor, waits: _waits, ...head } = delivery;
        const lines = Object.entries({ ...head, 'waits for': waitingFor?.text })
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => `${name.padEnd(14)} ${escapeForTerminal(String(value))}`);
        print(options, {}, `${lines.join('\n')}\n\n${escapeForTerminal(body)}\n`);
        const tries = attempts.map(({ durationMs, request: _request, answer: _answer, ...attempt }) => ({
          ...attempt,
          ms: durationMs,
        }));
        printRows(options, tries, ['attempt', 'begun', 'status', 'ms', 'url', 'error']);
      });
    });
}

function addAgain(parent: Command): void {
  operatorOrUserCommand(parent, 'resend', 'send one delivery again')
    .argument('<id>')
    .action(async (id: string, options: SourceOptions) => {
      await withSource(options, deliverySources, async (deliveries) => {
        await deliveries.resend(id);
        print(options, { id }, `${id} will be sent again`);
      });
    });
  const again = (name: string, description: string, which: 'failed' | 'all') =>
    filtered(operatorOrUserCommand(parent, name, description)).action(async (options: FilterOptions) => {
      const { since } = options;
      if (since === undefined) throw new UsageError('give --since');
      checkEndpoint(options.endpoint);
      await withSource(options, deliverySources, async (deliveries) => {
        const count = await deliveries.resendAll({ ...options, since }, which);
        const none = `nothing ${which === 'failed' ? 'failed' : 'was sent'} in this time that could be sent again`;
        print(options, { count }, count === 0 ? none : `${count} deliveries will be sent again`);
      });
    });
  again('recover', 'resend everything that failed since a given time', 'failed');
  again('replay', 'resend everything from a period, delivered or not', 'all');
}

function addEndpoints(parent: Command): void {
  operatorOrUserCommand(parent, 'endpoints', 'list the endpoints that events go to, and their state')
    .option('--account <email>', 'of this account; for operators')
    .action(async (options: SourceOptions) => {
      await withSource(options, deliverySources, async (deliveries) => {
        const rows = await deliveries.endpoints(options.account);
        const columns = [
          'endpoint',
          'name',
          'state',
          'waiting',
          'oldest',
          'lastSuccess',
          'lastFailure',
          'suspended',
          'reason',
        ];
        const isOperators = rows.some(({ uid }) => uid !== undefined);
        if (options.json) for (const row of rows) print(options, row, '');
        else
          printRows(
            options,
            rows.map(({ recent: _recent, ...row }) => row),
            isOperators ? columns.toSpliced(1, 0, 'uid') : columns,
          );
      });
    });
  operatorOrUserCommand(
    parent,
    'resume',
    'send to a suspended endpoint again, beginning with what was kept for it',
  )
    .argument('<endpoint>')
    .action(async (endpoint: string, options: SourceOptions) => {
      checkEndpoint(endpoint);
      await withSource(options, deliverySources, async (deliveries) => {
        const resumed = await deliveries.resume(endpoint);
        print(options, resumed, `${escapeForTerminal(resumed.name)} is ${resumed.state}`);
      });
    });
}

/** How long `test --wait` looks for an answer: an attempt takes 10 s at most, and a sender may be busy. */
const TEST_MS = 60_000;
const CHECK_INTERVAL_MS = 250;

function addTest(parent: Command): void {
  operatorOrUserCommand(parent, 'test', 'send a test event to an endpoint, and show what it answers')
    .argument('<endpoint>')
    .option('--no-wait', 'only send it')
    .action(async (endpoint: string, options: SourceOptions & { wait: boolean }) => {
      checkEndpoint(endpoint);
      await withSource(options, deliverySources, async (deliveries) => {
        const id = await deliveries.test(endpoint);
        if (!options.wait) {
          print(options, { id }, id);
          return;
        }
        const delivery = await ended(() => deliveries.get(id));
        const [attempt] = delivery.attempts;
        const words = attempt?.error ?? `answered ${attempt?.status ?? 'nothing yet'}`;
        print(options, delivery, `${delivery.state}: ${escapeForTerminal(words)}\n${id}`);
        if (delivery.state !== 'delivered') throw new ExitError(exitCodes.partial);
      });
    });
}

async function ended(read: () => Promise<DeliveryDetail>): Promise<DeliveryDetail> {
  const until = performance.now() + TEST_MS;
  for (;;) {
    const delivery = await read();
    if (delivery.state !== 'waiting' || performance.now() > until) return delivery;
    await sleep(CHECK_INTERVAL_MS);
  }
}

function addNotices(parent: Command): void {
  operatorCommand(
    parent,
    'notices',
    'list endpoints that were suspended and resumed, newest first; for operators',
  )
    .option('--limit <n>', 'maximum number of results', readLimit, 100)
    .action(async (options: OperatorOptions & { limit: number }) => {
      await withTools(options, async ({ deliveries }) => {
        const rows = (await deliveries.notices(options.limit)).map((row) => ({ ...row }));
        printRows(options, rows, ['at', 'kind', 'endpoint_id', 'uid', 'text']);
      });
    });
}
