/** Account calls, at the `api` host: HTTPS only, signed with a root key; children calls by parent accounts only. */
import { Fault } from '@millpond/protocol';
import { type Rate, RateLimit } from '../../platform/rate-limit.ts';
import { type Call, jsonAnswer, type Route } from '../../platform/web/index.ts';
import type { Actor } from './account-changes.ts';
import type { AccessKey } from './keyring.ts';
import { formOf, queryOf } from './parameters.ts';
import type { Accounts } from './service.ts';
import type { AccountRow } from './store.ts';
import { forbidStoring, requireTls } from './transport.ts';

export interface AccountRouteParts {
  readonly accounts: Accounts;
  readonly authenticate: (call: Call) => Promise<AccessKey>;
  readonly plainHttp: boolean;
  readonly rate: Rate;
}

const MOST_CHILDREN = 1000;
const MAX_OFFSET = 1_000_000_000;

export function accountRoutes({ accounts, authenticate, plainHttp, rate }: AccountRouteParts): Route[] {
  const perAccount = new RateLimit(rate, 'failedRequest');
  async function rootKey(call: Call): Promise<AccessKey> {
    requireTls(call, plainHttp);
    const key = await authenticate(call);
    perAccount.take(String(key.uid));
    if (key.kind !== 'root')
      throw new Fault('permissionDenied', { hint: 'this call needs a root access key' });
    return key;
  }
  async function parentKey(call: Call): Promise<AccessKey> {
    const key = await rootKey(call);
    if (key.parentUid !== 0n)
      throw new Fault('permissionDenied', { hint: 'this call is for parent accounts' });
    return key;
  }
  const route = (
    method: 'GET' | 'POST',
    paths: readonly string[],
    handle: (call: Call) => Promise<unknown>,
  ): Route[] =>
    paths.map((path) => ({
      role: 'api',
      methods: [method],
      path,
      errors: 'account',
      async handle(call) {
        forbidStoring(call);
        return jsonAnswer(await handle(call));
      },
    }));
  const setDisabled = (isDisabled: boolean) => async (call: Call) => {
    const key = await parentKey(call);
    const form = formOf(call);
    const uid = uidOf(form.required('uid'));
    const reason = isDisabled ? form.required('reason') : form.optional('reason');
    return accountRecord(
      await accounts.children.setDisabled(key.uid, uid, isDisabled, reason, actorOf(key, call)),
    );
  };

  return [
    ...route('POST', ['/v1/user/info'], async (call) =>
      accountRecord(await accounts.byUid((await rootKey(call)).uid)),
    ),
    ...route('GET', ['/v1/user/children'], async (call) => {
      const key = await parentKey(call);
      const query = queryOf(call);
      const offset = query.integer('offset', { least: 0, most: MAX_OFFSET, fallback: 0 });
      const limit = query.integer('limit', { least: 1, most: MOST_CHILDREN, fallback: MOST_CHILDREN });
      return (await accounts.children.list(key.uid, offset, limit)).map(accountRecord);
    }),
    ...route('POST', ['/v1/user/create_child'], async (call) => {
      const key = await parentKey(call);
      const form = formOf(call);
      const [email, password] = [form.required('email'), form.required('password')];
      return accountRecord(await accounts.children.create(key.uid, email, password, actorOf(key, call)));
    }),
    ...route('POST', ['/v1/user/disable_child', '/v1/user/disable-child'], setDisabled(true)),
    ...route('POST', ['/v1/user/enable_child', '/v1/user/enable-child'], setDisabled(false)),
    ...route('GET', ['/v1/user/child_key'], async (call) => {
      const key = await parentKey(call);
      const query = queryOf(call);
      const email = query.optional('email');
      const child = email === undefined ? { uid: uidOf(query.required('uid')) } : { email };
      return accounts.children.keys(key.uid, child, actorOf(key, call));
    }),
  ];
}

function accountRecord(row: AccountRow): object {
  return {
    userid: row.email,
    uid: Number(row.uid),
    parent_uid: Number(row.parent_uid),
    email: row.email,
    is_disabled: row.is_disabled,
  };
}

function actorOf(key: AccessKey, call: Call): Actor {
  return { uid: key.uid, name: key.accessKey, address: call.peer.address, reqid: call.reqid };
}

function uidOf(text: string): bigint {
  if (!/^\d{1,18}$/.test(text)) throw new Fault('badRequest', { hint: 'uid is a whole number' });
  return BigInt(text);
}
