/** The audit log, at the `api` host: an account sees its own acts and those of its children, an operator all. */
import { Fault, type WirePage, type WireRecord } from '@millpond/protocol';
import { jsonAnswer, type Route } from '../../platform/web/index.ts';
import { type AccountCalls, accountRoute } from './account-call.ts';
import { type Parameters, queryOf } from './accounts.parameters.ts';
import type { Accounts } from './accounts.service.ts';
import type { Audit, AuditFilter, AuditPlace, AuditRow } from './audit.store.ts';
import { isForAll } from './operators.ts';

const MOST_LISTED = 1000;

export function auditRoutes(audit: Audit, accounts: Accounts, calls: AccountCalls): Route[] {
  return [
    accountRoute('GET', '/v1/audit', async (call) => {
      const { uid } = await calls.rootKey(call);
      const query = queryOf(call);
      const limit = query.integer('limit', { least: 1, most: MOST_LISTED, fallback: 100 });
      const filter = filterOf(query);
      const names = await accounts.namesInAudit(filter);
      const { rows, next } = await audit.page(
        { ...filter, ...names, uid: isForAll(call) ? undefined : uid },
        limit,
        placeOf(query.optional('marker')),
      );
      return jsonAnswer<WirePage<'AuditEntry'>>({
        items: rows.map(entryOf),
        marker: next && `${next.micros}.${next.id}`,
      });
    }),
  ];
}

function filterOf(query: Parameters): AuditFilter {
  const given = (name: string) => query.optional(name) || undefined;
  return {
    since: query.time('since'),
    until: query.time('until'),
    action: given('action'),
    actor: given('actor'),
    target: given('target'),
    reqid: given('reqid'),
  };
}

function placeOf(marker: string | undefined): AuditPlace | undefined {
  if (!marker) return undefined;
  const [, micros, id] = /^(\d{1,16})\.(\d{1,18})$/.exec(marker) ?? [];
  if (micros === undefined || id === undefined)
    throw new Fault('badRequest', { hint: 'marker must be that of the page before' });
  return { micros: BigInt(micros), id: BigInt(id) };
}

function entryOf(row: AuditRow): WireRecord<'AuditEntry'> {
  const { action, result, actor, address, target, reqid } = row;
  const uid = row.actor_uid === null ? undefined : Number(row.actor_uid);
  return { at: row.at.toISOString(), action, result, actor, uid, address, target, reqid };
}
