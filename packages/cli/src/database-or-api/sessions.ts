/** Sessions of the console as `millpond session` shows them: of any account for an operator, of their own for a user. */
import type { Client } from '@millpond/client/server';
import type { OperatorTools } from '@millpond/server';
import { UsageError } from '../exit.ts';
import type { Sources } from './source.ts';

export interface SessionView {
  readonly id: string;
  readonly name: string;
  readonly how: string;
  readonly address: string;
  readonly agent: string;
  readonly begun: Date;
  readonly last_used: Date;
  readonly expires: Date;
  readonly access_key?: string | undefined;
}

export interface SessionSource {
  list(account: string | undefined): Promise<SessionView[]>;
  end(account: string | undefined, id: string): Promise<void>;
  endAll(account: string | undefined): Promise<void>;
}

export const sessionSources: Sources<SessionSource> = { operator: anySessions, user: ownSessions };

function anySessions({ accounts, sessions, actor }: OperatorTools): SessionSource {
  const uidOf = async (email: string | undefined): Promise<bigint> => {
    if (email === undefined)
      throw new UsageError('give the e-mail of an account, or --at to use an access key');
    return (await accounts.byEmail(email)).uid;
  };
  return {
    list: async (email) =>
      (await sessions.list(await uidOf(email))).map((row) => ({
        id: row.session_id,
        name: row.name,
        how: row.how,
        address: row.address,
        agent: row.agent,
        begun: row.begun_at,
        last_used: row.last_used_at,
        expires: row.idle_until,
        access_key: row.access_key ?? undefined,
      })),
    async end(email, id) {
      if (!(await sessions.end(await uidOf(email), id, actor)))
        throw new UsageError(`the account has no session ${id}: \`millpond session list\` shows them`);
    },
    async endAll(email) {
      await sessions.endOthers(await uidOf(email), undefined, actor);
    },
  };
}

function ownSessions({ sessions }: Client, signal: AbortSignal): SessionSource {
  return {
    list: async () =>
      (await sessions.list({ signal })).map((row) => ({
        id: row.id,
        name: row.name,
        how: row.how,
        address: row.address,
        agent: row.agent,
        begun: new Date(row.begun),
        last_used: new Date(row.lastUsed),
        expires: new Date(row.expires),
        access_key: row.accessKey,
      })),
    end: (_account, id) => sessions.end(id, { signal }),
    endAll: () => sessions.endOthers({ signal }),
  };
}
