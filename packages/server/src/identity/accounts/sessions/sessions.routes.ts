/** Calls about the account's own sessions of the console, at the `api` host. */
import { Fault, type WireRecord } from '@millpond/protocol';
import { emptyResponse, jsonResponse, type RequestContext, type Route } from '../../../platform/web/index.ts';
import { type AccountApiAuth, actorOf } from '../account-api-auth.ts';
import type { AccountCaller } from '../authenticate.ts';
import { forbidStoring } from '../transport.ts';
import type { SessionRow } from './sessions.store.ts';
import type { Sessions } from './sessions.ts';

export function sessionRoutes(sessions: Sessions, calls: AccountApiAuth): Route[] {
  const caller = (context: RequestContext): Promise<AccountCaller> => {
    forbidStoring(context);
    return calls.rootKey(context);
  };
  return [
    {
      role: 'api',
      methods: ['GET'],
      path: '/v1/sessions',
      async handle(context) {
        const { uid, sessionId } = await caller(context);
        const rows = await sessions.list(uid);
        return jsonResponse<{ items: WireRecord<'Session'>[] }>({
          items: rows.map((row) => sessionRecord(row, sessionId)),
        });
      },
    },
    {
      role: 'api',
      methods: ['DELETE'],
      path: '/v1/sessions',
      async handle(context) {
        const key = await caller(context);
        await sessions.endOthers(key.uid, key.sessionId, actorOf(key, context));
        return emptyResponse();
      },
    },
    {
      role: 'api',
      methods: ['DELETE'],
      path: '/v1/sessions/:id',
      async handle(context) {
        const key = await caller(context);
        if (!(await sessions.end(key.uid, context.segment('id'), actorOf(key, context))))
          throw new Fault('recordNotFound', { hint: 'the account has no such session' });
        return emptyResponse();
      },
    },
  ];
}

function sessionRecord(row: SessionRow, current: string | undefined): WireRecord<'Session'> {
  return {
    id: row.session_id,
    name: row.name,
    how: row.how,
    address: row.address,
    agent: row.agent,
    begun: row.begun_at.toISOString(),
    lastUsed: row.last_used_at.toISOString(),
    expires: row.idle_until.toISOString(),
    accessKey: row.access_key ?? undefined,
    current: row.session_id === current,
  };
}
