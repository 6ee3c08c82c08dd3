/** The audit log, at the `api` host: an account sees its own acts and those of its children, an operator all. */
import { Fault, type WirePage, type WireRecord } from '@millpond/protocol';
import { jsonResponse, type Route } from '../../platform/web/index.ts';
import { type AccountApiAuth, accountRoute } from './account-api-auth.ts';
import { type Parameters, queryOf } from './accounts.parameters.ts';
import type { Accounts } from './accounts.service.ts';
import type { Audit, AuditCursor, AuditFilter, AuditRow } from './audit.store.ts';
import { isAllAccountsCall } from './operators.ts';

const MAX_LISTED = 1000;

export function auditRoutes(audit: Audit, accounts: Accounts, calls: AccountApiAuth): Route[] {
  return [
    accountRoute('GET', '/v1/audit', async (context) => {
      const { uid } = await calls.rootKey(context);
      const query = queryOf(context);
      const limit = query.integer('limit', { least: 1, most: MAX_LISTED, fallback: 100 });
      const filter = filterOf(query);
      const names = await accounts.namesInAudit(filter);
      const { rows, next } = await audit.page(
        { ...filter, ...names, uid: isAllAccountsCall(context) ? undefined : uid },
        limit,
        placeOf(query.optional('marker')),
      );
      return jsonResponse<WirePage<'AuditEntry'>>({
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

function placeOf(marker: string | undefined): AuditCursor | undefined {
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
