/** Accounts as operators see them, with what they store. */
import { Fault, type WirePage, type WireRecord } from '@millpond/protocol';
import { type Accounts, operatorOf } from '../../identity/accounts/index.ts';
import { type Call, formFields, jsonAnswer, queryFields, type Route } from '../../platform/web/index.ts';
import type { Buckets } from '../buckets/index.ts';
import type { Usage } from './usage.service.ts';

const MOST_LISTED = 100;
const LONGEST_TEXT = 512;

export interface OperatorRouteDeps {
  readonly accounts: Accounts;
  readonly buckets: Buckets;
  readonly usage: Usage;
}

export function operatorRoutes({ accounts, buckets, usage }: OperatorRouteDeps): Route[] {
  const route = (method: 'GET' | 'POST', path: string, handle: (call: Call) => Promise<object>): Route => ({
    role: 'api',
    methods: [method],
    path: `/v1/operator/accounts${path}`,
    errors: 'account',
    async handle(call) {
      operatorOf(call);
      return jsonAnswer(await handle(call), { headers: { 'cache-control': 'no-store' } });
    },
  });
  const setDisabled = (isDisabled: boolean) => async (call: Call) => {
    const { uid, ownUid, actor } = operatorOf(call);
    await call.readBody();
    const reason = textIn(formFields(call, 'badRequest'), 'reason');
    const account = await accounts.byUid(uidOf(call.segment('uid')));
    if (isDisabled && account.uid === ownUid)
      throw new Fault('badRequest', { hint: 'this is your own account: it would end your session' });
    call.isAudited = true;
    const by = { uid, name: actor, address: call.peer.address, reqid: call.reqid };
    return accountRecord(await accounts.setDisabled(account.uid, isDisabled, reason, by));
  };
  return [
    route('GET', '', async (call): Promise<WirePage<'OperatorAccount'>> => {
      const query = queryFields(call, 'badRequest');
      const [begins, marker] = [textIn(query, 'begins') ?? '', textIn(query, 'marker') ?? ''];
      const limit = limitOf(query);
      const rows = await accounts.page(begins, marker, limit);
      const held = await usage.ofAccounts(await buckets.idsOf(rows.map(({ uid }) => uid)));
      return {
        items: rows.map((row) => ({
          ...accountRecord(row),
          operator: row.is_operator,
          created: row.created_at.toISOString(),
          ...(held.get(row.uid) ?? { buckets: 0, bytes: 0, objects: 0 }),
        })),
        marker: rows.length === limit ? rows.at(-1)?.email : undefined,
      };
    }),
    route('POST', '/:uid/disable', setDisabled(true)),
    route('POST', '/:uid/enable', setDisabled(false)),
  ];
}

type AccountRow = Awaited<ReturnType<Accounts['byUid']>>;

function accountRecord(row: AccountRow): WireRecord<'Account'> {
  return {
    userid: row.email,
    uid: Number(row.uid),
    parent_uid: Number(row.parent_uid),
    email: row.email,
    is_disabled: row.is_disabled,
  };
}

function limitOf(query: URLSearchParams): number {
  const text = query.get('limit') ?? String(MOST_LISTED);
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MOST_LISTED)
    throw new Fault('badRequest', { hint: `limit must be a whole number from 1 to ${MOST_LISTED}` });
  return limit;
}

function textIn(fields: URLSearchParams, name: string): string | undefined {
  const text = fields.get(name) ?? undefined;
  if (text !== undefined && (text.length > LONGEST_TEXT || text.includes('\0')))
    throw new Fault('badRequest', { hint: `${name} may have at most ${LONGEST_TEXT} characters and no NUL` });
  return text === '' ? undefined : text;
}

/** What is no number is nobody's. */
function uidOf(text: string): bigint {
  return /^\d{1,18}$/.test(text) ? BigInt(text) : 0n;
}
