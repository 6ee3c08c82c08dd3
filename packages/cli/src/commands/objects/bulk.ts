/** `millpond bulk`: work on many objects that the server does in the background, whether or not anybody waits for it. */
import type { BulkRecord, NewBulk } from '@millpond/client/server';
import { bulkKinds, bulkStates, storageClasses } from '@millpond/protocol';
import { type Command, Option } from 'commander';
import { barText } from '../../bar.ts';
import { exitCodes, UsageError } from '../../exit.ts';
import { interruptSignal } from '../../interrupt.ts';
import { readLimit, readNumber } from '../../option-readers.ts';
import { print, printRows } from '../../print.ts';
import { AT_OPTION, clientAt, Installations } from '../../remote/installation.ts';
import { parseRemote, type RemoteLocation } from '../../remote/location.ts';
import { bytesText, escapeForTerminal } from '../../remote/text.ts';
import { addWaitOptions, type WaitOptions, withinTimeout } from '../../remote/waiting.ts';
import { prefixNotFound } from '../../report.ts';
import { readLines } from '../../transfer/tsv.ts';

interface BulkOptions {
  readonly json?: boolean;
  readonly at?: string;
}

type ShowOptions = BulkOptions & WaitOptions;

interface StartOptions extends ShowOptions {
  readonly from?: string;
  readonly class?: string;
  readonly days?: number;
  readonly to?: string;
  readonly force?: boolean;
  readonly yes?: boolean;
}

type Kind = NewBulk['kind'];

const COLUMNS = ['id', 'created', 'kind', 'state', 'done', 'failed', 'of', 'bytes', 'place'];

export function addBulk(program: Command): void {
  const bulk = program
    .command('bulk')
    .description('delete, move, copy, restore, zip or change the class of many objects, on the server');
  addStart(bulk);
  bulk
    .command('list')
    .description('list such work, newest first')
    .addOption(new Option('--state <state>', 'in this state').choices(bulkStates))
    .option('--limit <n>', 'maximum number of results', readLimit, 100)
    .option(...AT_OPTION)
    .option('--json', 'one JSON object per line')
    .action(list);
  const one = (name: string, description: string) =>
    bulk
      .command(name)
      .description(description)
      .argument('<id>')
      .option(...AT_OPTION)
      .option('--json', 'as JSON');
  addWaitOptions(one('show', 'show how far it has come, and what could not be done')).action(
    async (id: string, options: ShowOptions) => {
      const { bulk: calls } = clientAt(options.at);
      show(options, options.wait ? await ended(calls, id, options) : await calls.get(id));
    },
  );
  one('stop', 'end it where it is; what is done stays done').action(
    async (id: string, options: BulkOptions) => show(options, await clientAt(options.at).bulk.stop(id)),
  );
}

function addStart(bulk: Command): void {
  const begin = bulk
    .command('start')
    .description('begin work on all objects whose keys begin with a text, or on those of a list')
    .addArgument(bulk.createArgument('<kind>', 'what to do with each').choices(bulkKinds))
    .argument('<place>', '[alias]:bucket/beginning-of-keys, or [alias]:bucket for all')
    .option('--from <file>', 'only these keys: the first column of a list; - is standard input')
    .addOption(
      new Option('--class <class>', 'with class: the class they get').choices(
        storageClasses.map(({ word }) => word),
      ),
    )
    .option('--days <n>', 'with restore: days that they stay readable, 1 to 7', readNumber(1, 7))
    .option('--to <place>', 'with copy and move: :bucket/beginning of the new keys; with zip: :bucket/key')
    .option('--force', 'with copy, move and zip: replace what is there')
    .option('--yes', 'with delete and move: confirm it');
  addWaitOptions(begin).option('--json', 'as JSON').action(start);
}

async function start(kind: Kind, name: string, options: StartOptions): Promise<void> {
  const place = parseRemote(name);
  if ((kind === 'delete' || kind === 'move') && !options.yes)
    throw new UsageError(`${kind} takes away all that is named: give --yes too`);
  const keys = options.from === undefined ? undefined : await keysOf(options.from);
  const request = { kind, ...whatOf(place, keys), ...howOf(kind, place, options) };
  const { bulk: calls } = new Installations().client(place.alias);
  try {
    const made = await calls.submit(request);
    show(options, options.wait ? await ended(calls, made.id, options) : made);
  } catch (error) {
    throw prefixNotFound(name, error);
  }
}

