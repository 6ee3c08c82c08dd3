/** Calls about the account's own log-ins by password, at the `api` host. */
import { Fault, type WireRecord } from '@millpond/protocol';
import { type Call, emptyAnswer, jsonAnswer, type Route } from '../../../platform/web/index.ts';
import { type AccountCalls, actorOf } from '../account-call.ts';
import type { AccountCaller } from '../authenticate.ts';
import { forbidStoring } from '../transport.ts';
import type { GrantRow } from './token.store.ts';
import type { TokenGrants } from './token-grants.ts';

export function grantRoutes(grants: TokenGrants, calls: AccountCalls): Route[] {
  const caller = (call: Call): Promise<AccountCaller> => {
    forbidStoring(call);
    return calls.rootKey(call);
  };
  return [
    {
      role: 'api',
      methods: ['GET'],
      path: '/v1/access-tokens',
      async handle(call) {
        const { uid } = await caller(call);
        const items = (await grants.list(uid)).map(grantRecord);
        return jsonAnswer<{ items: WireRecord<'TokenGrant'>[] }>({ items });
      },
    },
    {
      role: 'api',
      methods: ['DELETE'],
      path: '/v1/access-tokens',
      async handle(call) {
        const key = await caller(call);
        await grants.endAll(key.uid, actorOf(key, call));
        return emptyAnswer();
      },
    },
    {
      role: 'api',
      methods: ['DELETE'],
      path: '/v1/access-tokens/:id',
      async handle(call) {
        const key = await caller(call);
        if (!(await grants.end(key.uid, call.segment('id'), actorOf(key, call))))
          throw new Fault('recordNotFound', { hint: 'the account has no such log-in' });
        return emptyAnswer();
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
