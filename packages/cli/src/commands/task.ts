/** `millpond task`: what tasks do and did, on all accounts; ending them, and running them again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ownTaskRecord, type TaskRow } from '@millpond/server';
import { type Command, Option } from 'commander';
import { exitCodes, UsageFault } from '../exit.ts';
import { type OperatorOptions, operatorCommand, withTools } from '../operator.ts';
import { readLimit, readTime } from '../option-readers.ts';
import { print, printRows } from '../print.ts';

const STATES = { done: 0, waiting: 1, processing: 2, failed: 3 } as const;
type State = keyof typeof STATES;
const PAGE = 1000;
const LOOK_EVERY_MS = 500;
const MOST_COMMAND = 60;

interface ListOptions extends OperatorOptions {
  readonly account?: string;
  readonly state?: State;
  readonly pipeline?: string;
  readonly bucket?: string;
  readonly key?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly limit: number;
}

interface WaitOptions extends OperatorOptions {
  readonly wait?: boolean;
}

type Tools = Parameters<Parameters<typeof withTools>[1]>[0];

export function addTask(program: Command): void {
  const task = program.command('task').description('persistent processing');
  addList(task);
  operatorCommand(task, 'show', 'one task: its items, and the last words of an engine that failed')
    .argument('<id>', 'persistentId of the task')
    .option('--wait', 'until it has ended, telling how far it is; 1 where it failed')
    .action((id: string, options: WaitOptions) =>
      withTools(options, async (tools) => show(options, await awaited(tools, id, options))),
    );
  operatorCommand(task, 'cancel', 'end a task; what is done stays done')
    .argument('<id>', 'persistentId of the task')
    .action((id: string, options: OperatorOptions) =>
      withTools(options, async ({ changeTasks }) => {
        await changeTasks((tasks) => tasks.cancel(undefined, id));
        print(options, { id }, `${id} is ended, or will be within seconds`);
      }),
    );
  operatorCommand(task, 'rerun', 'the same commands on the object as it is now, as a new task')
    .argument('<id>', 'persistentId of the task')
    .option('--wait', 'until it has ended, telling how far it is; 1 where it failed')
    .action((id: string, options: WaitOptions) =>
      withTools(options, async (tools) => {
        const by = { accessKey: undefined, reqid: tools.actor.name };
        const again = await tools.changeTasks((tasks) => tasks.rerun(undefined, id, by));
        if (!options.wait) return print(options, { id: again }, again);
        show(options, await awaited(tools, again, options));
      }),
    );
}

function addList(parent: Command): void {
  operatorCommand(parent, 'list', 'tasks, newest first')
    .option('--account <email>', 'of this account')
    .addOption(new Option('--state <state>', 'in this state').choices(Object.keys(STATES)))
    .option('--pipeline <name>', 'of this queue')
    .option('--bucket <bucket>', 'on objects of this bucket')
    .option('--key <key>', 'on this object of the bucket')
    .option('--since <time>', 'submitted from this time on, ISO 8601', readTime)
    .option('--until <time>', 'submitted before this time, ISO 8601', readTime)
    .option('--limit <n>', 'at most so many', readLimit, 100)
    .action(async (options: ListOptions) => {
      if (options.key !== undefined && options.bucket === undefined)
        throw new UsageFault('a key needs its bucket');
      await withTools(options, async (tools) => {
        const rows = await listed(tools, options);
        const shown = rows.map((row) => ({
          id: row.task_id,
          created: row.creation_date,
          uid: row.uid,
          state: stateOf(row),
          percent: percentOf(row),
          pipeline: row.pipeline ?? '0.default',
          input: `${row.input_bucket}:${row.input_key}`,
          commands: commandsOf(row),
        }));
        printRows(options, shown, [
          ...['id', 'created', 'uid', 'state', 'percent', 'pipeline', 'input', 'commands'],
        ]);
      });
    });
}

async function listed(tools: Tools, options: ListOptions): Promise<TaskRow[]> {
  const filter = {
    uid: options.account === undefined ? undefined : (await tools.accounts.byEmail(options.account)).uid,
    code: options.state === undefined ? undefined : STATES[options.state],
    pipeline: options.pipeline,
    bucketId: options.bucket === undefined ? undefined : await tools.bucketId(options.bucket),
    key: options.key,
    from: options.since,
    to: options.until,
  };
  const rows: TaskRow[] = [];
  for (;;) {
    const last = rows.at(-1);
    const before = last && { createdAt: last.creation_date, id: last.task_id };
    const limit = Math.min(PAGE, options.limit - rows.length);
    const page = await tools.tasks.list({ ...filter, before, limit });
    rows.push(...page);
    if (page.length < limit || rows.length >= options.limit) return rows;
  }
}

/** The task, at once or when it has ended. Progress goes to standard error, so that the result can be piped. */
async function awaited({ tasks }: Tools, id: string, { wait }: WaitOptions): Promise<TaskRow> {
  let told = '';
  for (;;) {
    const row = await tasks.own(undefined, id);
    if (!wait) return row;
    const now = `${stateOf(row)} ${percentOf(row)} %`;
    if (now !== told) process.stderr.write(`${now}\n`);
    told = now;
    if (row.code === 0) return row;
    if (row.code === 3) {
      process.exitCode = exitCodes.partial;
      return row;
    }
    await sleep(LOOK_EVERY_MS);
  }
}

function show(options: OperatorOptions, row: TaskRow): void {
  if (options.json) {
    print(options, { uid: row.uid, ...ownTaskRecord(row) }, '');
    return;
  }
  const head = {
    id: row.task_id,
    state: stateOf(row),
    percent: percentOf(row),
    created: row.creation_date,
    finished: row.finished_at?.toISOString(),
    uid: row.uid,
    input: `${row.input_bucket}:${row.input_key}`,
    pipeline: row.pipeline ?? '0.default',
    idle: row.is_idle ? 'yes' : undefined,
    from: row.task_from ?? undefined,
    notify: row.notify_url ?? undefined,
    attempts: row.attempt,
    reqid: row.reqid,
  };
  const lines = Object.entries(head).filter(([, value]) => value !== undefined);
  print(options, {}, `${lines.map(([name, value]) => `${name.padEnd(9)} ${String(value)}`).join('\n')}\n`);
  const items = row.items.map(({ cmd, code, key, hash, returnOld, error }, item) => ({
    item,
    state: nameOf(code),
    key,
    hash,
    old: returnOld === 1 ? 'yes' : '',
    error,
    command: cmd,
  }));
  printRows(options, items, ['item', 'state', 'key', 'hash', 'old', 'error', 'command']);
  for (const [item, { words }] of row.items.entries())
    if (words !== undefined) print(options, {}, `\nlast words of the engine at item ${item}:\n${words}`);
}

function nameOf(code: TaskRow['code']): State {
  return (Object.keys(STATES) as State[]).find((state) => STATES[state] === code) ?? 'waiting';
}

function stateOf(row: TaskRow): State {
  return nameOf(row.code);
}

function percentOf(row: TaskRow): number {
  return row.code === 0 ? 100 : Math.floor(row.percent);
}

function commandsOf({ items }: TaskRow): string {
  const text = items.map(({ cmd }) => cmd).join(';');
  return text.length > MOST_COMMAND ? `${text.slice(0, MOST_COMMAND - 1)}…` : text;
}
