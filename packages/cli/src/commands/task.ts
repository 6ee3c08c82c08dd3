/** `millpond task`: what tasks do and did; cancelling them, and running them again. */
import { type Command, Option } from 'commander';
import { operatorOrUserCommand, type SourceOptions, withSource } from '../database-or-api/source.ts';
import { type TaskQuery, type TaskSource, type TaskView, taskSources } from '../database-or-api/tasks.ts';
import { exitCodes, UsageError } from '../exit.ts';
import { readLimit, readTime } from '../option-readers.ts';
import { print, printRows } from '../print.ts';
import { escapeForTerminal } from '../remote/text.ts';
import { addWaitOptions, type WaitOptions } from '../remote/waiting.ts';
import { stateOf, TASK_STATES, waitForTask } from '../task-states.ts';

const MAX_COMMAND_LENGTH = 60;

type ShowOptions = SourceOptions & WaitOptions;

export function addTask(program: Command): void {
  const task = program.command('task').description('show, cancel and rerun the tasks that process objects');
  const one = (name: string, description: string) =>
    operatorOrUserCommand(task, name, description).argument('<id>', 'persistentId of the task');
  addList(task);
  addWaitOptions(
    one('show', 'show one task: its items, what it waits for, and the last output of an engine that failed'),
  ).action((id: string, options: ShowOptions) =>
    withSource(options, taskSources, async (tasks) => show(options, await awaited(tasks, id, options))),
  );
  one('cancel', 'cancel a task; what is done stays done').action((id: string, options: SourceOptions) =>
    withSource(options, taskSources, async (tasks) => {
      await tasks.cancel(id);
      print(options, { id }, `${id} is cancelled, or will be within seconds`);
    }),
  );
  addWaitOptions(one('rerun', 'run the same commands on the object as it is now, as a new task')).action(
    (id: string, options: ShowOptions) =>
      withSource(options, taskSources, async (tasks) => {
        const again = await tasks.rerun(id);
        if (!options.wait) return print(options, { id: again }, again);
        show(options, await awaited(tasks, again, options));
      }),
  );
}

function addList(parent: Command): void {
  operatorOrUserCommand(parent, 'list', 'list tasks, newest first')
    .option('--account <email>', 'of this account; for operators')
    .addOption(new Option('--state <state>', 'in this state').choices(TASK_STATES))
    .option('--pipeline <name>', 'of this queue')
    .option('--bucket <bucket>', 'on objects of this bucket')
    .option('--key <key>', 'on this object of the bucket')
    .option('--since <time>', 'submitted at or after this time, ISO 8601', readTime)
    .option('--until <time>', 'submitted before this time, ISO 8601', readTime)
    .option('--limit <n>', 'maximum number of results', readLimit, 100)
    .action(async (options: SourceOptions & TaskQuery) => {
      if (options.key !== undefined && options.bucket === undefined)
        throw new UsageError('--key needs --bucket');
      await withSource(options, taskSources, async (tasks) => printTasks(options, await tasks.list(options)));
    });
}

function printTasks(options: SourceOptions, tasks: readonly TaskView[]): void {
  const rows = tasks.map((task) => ({
    id: task.id,
    created: task.creationDate,
    uid: task.uid,
    state: stateOf(task),
    percent: task.percent,
    pipeline: task.pipeline,
    input: `${task.inputBucket}:${task.inputKey}`,
    commands: commandsOf(task),
  }));
  const columns = ['id', 'created', 'uid', 'state', 'percent', 'pipeline', 'input', 'commands'];
  const isOperators = tasks.some(({ uid }) => uid !== undefined);
  printRows(options, rows, isOperators ? columns : columns.filter((column) => column !== 'uid'));
}

/** The task, at once or when it has ended. */
async function awaited(tasks: TaskSource, id: string, options: ShowOptions): Promise<TaskView> {
  if (!options.wait) return tasks.get(id);
  const task = await waitForTask(id, () => tasks.get(id), options);
  if (task.code === 3) process.exitCode = exitCodes.partial;
  return task;
}

function show(options: SourceOptions, task: TaskView): void {
  if (options.json) {
    print(options, task, '');
    return;
  }
  const head = {
    id: task.id,
    state: stateOf(task),
    percent: task.percent,
    'waits for': task.waitingFor?.text,
    created: task.creationDate,
    begun: task.begun,
    finished: task.finishDate,
    worker: task.worker,
    uid: task.uid,
    input: `${task.inputBucket}:${task.inputKey}`,
    pipeline: task.pipeline,
    idle: task.type === 1 ? 'yes' : undefined,
    from: task.taskFrom,
    notify: task.notify,
    attempts: task.attempts,
    reqid: task.reqid,
  };
  const lines = Object.entries(head).filter(([, value]) => value !== undefined);
  print(
    options,
    {},
    `${lines.map(([name, value]) => `${name.padEnd(9)} ${escapeForTerminal(String(value))}`).join('\n')}\n`,
  );
  const items = task.items.map(({ cmd, code, key, hash, returnOld, error }, item) => ({
    item,
    state: TASK_STATES[code],
    key,
    hash,
    old: returnOld === 1 ? 'yes' : '',
    error,
    command: cmd,
  }));
  printRows(options, items, ['item', 'state', 'key', 'hash', 'old', 'error', 'command']);
  const timeline = timelineOf(task);
  if (timeline.length > 0) {
    print(options, {}, '');
    printRows(options, timeline, ['item', 'begun', 'ms', 'stage', 'what']);
  }
  for (const [item, { warnings }] of task.items.entries())
    if (warnings !== undefined)
      print(
        options,
        {},
        `\nwarnings about the result of item ${item}:\n${warnings.map(escapeForTerminal).join('\n')}`,
      );
  for (const [item, { words }] of task.items.entries())
    if (words !== undefined)
      print(options, {}, `\nlast output of the engine at item ${item}:\n${wordsText(words)}`);
}

/** What the items did, in order; items that have not begun have no lines. */
function timelineOf({ items }: TaskView) {
  return items.flatMap(({ stages = [] }, item) =>
    stages.map(({ name, begun, ms, words }) => ({ item, begun, ms, stage: name, what: words })),
  );
}

/** Line breaks stay; nothing else may move a cursor. */
function wordsText(words: string): string {
  return words.split('\n').map(escapeForTerminal).join('\n');
}

function commandsOf({ items }: TaskView): string {
  const text = items.map(({ cmd }) => cmd).join(';');
  return text.length > MAX_COMMAND_LENGTH ? `${text.slice(0, MAX_COMMAND_LENGTH - 1)}…` : text;
}
