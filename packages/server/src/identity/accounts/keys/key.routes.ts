/** Account calls about the caller's own access keys, at the `api` host. */
import { decodeJson, Fault, type KeyLimits, parseKeyLimits, type WireRecord } from '@millpond/protocol';
import { emptyResponse, jsonResponse, type RequestContext, type Route } from '../../../platform/web/index.ts';
import { type AccountApiAuth, accountRoute, actorOf } from '../account-api-auth.ts';
import { formOf } from '../accounts.parameters.ts';
import type { KeyKind, KeyRow } from './key.store.ts';
import { keyState } from './keys.ts';
import type { OwnKeys } from './own-keys.ts';

const UNLIMITED = 'unlimited';

export function keyRoutes(ownKeys: OwnKeys, calls: AccountApiAuth): Route[] {
  const setEnabled = (isEnabled: boolean) => async (context: RequestContext) => {
    const key = await calls.rootKey(context);
    const accessKey = formOf(context).required('key');
    return jsonResponse(
      keyRecord(await ownKeys.setEnabled(key, accessKey, isEnabled, actorOf(key, context))),
    );
  };

  return [
    accountRoute('GET', '/v1/user/keys', async (context) =>
      jsonResponse((await ownKeys.list((await calls.rootKey(context)).uid)).map(keyRecord)),
    ),
    accountRoute('POST', '/v1/user/create_key', async (context) => {
      const key = await calls.rootKey(context);
      const form = formOf(context);
      const limits = limitsOf(form.optional('limits'));
      const kind = kindOf(form.optional('kind'), limits);
      const note = form.optional('note') || undefined;
      const made = await ownKeys.create(key, { kind, limits, note }, actorOf(key, context));
      return jsonResponse<WireRecord<'NewAccessKey'>>({
        key: made.accessKey,
        secret: made.secretKey,
        kind,
        limits: limits && limitsRecord(limits),
        note,
      });
    }),
    accountRoute('POST', '/v1/user/limit_key', async (context) => {
      const key = await calls.rootKey(context);
      const form = formOf(context);
      const limits = limitsOf(form.required('limits'));
      return jsonResponse(
        keyRecord(await ownKeys.setLimits(key, form.required('key'), limits, actorOf(key, context))),
      );
    }),
    accountRoute('POST', '/v1/user/disable_key', setEnabled(false)),
    accountRoute('POST', '/v1/user/enable_key', setEnabled(true)),
    accountRoute('POST', '/v1/user/delete_key', async (context) => {
      const key = await calls.rootKey(context);
      await ownKeys.remove(key, formOf(context).required('key'), actorOf(key, context));
      return emptyResponse();
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
