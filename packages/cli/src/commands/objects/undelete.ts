/** `millpond undelete`: brings back what was deleted or overwritten, as long as the trash keeps it. */
import type { OperatorTools } from '@millpond/server';
import type { Command } from 'commander';
import { exitCodes, UsageError } from '../../exit.ts';
import { type OperatorOptions, operatorCommand, withTools } from '../../operator.ts';
import { readLimit, readTime } from '../../option-readers.ts';
import { print, printRows } from '../../print.ts';

type Deleted = Awaited<ReturnType<OperatorTools['undelete']['bringBack']>>;

interface UndeleteOptions extends OperatorOptions {
  readonly list?: boolean;
  readonly all?: boolean;
  readonly prefix?: string;
  readonly since?: Date;
  readonly before?: Date;
  readonly asOf?: Date;
  readonly to?: string;
  readonly force?: boolean;
  readonly limit: number;
}

const COLUMNS = ['key', 'reason', 'trashed_at', 'fsize', 'hash', 'mime_type'];

export function addUndelete(program: Command): void {
  operatorCommand(
    program,
    'undelete',
    'bring back what was deleted or overwritten while the trash still has it',
  )
    .argument('<bucket>')
    .argument('[key]', 'the object; it gets its last content and metadata')
    .option('--as-of <time>', 'bring back what the key had at this time, ISO 8601', readTime)
    .option('--to <key>', 'bring it back under this key')
    .option('--force', 'replace the object that is there now, which goes to the trash')
    .option('--all', 'bring back every key that has no object now')
    .option('--list', 'only list what can be brought back, by key, latest first')
    .option('--prefix <text>', 'with --all and --list: keys that begin with this')
    .option('--since <time>', 'with --all and --list: deleted or overwritten at or after this time', readTime)
    .option('--before <time>', 'with --all and --list: deleted or overwritten before this time', readTime)
    .option('--limit <n>', 'with --list: maximum number of results', readLimit, 1000)
    .action(run);
}

async function run(bucket: string, key: string | undefined, options: UndeleteOptions): Promise<void> {
  if (options.list) return showDeleted(bucket, key, options);
  if (options.all) {
    if (key !== undefined || options.force || options.asOf !== undefined || options.to !== undefined)
      throw new UsageError('--all cannot be combined with a key, --as-of, --to or --force');
    return bringBackAll(bucket, options);
  }
  if (key === undefined) throw new UsageError('give a key, or --all, or --list');
  await withTools(options, async ({ undelete }) => {
    const { asOf, to, force = false } = options;
    const row = shownRow(await undelete.bringBack(bucket, key, { at: asOf, to, force }));
    const name = to ?? key;
    print(options, { ...row, key: name }, `${name} is back: ${row.fsize} bytes, ${row.hash}`);
  });
}

async function showDeleted(
  bucket: string,
  key: string | undefined,
  { prefix, since, before, limit, ...options }: UndeleteOptions,
): Promise<void> {
  await withTools(options, async ({ undelete }) => {
    const rows = await undelete.list(bucket, { key, prefix, since, before }, limit);
    printRows(options, rows.map(shownRow), COLUMNS);
  });
}

async function bringBackAll(
  bucket: string,
  { prefix, since, before, ...options }: UndeleteOptions,
): Promise<void> {
  await withTools(options, async ({ undelete }) => {
    const result = await undelete.bringBackAll(bucket, { prefix, since, before }, ({ key }, refusal) =>
      process.stderr.write(
        refusal === undefined ? `${key}\n` : `${key}: ${refusal.hint ?? refusal.message}\n`,
      ),
    );
    print(options, result, `${result.back} objects are back`);
    if (result.refused > 0) process.exitCode = exitCodes.partial;
  });
}

/** The row number in the trash means nothing to users. */
function shownRow({ key, reason, trashed_at, fsize, hash, mime_type }: Deleted) {
  return { key, reason, trashed_at, fsize, hash, mime_type };
}
