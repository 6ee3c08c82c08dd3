/** `millpond usage`: what accounts store and request; and recounting it. */
import type { Command } from 'commander';
import { operatorOrUserCommand, type SourceOptions, withSource } from '../database-or-api/source.ts';
import { type UsageSource, usageSources } from '../database-or-api/usage.ts';
import { type OperatorOptions, operatorCommand, withTools } from '../operator.ts';
import { print, printRows } from '../print.ts';

/** A recount looks at every row of a bucket. */
const RECOUNT_MS = 3_600_000;

interface ShowOptions extends SourceOptions {
  readonly from?: string;
  readonly to?: string;
}

export function addUsage(program: Command): void {
  const usage = program
    .command('usage')
    .description('show what an account stores and how many requests it makes');
  operatorOrUserCommand(usage, 'show', 'show bytes, objects and requests of an account, by bucket', {
    isDefault: true,
  })
    .argument('[email]', 'e-mail of the account; for operators')
    .option('--from <day>', 'first day of the requests, YYYY-MM-DD in UTC (today)')
    .option('--to <day>', 'last day of the requests (today)')
    .action((email: string | undefined, options: ShowOptions) =>
      withSource(
        { ...options, ...(email === undefined ? {} : { account: email }) },
        usageSources,
        (source) => show(source, email, options),
        'one account',
      ),
    );
  operatorCommand(usage, 'recount', 'recount the objects of an account and correct its figures')
    .argument('<email>', 'e-mail of the account')
    .action(async (email: string, options: OperatorOptions) => {
      await withTools(
        options,
        async ({ accounts, bucketsOf, recount }) => {
          const { uid } = await accounts.byEmail(email);
          for (const bucket of await bucketsOf(uid)) {
            const off = await recount(bucket);
            print(
              options,
              { bucket, ...off },
              `${bucket}: off by ${off.bytes} bytes, ${off.objects} objects`,
            );
          }
        },
        { dbTimeout: RECOUNT_MS },
      );
    });
}

async function show(source: UsageSource, email: string | undefined, options: ShowOptions): Promise<void> {
  const found = await source.usage(email, options);
  if (options.json) return print(options, found, '');
  const { bytes, objects, requests } = found;
  const rows = [...(found.buckets ?? []), { bucket: 'total', bytes, objects, requests }].map((row) => ({
    bucket: row.bucket,
    bytes: row.bytes,
    objects: row.objects,
    calls: row.requests.calls,
    downloads: row.requests.downloads,
  }));
  printRows(options, rows, ['bucket', 'bytes', 'objects', 'calls', 'downloads']);
}
