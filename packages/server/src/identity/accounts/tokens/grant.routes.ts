/** Calls about the account's own log-ins by password, at the `api` host. */
import { Fault, type WireRecord } from '@millpond/protocol';
import { emptyResponse, jsonResponse, type RequestContext, type Route } from '../../../platform/web/index.ts';
import { type AccountApiAuth, actorOf } from '../account-api-auth.ts';
import type { AccountCaller } from '../authenticate.ts';
import { forbidStoring } from '../transport.ts';
import type { GrantRow } from './token.store.ts';
import type { TokenGrants } from './token-grants.ts';

export function grantRoutes(grants: TokenGrants, calls: AccountApiAuth): Route[] {
  const caller = (context: RequestContext): Promise<AccountCaller> => {
    forbidStoring(context);
    return calls.rootKey(context);
  };
  return [
    {
      role: 'api',
      methods: ['GET'],
      path: '/v1/access-tokens',
      async handle(context) {
        const { uid } = await caller(context);
        const items = (await grants.list(uid)).map(grantRecord);
        return jsonResponse<{ items: WireRecord<'TokenGrant'>[] }>({ items });
      },
    },
    {
      role: 'api',
      methods: ['DELETE'],
      path: '/v1/access-tokens',
      async handle(context) {
        const key = await caller(context);
        await grants.endAll(key.uid, actorOf(key, context));
        return emptyResponse();
      },
    },
    {
      role: 'api',
      methods: ['DELETE'],
      path: '/v1/access-tokens/:id',
      async handle(context) {
        const key = await caller(context);
        if (!(await grants.end(key.uid, context.segment('id'), actorOf(key, context))))
          throw new Fault('recordNotFound', { hint: 'the account has no such log-in' });
        return emptyResponse();
      },
    },
  ];
}

function grantRecord(row: GrantRow): WireRecord<'TokenGrant'> {
  return {
    id: row.family_id,
    address: row.address ?? undefined,
    begun: row.created_at.toISOString(),
    renewed: row.renewed_at?.toISOString(),
    expires: row.expires_at.toISOString(),
  };
}
