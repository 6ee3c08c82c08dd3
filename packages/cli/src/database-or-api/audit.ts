/** The audit log as `millpond audit` shows it: all of it for an operator, their own acts and their children's for a user. */
import type { Client } from '@millpond/client/server';
import type { OperatorTools } from '@millpond/server';
import type { Row } from '../print.ts';
import { firstOf, type Sources } from './source.ts';

interface AuditQuery {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  readonly action: string | undefined;
  readonly actor: string | undefined;
  readonly target: string | undefined;
  readonly reqid: string | undefined;
}

interface AuditSource {
  search(account: string | undefined, query: AuditQuery, limit: number): Promise<Row[]>;
}

export const auditSources: Sources<AuditSource> = { operator: allActs, user: ownActs };

function allActs({ accounts }: OperatorTools): AuditSource {
  return {
    async search(account, query, limit) {
      const uid = account === undefined ? undefined : (await accounts.byEmail(account)).uid;
      const rows = await accounts.audit({ ...query, uid, limit });
      return rows.map((row) => ({ ...row }));
    },
  };
}

function ownActs({ accounts }: Client, signal: AbortSignal): AuditSource {
  return {
    async search(_account, { since, until, ...filter }, limit) {
      const times = { since: since?.toISOString(), until: until?.toISOString() };
      const found = await firstOf(accounts.audit({ ...filter, ...times, signal }), limit);
      return found.map(({ uid, ...entry }) => ({ ...entry, actor_uid: uid ?? null }));
    },
  };
}
