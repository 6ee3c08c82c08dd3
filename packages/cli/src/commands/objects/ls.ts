/** `millpond ls`: buckets, and objects as a stream: a million keys need no more memory than ten. */
import type { BucketRecord, Client, ListEntry } from '@millpond/client/server';
import type { Command } from 'commander';
import { NotFoundError, UsageError } from '../../exit.ts';
import { interruptSignal } from '../../interrupt.ts';
import { readNumber } from '../../option-readers.ts';
import { jsonText } from '../../print.ts';
import { Installations } from '../../remote/installation.ts';
import { formatRemote, parseLocation, type RemoteLocation } from '../../remote/location.ts';
import { escapeForTerminal, timeText } from '../../remote/text.ts';
import { prefixNotFound } from '../../report.ts';
import { restoreText } from '../../storage-classes.ts';

interface LsOptions {
  readonly recursive?: boolean;
  readonly limit?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const FLUSH_CHARACTERS = 64 * 1024;
const SIZE_WIDTH = 14;

export function addLs(program: Command): void {
  program
    .command('ls')
    .description('list buckets, or the objects in one')
    .argument('[place]', '[alias]: for buckets, [alias]:bucket[/prefix] for objects', ':')
    .option(
      '-r, --recursive',
      'list every key that begins with the prefix instead of folders: `a` shows a.txt, a/b and ab/c',
    )
    .option('--limit <n>', 'maximum number of results', readNumber(1, 999_999_999))
    .option('--json', 'one JSON object per line')
    .option('--quiet', 'names only')
    .action(async (text: string, options: LsOptions) => {
      const location = parseLocation(text);
      if (location.kind !== 'remote')
        throw new UsageError(`${text} is not a remote place: write :${text} or <alias>:${text}`);
      const output = new Output();
      const look = { client: new Installations().client(location.alias), signal: interruptSignal(), output };
      if (location.bucket === '') await listBuckets(look, options);
      else await listObjects(look, location, options);
      await output.flush();
    });
}

interface Look {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly output: Output;
}

async function listBuckets({ client, signal, output }: Look, options: LsOptions): Promise<void> {
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  for await (const bucket of client.buckets.list({ signal })) {
    await output.line(bucketLine(bucket, options));
    if (--left === 0) return;
  }
}

async function listObjects(
  { client, signal, output }: Look,
  place: RemoteLocation,
  options: LsOptions,
): Promise<void> {
  const delimiter = options.recursive ? undefined : '/';
  const query = { prefix: place.key, delimiter, limit: options.limit, signal };
  let isEmpty = true;
  try {
    for await (const entries of client.objects.listChunks(place.bucket, query)) {
      if (entries.length === 0) continue;
      isEmpty = false;
      await output.line(entries.map((entry) => lineOf(entry, options)).join('\n'));
    }
  } catch (error) {
    throw prefixNotFound(formatRemote({ ...place, key: '' }), error);
  }
  if (isEmpty && place.key !== '')
    throw new NotFoundError(`no key begins with ${escapeForTerminal(formatRemote(place))}`);
}

function bucketLine(bucket: BucketRecord, { json, quiet }: LsOptions): string {
  if (json) return jsonText(bucket);
  if (quiet) return bucket.name;
  return `${bucket.ctime}  ${bucket.private ? 'private' : 'public '}  ${bucket.name}`;
}

function lineOf({ item, dir }: ListEntry, { json, quiet }: LsOptions): string {
  if (item === undefined) {
    if (json) return jsonText({ dir });
    return quiet
      ? escapeForTerminal(dir)
      : `${'DIR'.padStart(SIZE_WIDTH)}  ${' '.repeat(24)}  ${escapeForTerminal(dir)}`;
  }
  if (json) return jsonText(item);
  if (quiet) return escapeForTerminal(item.key);
  const state = restoreText(item);
  const end = state === undefined ? '' : `  ${state}`;
  return `${String(item.fsize).padStart(SIZE_WIDTH)}  ${timeText(item.putTime)}  ${escapeForTerminal(item.key)}${end}`;
}

/** Writes lines in large pieces, no faster than they are consumed. */
class Output {
  #held = '';

  async line(text: string): Promise<void> {
    this.#held += `${text}\n`;
    if (this.#held.length >= FLUSH_CHARACTERS) await this.flush();
  }

  async flush(): Promise<void> {
    const piece = this.#held;
    this.#held = '';
    if (piece !== '' && !process.stdout.write(piece))
      await new Promise<void>((resolve) => process.stdout.once('drain', resolve));
  }
}