function whatOf({ bucket, key }: RemoteLocation, keys: readonly string[] | undefined) {
  return keys === undefined || key !== ''
    ? { bucket, prefix: key, ...(keys === undefined ? {} : { keys }) }
    : { bucket, keys };
}

function howOf(kind: Kind, place: RemoteLocation, options: StartOptions): Partial<NewBulk> {
  const force = options.force === undefined ? {} : { force: options.force };
  if (kind === 'class') {
    const row = storageClasses.find(({ word }) => word === options.class);
    if (row === undefined) throw new UsageError('class needs --class');
    return { class: row.number };
  }
  if (kind === 'restore') return { days: options.days ?? 1 };
  if (kind === 'delete') return {};
  if (options.to === undefined) throw new UsageError(`${kind} needs --to`);
  const to = parseRemote(options.to);
  if (to.alias !== place.alias) throw new UsageError('both places must be of one installation');
  return kind === 'zip'
    ? { zip: { bucket: to.bucket, key: to.key }, ...force }
    : { to: { bucket: to.bucket, prefix: to.key }, ...force };
}

async function keysOf(file: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const [key = ''] of readLines(file)) keys.push(key);
  return keys;
}

async function ended(
  calls: ReturnType<typeof clientAt>['bulk'],
  id: string,
  options: ShowOptions,
): Promise<BulkRecord> {
  const isDrawn = process.stderr.isTTY && !options.json;
  let last = '';
  const onProgress = (bulk: BulkRecord) => {
    last = progressText(bulk);
    if (isDrawn) process.stderr.write(`\r\u001b[K${last}`);
  };
  const bulk = await withinTimeout(
    options,
    interruptSignal(),
    (signal) => calls.wait(id, { signal, onProgress }),
    () => `${last}; \`millpond bulk show ${id} --wait\` waits on`,
  );
  if (isDrawn) process.stderr.write('\r\u001b[K');
  if (bulk.state !== 'done' || bulk.failed > 0) process.exitCode = exitCodes.partial;
  return bulk;
}

function progressText({ state, done, failed, bytes, of, current = '' }: BulkRecord): string {
  const count =
    of === undefined ? `${done + failed}` : `${barText(done + failed, of)}  ${done + failed}/${of}`;
  const text = `${state}  ${count}  ${bytesText(bytes)}  ${escapeForTerminal(current)}`;
  return text.slice(0, (process.stderr.columns || 80) - 1);
}

async function list(options: BulkOptions & { state?: BulkRecord['state']; limit: number }): Promise<void> {
  const rows: BulkRecord[] = [];
  for await (const row of clientAt(options.at).bulk.list({ state: options.state })) {
    rows.push(row);
    if (rows.length === options.limit) break;
  }
  if (options.json) for (const row of rows) print(options, row, '');
  else
    printRows(
      options,
      rows.map(({ id, created, kind, state, done, failed, of, bytes, bucket, prefix = '' }) => ({
        id,
        created,
        kind,
        state,
        done,
        failed,
        of,
        bytes,
        place: `${bucket}/${prefix}`,
      })),
      COLUMNS,
    );
}

function show(options: BulkOptions, bulk: BulkRecord): void {
  if (options.json) {
    print(options, bulk, '');
    return;
  }
  const { problems, keys, to, zip, ...rest } = bulk;
  const head = {
    ...rest,
    keys: keys?.length,
    to: to && `${to.bucket}/${to.prefix}`,
    zip: zip && `${zip.bucket}/${zip.key}`,
  };
  const lines = Object.entries(head).filter(([, value]) => value !== undefined);
  print(
    options,
    {},
    lines.map(([name, value]) => `${name.padEnd(9)} ${escapeForTerminal(String(value))}`).join('\n'),
  );
  if (problems.length > 0) {
    process.stdout.write('\n');
    printRows(options, problems, ['key', 'words']);
  }
}
