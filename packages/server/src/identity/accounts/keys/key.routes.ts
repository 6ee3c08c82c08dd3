/** Account calls about the caller's own access keys, at the `api` host. */
import { decodeJson, Fault, type KeyLimits, parseKeyLimits, type WireRecord } from '@millpond/protocol';
import { type Call, emptyAnswer, jsonAnswer, type Route } from '../../../platform/web/index.ts';
import { type AccountCalls, accountRoute, actorOf } from '../account-call.ts';
import { formOf } from '../accounts.parameters.ts';
import type { KeyKind, KeyRow } from './key.store.ts';
import { keyState } from './keys.ts';
import type { OwnKeys } from './own-keys.ts';

const UNLIMITED = 'unlimited';

export function keyRoutes(ownKeys: OwnKeys, calls: AccountCalls): Route[] {
  const setEnabled = (isEnabled: boolean) => async (call: Call) => {
    const key = await calls.rootKey(call);
    const accessKey = formOf(call).required('key');
    return jsonAnswer(keyRecord(await ownKeys.setEnabled(key, accessKey, isEnabled, actorOf(key, call))));
  };

  return [
    accountRoute('GET', '/v1/user/keys', async (call) =>
      jsonAnswer((await ownKeys.list((await calls.rootKey(call)).uid)).map(keyRecord)),
    ),
    accountRoute('POST', '/v1/user/create_key', async (call) => {
      const key = await calls.rootKey(call);
      const form = formOf(call);
      const limits = limitsOf(form.optional('limits'));
      const kind = kindOf(form.optional('kind'), limits);
      const note = form.optional('note') || undefined;
      const made = await ownKeys.create(key, { kind, limits, note }, actorOf(key, call));
      return jsonAnswer<WireRecord<'NewAccessKey'>>({
        key: made.accessKey,
        secret: made.secretKey,
        kind,
        limits: limits && limitsRecord(limits),
        note,
      });
    }),
    accountRoute('POST', '/v1/user/limit_key', async (call) => {
      const key = await calls.rootKey(call);
      const form = formOf(call);
      const limits = limitsOf(form.required('limits'));
      return jsonAnswer(
        keyRecord(await ownKeys.setLimits(key, form.required('key'), limits, actorOf(key, call))),
      );
    }),
    accountRoute('POST', '/v1/user/disable_key', setEnabled(false)),
    accountRoute('POST', '/v1/user/enable_key', setEnabled(true)),
    accountRoute('POST', '/v1/user/delete_key', async (call) => {
      const key = await calls.rootKey(call);
      await ownKeys.remove(key, formOf(call).required('key'), actorOf(key, call));
      return emptyAnswer();
    }),
  ];
}

function keyRecord(row: KeyRow): WireRecord<'AccessKey'> {
  return {
    key: row.access_key,
    kind: row.kind,
    state: keyState(row),
    created: row.created_at.toISOString(),
    limits: row.limits === null ? undefined : limitsRecord(row.limits),
    lastUsed: row.last_used?.toISOString(),
    lastAddress: row.last_address ?? undefined,
    note: row.note ?? undefined,
  };
}

/** What the database holds was read by `parseKeyLimits`. */
function limitsRecord(limits: unknown): WireRecord<'KeyLimits'> {
  return limits as WireRecord<'KeyLimits'>;
}

/** A parameter in JSON, or the word that takes all limits away. */
function limitsOf(text: string | undefined): KeyLimits | undefined {
  if (text === undefined || text === UNLIMITED) return undefined;
  return parseKeyLimits(decodeJson(Buffer.from(text)));
}

/** A key that may do everything is made where somebody says so, and not where nothing was said. */
function kindOf(text: string | undefined, limits: KeyLimits | undefined): KeyKind {
  if (text === undefined && limits !== undefined) return 'user';
  if (text === undefined)
    throw new Fault('missingParameter', {
      hint: 'limits; or kind, root or user, for a key without limits',
    });
  if (text !== 'root' && text !== 'user')
    throw new Fault('badRequest', { hint: 'kind must be root or user' });
  return text;
}
