/** `millpond access-token`: log-ins by password, each with its tokens, and ending them. */
import type { Command } from 'commander';
import { UsageError } from '../exit.ts';
import { interruptSignal } from '../interrupt.ts';
import { print, printRows } from '../print.ts';
import { AT_OPTION, clientAt } from '../remote/installation.ts';
import { prefixNotFound } from '../report.ts';

const COLUMNS = ['id', 'address', 'begun', 'renewed', 'expires'];

interface TokenOptions {
  readonly at?: string;
  readonly json?: boolean;
}

export function addAccessToken(program: Command): void {
  const parent = program
    .command('access-token')
    .description('show log-ins by password, and end them with their tokens');
  const own = (name: string, description: string) =>
    parent
      .command(name)
      .description(description)
      .option(...AT_OPTION)
      .option('--json', 'one JSON object per line');
  own('list', 'list log-ins whose tokens can still be used, newest first').action(
    async (options: TokenOptions) => {
      const rows = await clientAt(options.at).accessTokens.list({ signal: interruptSignal() });
      printRows(
        options,
        rows.map((row) => ({ ...row })),
        COLUMNS,
      );
    },
  );
  own('end', 'end a log-in, or all: their tokens are refused within 5 s')
    .argument('[id]', 'id of the log-in')
    .option('--all', 'all log-ins of the account')
    .action(end);
}

async function end(id: string | undefined, options: TokenOptions & { all?: boolean }): Promise<void> {
  if ((id === undefined) !== (options.all === true))
    throw new UsageError('give the id of a log-in, or --all');
  const { accessTokens } = clientAt(options.at);
  const signal = interruptSignal();
  if (id === undefined) {
    await accessTokens.endAll({ signal });
    print(options, { ended: true }, 'all log-ins are ended');
    return;
  }
  await accessTokens.end(id, { signal }).catch((error: unknown) => {
    throw prefixNotFound(id, error);
  });
  print(options, { id, ended: true }, `${id} is ended`);
}
