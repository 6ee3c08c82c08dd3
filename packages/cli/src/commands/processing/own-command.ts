/** Commands on what processes the objects of an account: with its access key, and --json. */
import type { Processing } from '@millpond/client/server';
import type { Command } from 'commander';
import { interruptSignal } from '../../interrupt.ts';
import { print, printRows } from '../../print.ts';
import { AT_OPTION, clientAt } from '../../remote/installation.ts';
import { prefixNotFound } from '../../report.ts';

export interface OwnOptions {
  readonly at?: string;
  readonly json?: boolean;
}

type Calling = { readonly signal: AbortSignal };

export function accountCommand(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option(...AT_OPTION)
    .option('--json', 'one JSON object per line');
}

/** A subcommand that lists all of them. */
export function addOwnList(
  parent: Command,
  description: string,
  columns: readonly string[],
  list: (processing: Processing, calling: Calling) => Promise<readonly object[]>,
): void {
  accountCommand(parent, 'list', description).action(async (options: OwnOptions) => {
    const rows = await list(clientAt(options.at).processing, { signal: interruptSignal() });
    printRows(
      options,
      rows.map((row) => ({ ...row })),
      columns,
    );
  });
}

/** A subcommand that deletes one of them. */
export function addOwnDelete(
  parent: Command,
  description: string,
  [argument, what]: readonly [string, string],
  remove: (processing: Processing, name: string, calling: Calling) => Promise<void>,
): void {
  accountCommand(parent, 'delete', description)
    .argument(`<${argument}>`, what)
    .action(async (name: string, options: OwnOptions) => {
      await onOne(name, options.at, (processing, calling) => remove(processing, name, calling));
      print(options, { [argument]: name }, `${name} is deleted`);
    });
}

/** An error of the work says which one it was about. */
export async function onOne<T>(
  name: string,
  at: string | undefined,
  work: (processing: Processing, calling: Calling) => Promise<T>,
): Promise<T> {
  try {
    return await work(clientAt(at).processing, { signal: interruptSignal() });
  } catch (error) {
    throw prefixNotFound(name, error);
  }
}
