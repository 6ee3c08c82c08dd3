/** Calls about the account's own sessions of the console, at the `api` host. */
import { Fault, type WireRecord } from '@millpond/protocol';
import { type Call, emptyAnswer, jsonAnswer, type Route } from '../../../platform/web/index.ts';
import { type AccountCalls, actorOf } from '../account-call.ts';
import type { AccountCaller } from '../authenticate.ts';
import { forbidStoring } from '../transport.ts';
import type { SessionRow } from './sessions.store.ts';
import type { Sessions } from './sessions.ts';

export function sessionRoutes(sessions: Sessions, calls: AccountCalls): Route[] {
  const caller = (call: Call): Promise<AccountCaller> => {
    forbidStoring(call);
    return calls.rootKey(call);
  };
  return [
    {
      role: 'api',
      methods: ['GET'],
      path: '/v1/sessions',
      async handle(call) {
        const { uid, sessionId } = await caller(call);
        const rows = await sessions.list(uid);
        return jsonAnswer<{ items: WireRecord<'Session'>[] }>({
          items: rows.map((row) => sessionRecord(row, sessionId)),
        });
      },
    },
    {
      role: 'api',
      methods: ['DELETE'],
      path: '/v1/sessions',
      async handle(call) {
        const key = await caller(call);
        await sessions.endOthers(key.uid, key.sessionId, actorOf(key, call));
        return emptyAnswer();
      },
    },
    {
      role: 'api',
      methods: ['DELETE'],
      path: '/v1/sessions/:id',
      async handle(call) {
        const key = await caller(call);
        if (!(await sessions.end(key.uid, call.segment('id'), actorOf(key, call))))
          throw new Fault('recordNotFound', { hint: 'the account has no such session' });
        return emptyAnswer();
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
