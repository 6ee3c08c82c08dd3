/** Accounts as operators see them, with what they store. */
import { Fault, type WirePage, type WireRecord } from '@millpond/protocol';
import { type Accounts, operatorOf } from '../../identity/accounts/index.ts';
import {
  formFields,
  jsonResponse,
  queryFields,
  type RequestContext,
  type Route,
} from '../../platform/web/index.ts';
import type { Buckets } from '../buckets/index.ts';
import type { Usage } from './usage.service.ts';

const MAX_LISTED = 100;
const MAX_TEXT_LENGTH = 512;

export interface OperatorRouteDeps {
  readonly accounts: Accounts;
  readonly buckets: Buckets;
  readonly usage: Usage;
}

export function operatorRoutes({ accounts, buckets, usage }: OperatorRouteDeps): Route[] {
  const route = (
    method: 'GET' | 'POST',
    path: string,
    handle: (context: RequestContext) => Promise<object>,
  ): Route => ({
    role: 'api',
    methods: [method],
    path: `/v1/operator/accounts${path}`,
    errors: 'account',
    async handle(context) {
      operatorOf(context);
      return jsonResponse(await handle(context), { headers: { 'cache-control': 'no-store' } });
    },
  });
  const setDisabled = (isDisabled: boolean) => async (context: RequestContext) => {
    const { uid, ownUid, actor } = operatorOf(context);
    await context.readBody();
    const reason = textIn(formFields(context, 'badRequest'), 'reason');
    const account = await accounts.byUid(uidOf(context.segment('uid')));
    if (isDisabled && account.uid === ownUid)
      throw new Fault('badRequest', { hint: 'this is your own account: it would end your session' });
    context.isAudited = true;
    const by = { uid, name: actor, address: context.peer.address, reqid: context.reqid };
    return accountRecord(await accounts.setDisabled(account.uid, isDisabled, reason, by));
  };
  return [
    route('GET', '', async (context): Promise<WirePage<'OperatorAccount'>> => {
      const query = queryFields(context, 'badRequest');
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
  const text = query.get('limit') ?? String(MAX_LISTED);
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LISTED)
    throw new Fault('badRequest', { hint: `limit must be a whole number from 1 to ${MAX_LISTED}` });
  return limit;
}

function textIn(fields: URLSearchParams, name: string): string | undefined {
  const text = fields.get(name) ?? undefined;
  if (text !== undefined && (text.length > MAX_TEXT_LENGTH || text.includes('\0')))
    throw new Fault('badRequest', {
      hint: `${name} may have at most ${MAX_TEXT_LENGTH} characters and no NUL`,
    });
  return text === '' ? undefined : text;
}

/** What is no number is nobody's. */
function uidOf(text: string): bigint {
  return /^\d{1,18}$/.test(text) ? BigInt(text) : 0n;
}
