/** `millpond session`: who is signed in at the console, and ending that. */
import type { Command } from 'commander';
import { type SessionSource, sessionSources } from '../database-or-api/sessions.ts';
import { operatorOrUserCommand, type SourceOptions, withSource } from '../database-or-api/source.ts';
import { UsageError } from '../exit.ts';
import { print, printRows } from '../print.ts';

const COLUMNS = ['id', 'name', 'how', 'address', 'begun', 'last_used', 'expires', 'access_key', 'agent'];

export function addSession(program: Command): void {
  const session = program
    .command('session')
    .description('show who is signed in at the console, and end sessions');
  operatorOrUserCommand(session, 'list', 'list the sessions of an account, newest first')
    .argument('[email]', 'e-mail of the account; for operators')
    .action((account: string | undefined, options: SourceOptions) =>
      ofAccount({ ...options, ...(account !== undefined && { account }) }, async (source) =>
        printRows(
          options,
          (await source.list(account)).map((row) => ({ ...row })),
          COLUMNS,
        ),
      ),
    );
  operatorOrUserCommand(session, 'end', 'end a session, or all of an account; within 5 s everywhere')
    .argument('[id]', 'id of the session')
    .option('--all', 'all sessions of the account')
    .option('--account <email>', 'of this account; for operators')
    .action((id: string | undefined, options: SourceOptions & { all?: boolean }) => {
      if ((id === undefined) !== (options.all === true))
        throw new UsageError('give the id of a session, or --all');
      return ofAccount(options, async (source) => {
        if (id === undefined) await source.endAll(options.account);
        else await source.end(options.account, id);
        const words = id === undefined ? 'all sessions are ended' : `${id} is ended`;
        print(options, { ...(id !== undefined && { id }), ended: true }, words);
      });
    });
}

function ofAccount(options: SourceOptions, use: (source: SessionSource) => Promise<void>): Promise<void> {
  return withSource(options, sessionSources, use, 'one account');
}
