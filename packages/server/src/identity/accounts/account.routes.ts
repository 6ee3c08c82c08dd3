/** Account calls about an account and its children, at the `api` host; children calls are for parent accounts only. */
import { Fault, type WireRecord } from '@millpond/protocol';
import { jsonResponse, type RequestContext, type Route } from '../../platform/web/index.ts';
import { MAX_CHILDREN_LISTED } from '../limits.ts';
import { type AccountApiAuth, accountRoute, actorOf } from './account-api-auth.ts';
import { formOf, queryOf } from './accounts.parameters.ts';
import type { Accounts } from './accounts.service.ts';
import type { AccountRow } from './accounts.store.ts';

const MAX_OFFSET = 1_000_000_000;

export function accountRoutes(accounts: Accounts, calls: AccountApiAuth): Route[] {
  const { children } = accounts;
  const setDisabled = (isDisabled: boolean) => async (context: RequestContext) => {
    const key = await calls.parentKey(context);
    const form = formOf(context);
    const uid = uidOf(form.required('uid'));
    const reason = isDisabled ? form.required('reason') : form.optional('reason');
    const row = await children.setDisabled(key.uid, uid, isDisabled, reason, actorOf(key, context));
    return jsonResponse(accountRecord(row));
  };

  return [
    accountRoute('POST', '/v1/user/info', async (context) =>
      jsonResponse(accountRecord(await accounts.byUid((await calls.rootKey(context)).uid))),
    ),
    accountRoute('GET', '/v1/user/children', async (context) => {
      const key = await calls.parentKey(context);
      const query = queryOf(context);
      const offset = query.integer('offset', { least: 0, most: MAX_OFFSET, fallback: 0 });
      const limit = query.integer('limit', {
        least: 1,
        most: MAX_CHILDREN_LISTED,
        fallback: MAX_CHILDREN_LISTED,
      });
      return jsonResponse((await children.list(key.uid, offset, limit)).map(accountRecord));
    }),
    accountRoute('POST', '/v1/user/create_child', async (context) => {
      const key = await calls.parentKey(context);
      const form = formOf(context);
      const [email, password] = [form.required('email'), form.required('password')];
      return jsonResponse(
        accountRecord(await children.create(key.uid, email, password, actorOf(key, context))),
      );
    }),
    ...['/v1/user/disable_child', '/v1/user/disable-child'].map((path) =>
      accountRoute('POST', path, setDisabled(true)),
    ),
    ...['/v1/user/enable_child', '/v1/user/enable-child'].map((path) =>
      accountRoute('POST', path, setDisabled(false)),
    ),
    accountRoute('GET', '/v1/user/child_key', async (context) => {
      const key = await calls.parentKey(context);
      const query = queryOf(context);
      const email = query.optional('email');
      const child = email === undefined ? { uid: uidOf(query.required('uid')) } : { email };
      return jsonResponse(await children.keys(key.uid, child, actorOf(key, context)));
    }),
  ];
}

function accountRecord(row: AccountRow): WireRecord<'Account'> {
  return {
    userid: row.email,
    uid: Number(row.uid),
    parent_uid: Number(row.parent_uid),
    email: row.email,
    is_disabled: row.is_disabled,
  };
}

function uidOf(text: string): bigint {
  if (!/^\d{1,18}$/.test(text)) throw new Fault('badRequest', { hint: 'uid must be a whole number' });
  return BigInt(text);
}
