/** `millpond key`: access keys of any account for operators, of their own for users, and their limits. */
import type { KeyKind } from '@millpond/client/server';
import type { KeyLimits } from '@millpond/protocol';
import { type Command, Option } from 'commander';
import { type KeyRights, type KeySource, type KeyView, keySources } from '../database-or-api/keys.ts';
import { operatorOrUserCommand, type SourceOptions, withSource } from '../database-or-api/source.ts';
import { UsageError } from '../exit.ts';
import { type LimitOptions, limitsOf, limitsText, withLimitOptions } from '../key-limits.ts';
import { keyPrinter } from '../key-printer.ts';
import { print, printRows } from '../print.ts';

type CreateOptions = SourceOptions & LimitOptions & { kind?: KeyKind; note?: string; export?: boolean };
type Limiting = SourceOptions & LimitOptions & { unlimited?: boolean };

export function addKey(program: Command): void {
  const key = program
    .command('key')
    .description('create, list, limit, disable, enable and delete access keys');
  withLimitOptions(
    operatorOrUserCommand(key, 'create', 'create an access key; its secret is shown only once')
      .argument('[email]', 'e-mail of the account; for operators')
      .addOption(
        new Option(
          '--kind <kind>',
          'whether it may make account calls; needed for a key without limits',
        ).choices(['root', 'user']),
      )
      .option('--note <text>', 'what it is for, in at most 100 characters')
      .option('--export', 'print shell commands for eval'),
  ).action(async (email: string | undefined, options: CreateOptions) => {
    const limits = limitsOf(options);
    const rights = { ...rightsOf(options.kind, limits), note: options.note };
    const printKey = keyPrinter(options);
    await ofAccount(email, options, async (source) => {
      const made = await source.create(email, rights);
      printKey({ ...made, ...(limits && { limits }) });
    });
  });
  operatorOrUserCommand(
    key,
    'list',
    'list the access keys of an account, their limits, and when they were last used',
  )
    .argument('[email]', 'e-mail of the account; for operators')
    .action((email: string | undefined, options: SourceOptions) =>
      ofAccount(email, options, async (source) => printKeys(options, await source.list(email))),
    );
  withLimitOptions(
    operatorOrUserCommand(key, 'limit', 'set what a key may do; limits that are not given are taken away')
      .argument('<access-key>')
      .option('--unlimited', 'take all limits away'),
  ).action(async (accessKey: string, options: Limiting) => {
    const limits = limitsOf(options);
    if ((limits === undefined) !== (options.unlimited === true))
      throw new UsageError('give at least one limit, or --unlimited');
    await withSource(options, keySources, async (source) => {
      await source.setLimits(accessKey, limits);
      const words = limits === undefined ? 'has no limits' : `is limited: ${limitsText(limits)}`;
      print(
        options,
        { accessKey, limits: limits ?? {} },
        `${accessKey} ${words}; this takes effect within 5 s`,
      );
    });
  });
  operatorOrUserCommand(key, 'disable', 'refuse a key')
    .argument('<access-key>')
    .action((accessKey: string, options: SourceOptions) => setEnabled(accessKey, false, options));
  operatorOrUserCommand(key, 'enable', 'accept a key again')
    .argument('<access-key>')
    .action((accessKey: string, options: SourceOptions) => setEnabled(accessKey, true, options));
  operatorOrUserCommand(key, 'delete', 'delete a disabled key, so that its account can have another')
    .argument('<access-key>')
    .action((accessKey: string, options: SourceOptions) =>
      withSource(options, keySources, async (source) => {
        await source.remove(accessKey);
        print(options, { accessKey, deleted: true }, `${accessKey} is deleted`);
      }),
    );
}

/** A key that may do everything is made where somebody says so, and not where nothing was said. */
function rightsOf(
  kind: KeyKind | undefined,
  limits: KeyLimits | undefined,
): Pick<KeyRights, 'kind' | 'limits'> {
  if (limits !== undefined) return { kind: kind ?? 'user', limits };
  if (kind === undefined)
    throw new UsageError(
      'say what the key may do: limits, such as --bucket photos --may read,list; or --kind root for a key that may do everything its account may, --kind user for everything but account calls',
    );
  return { kind, limits };
}

function ofAccount(
  email: string | undefined,
  options: SourceOptions,
  use: (source: KeySource) => Promise<void>,
): Promise<void> {
  const account = email === undefined ? {} : { account: email };
  return withSource({ ...options, ...account }, keySources, use, 'one account');
}

function printKeys(options: SourceOptions, keys: readonly KeyView[]): void {
  if (options.json) for (const key of keys) print(options, key, '');
  else {
    const rows = keys.map(({ limits, ...key }) => ({ ...key, limits: limitsText(limits) }));
    const columns = [
      'access_key',
      'kind',
      'is_enabled',
      'created_at',
      'last_used',
      'last_address',
      'limits',
      'note',
    ];
    printRows(options, rows, columns);
  }
}

async function setEnabled(accessKey: string, isEnabled: boolean, options: SourceOptions): Promise<void> {
  await withSource(options, keySources, async (source) => {
    await source.setEnabled(accessKey, isEnabled);
    const state = isEnabled ? 'enabled' : 'disabled';
    print(options, { accessKey, isEnabled }, `${accessKey} is ${state}; this takes effect within 5 s`);
  });
}
