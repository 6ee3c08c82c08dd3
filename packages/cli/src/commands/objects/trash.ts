/** `millpond trash`: what was deleted or replaced in a bucket, and bringing it back, with its owner's access key. */
import type { Client, TrashedObject, Undeleted } from '@millpond/client/server';
import type { Command } from 'commander';
import { exitCodes, NotFoundError, UsageError } from '../../exit.ts';
import { interruptSignal } from '../../interrupt.ts';
import { readLimit } from '../../option-readers.ts';
import { print, printRows } from '../../print.ts';
import { Installations } from '../../remote/installation.ts';
import { parseRemote, type RemoteLocation } from '../../remote/location.ts';
import { escapeForTerminal } from '../../remote/text.ts';
import { prefixNotFound } from '../../report.ts';

const COLUMNS = ['id', 'key', 'reason', 'deleted', 'until', 'fsize', 'type', 'hash'];
const MAX_IN_CALL = 1000;

interface TrashOptions {
  readonly json?: boolean;
}

interface UndeleteOptions extends TrashOptions {
  readonly id?: string;
  readonly as?: string;
  readonly recursive?: boolean;
}

type Work<O> = (
  at: { client: Client; place: RemoteLocation; signal: AbortSignal },
  options: O,
) => Promise<void>;

export function addTrash(program: Command): void {
  const trash = program
    .command('trash')
    .description('list what was deleted or replaced in a bucket, and bring it back');
  trash
    .command('list')
    .description('list what can be brought back, by key, the latest first')
    .argument('<place>', '[alias]:bucket, or [alias]:bucket/beginning-of-keys')
    .option('--limit <n>', 'maximum number of results', readLimit, 1000)
    .option('--json', 'one JSON object per line')
    .action(at(list));
  trash
    .command('undelete')
    .description('bring objects back; nothing that exists is replaced')
    .argument('<place>', '[alias]:bucket/key')
    .option('-r, --recursive', 'the latest of every key that begins with this')
    .option('--id <id>', 'this version, from `millpond trash list`; default: the latest')
    .option('--as <key>', 'bring it back under this key')
    .option('--json', 'one JSON object per line')
    .action(at(undelete));
}

function at<O>(work: Work<O>): (name: string, options: O) => Promise<void> {
  return async (name, options) => {
    const place = parseRemote(name);
    try {
      const client = new Installations().client(place.alias);
      await work({ client, place, signal: interruptSignal() }, options);
    } catch (error) {
      throw prefixNotFound(name, error);
    }
  };
}

const list: Work<TrashOptions & { limit: number }> = async ({ client, place, signal }, options) => {
  const rows: TrashedObject[] = [];
  for await (const row of client.trash.list(place.bucket, { prefix: place.key, signal })) {
    rows.push(row);
    if (rows.length === options.limit) break;
  }
  printRows(
    options,
    rows.map((row) => ({ ...row })),
    COLUMNS,
  );
};

const undelete: Work<UndeleteOptions> = async ({ client, place, signal }, options) => {
  if (options.recursive && (options.id !== undefined || options.as !== undefined))
    throw new UsageError('--recursive cannot be combined with --id or --as');
  if (!options.recursive && place.key === '')
    throw new UsageError('give a key, or --recursive for all that the bucket has in the trash');
  const found = options.recursive ? latest(client, place, signal) : one(client, place, options, signal);
  const counts = { back: 0, refused: 0 };
  for await (const ids of inBatches(found)) {
    const ended = await client.trash.undelete(place.bucket, ids, { as: options.as, signal });
    for (const item of ended) {
      counts[item.error === undefined ? 'back' : 'refused']++;
      report(options, item);
    }
  }
  if (counts.refused > 0) process.exitCode = exitCodes.partial;
};

/** The newest of each key; the list has it first. */
async function* latest(
  client: Client,
  { bucket, key }: RemoteLocation,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let last: string | undefined;
  for await (const row of client.trash.list(bucket, { prefix: key, signal })) {
    if (row.key !== last) yield row.id;
    last = row.key;
  }
}

async function* one(
  client: Client,
  { bucket, key }: RemoteLocation,
  { id }: UndeleteOptions,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for await (const row of client.trash.list(bucket, { prefix: key, signal })) {
    if (row.key !== key) break;
    if (id === undefined || row.id === id) return yield row.id;
  }
  throw new NotFoundError(
    id === undefined ? `the trash has no version of ${key}` : `the trash has no version ${id} of ${key}`,
  );
}

async function* inBatches(ids: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const id of ids) {
    if (batch.push(id) < MAX_IN_CALL) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function report(options: TrashOptions, item: Undeleted): void {
  const name = escapeForTerminal(item.key ?? item.id);
  if (item.error !== undefined && !options.json)
    process.stderr.write(`${name}: ${escapeForTerminal(item.error)}\n`);
  else print(options, item, `${name} is back`);
}
