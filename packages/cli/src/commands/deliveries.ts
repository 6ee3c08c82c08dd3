/** `millpond deliveries`: what was sent to receivers, what was not, and sending it again. */
import { type Command, Option } from 'commander';
import { UsageFault } from '../exit.ts';
import { type OperatorOptions, operatorCommand, withTools } from '../operator.ts';
import { readLimit, readTime } from '../option-readers.ts';
import { print, printRows } from '../print.ts';

interface FilterOptions extends OperatorOptions {
  readonly account?: string;
  readonly endpoint?: string;
  readonly state?: 'unsent' | 'waiting' | 'delivered' | 'failed';
  readonly since?: Date;
  readonly until?: Date;
}

type Tools = Parameters<Parameters<typeof withTools>[1]>[0];

const PAGE = 1000;
const BEGINNING = new Date(0);
const END = new Date('9999-01-01T00:00:00Z');

export function addDeliveries(program: Command): void {
  const deliveries = program.command('deliveries').description('events and callbacks to receivers');
  addList(deliveries);
  addShow(deliveries);
  addAgain(deliveries);
  addEndpoints(deliveries);
}

function filtered(command: Command): Command {
  return command
    .option('--account <email>', 'of this account')
    .option('--endpoint <number>', 'to this endpoint')
    .option('--since <time>', 'made from this time on, ISO 8601', readTime)
    .option('--until <time>', 'made before this time, ISO 8601', readTime);
}

async function filterOf({ accounts }: Tools, options: FilterOptions) {
  if (options.endpoint !== undefined && !/^\d{1,18}$/.test(options.endpoint))
    throw new UsageFault('an endpoint is a number: `millpond deliveries endpoints` lists them');
  return {
    uid: options.account === undefined ? undefined : (await accounts.byEmail(options.account)).uid,
    state: options.state,
    endpointId: options.endpoint === undefined ? undefined : BigInt(options.endpoint),
    since: options.since ?? BEGINNING,
    until: options.until ?? END,
  };
}

function addList(parent: Command): void {
  filtered(operatorCommand(parent, 'list', 'deliveries, newest first'))
    .addOption(
      new Option('--state <state>', 'in this state').choices(['unsent', 'waiting', 'delivered', 'failed']),
    )
    .option('--limit <n>', 'at most so many', readLimit, 100)
    .action(async (options: FilterOptions & { limit: number }) => {
      await withTools(options, async (tools) => {
        const filter = await filterOf(tools, options);
        const rows = [];
        let after: string | undefined;
        do {
          const page = await tools.deliveries.page(filter, after, PAGE);
          rows.push(...page.rows);
          after = page.next;
        } while (after !== undefined && rows.length < options.limit);
        const shown = rows.slice(0, options.limit).map((row) => ({
          id: row.delivery_id,
          created: row.created_at,
          uid: row.uid,
          kind: row.kind,
          state: row.state,
          endpoint: row.endpoint_id,
          url: row.urls[0],
          subject: row.subject,
        }));
        printRows(options, shown, ['id', 'created', 'uid', 'kind', 'state', 'endpoint', 'url', 'subject']);
      });
    });
}

function addShow(parent: Command): void {
  operatorCommand(parent, 'show', 'one delivery with its tries')
    .argument('<id>')
    .action(async (id: string, options: OperatorOptions) => {
      await withTools(options, async ({ deliveries }) => {
        const { delivery, attempts } = await deliveries.get(id, undefined);
        const tries = attempts.map((attempt) => ({
          attempt: attempt.attempt,
          begun: attempt.begun_at,
          status: attempt.status,
          ms: attempt.duration_ms,
          url: attempt.url,
          error: attempt.error,
          response: attempt.response?.toString(),
        }));
        const { body, ...head } = { ...delivery, body: delivery.body.toString() };
        if (options.json) {
          print(options, { ...head, body, attempts: tries }, '');
          return;
        }
        const lines = Object.entries(head).filter(([, value]) => value !== null);
        print(
          options,
          {},
          `${lines.map(([name, value]) => `${name.padEnd(14)} ${String(value)}`).join('\n')}\n\n${body}\n`,
        );
        printRows(options, tries, ['attempt', 'begun', 'status', 'ms', 'url', 'error']);
      });
    });
}

function addAgain(parent: Command): void {
  operatorCommand(parent, 'resend', 'send one delivery again')
    .argument('<id>')
    .action(async (id: string, options: OperatorOptions) => {
      await withTools(options, async ({ deliveries }) => {
        const isQueued = await deliveries.resend(id, undefined);
        print(options, { id, queued: isQueued }, isQueued ? `${id} is sent again` : `${id} waits already`);
      });
    });
  const again = (name: string, description: string, state: 'failed' | undefined) =>
    filtered(operatorCommand(parent, name, description)).action(async (options: FilterOptions) => {
      if (options.since === undefined) throw new UsageFault('give --since');
      await withTools(options, async (tools) => {
        const filter = { ...(await filterOf(tools, options)), state };
        let [count, after] = [0, undefined as string | undefined];
        do {
          const step = await tools.deliveries.resendAll(filter, after);
          count += step.count;
          after = step.next;
        } while (after !== undefined);
        print(options, { count }, `${count} deliveries are sent again`);
      });
    });
  again('recover', 'send everything again that failed since a time', 'failed');
  again('replay', 'send everything of a time again, whatever became of it', undefined);
}

function addEndpoints(parent: Command): void {
  operatorCommand(parent, 'endpoints', 'where events go, and how they fare there')
    .option('--account <email>', 'of this account')
    .action(async (options: FilterOptions) => {
      await withTools(options, async (tools) => {
        const { uid } = await filterOf(tools, options);
        const rows = [];
        for (let after = 0n; ; ) {
          const page = await tools.deliveries.endpointsOf(uid, after, PAGE);
          rows.push(...page.map((row) => ({ ...row })));
          if (page.length < PAGE) break;
          after = page.at(-1)?.endpoint_id ?? after;
        }
        printRows(options, rows, [
          'endpoint_id',
          'uid',
          'name',
          'state',
          'failing_since',
          'suspended_at',
          'reason',
        ]);
      });
    });
  operatorCommand(parent, 'resume', 'send to a suspended endpoint again, what was kept for it first')
    .argument('<endpoint>')
    .action(async (endpoint: string, options: OperatorOptions) => {
      if (!/^\d{1,18}$/.test(endpoint)) throw new UsageFault('an endpoint is a number');
      await withTools(options, async ({ deliveries, actor }) => {
        const row = await deliveries.resume(BigInt(endpoint), undefined, actor.name);
        print(options, row, `${row.name} is ${row.state}`);
      });
    });
  operatorCommand(parent, 'notices', 'endpoints that were suspended and resumed, newest first')
    .option('--limit <n>', 'at most so many', readLimit, 100)
    .action(async (options: OperatorOptions & { limit: number }) => {
      await withTools(options, async ({ deliveries }) => {
        const rows = (await deliveries.notices(options.limit)).map((row) => ({ ...row }));
        printRows(options, rows, ['at', 'kind', 'endpoint_id', 'uid', 'text']);
      });
    });
}
