/** Access keys as `millpond key` shows them: of any account for an operator, of their own for a user. */
import type { AccessKeyRecord, Client, KeyKind } from '@millpond/client/server';
import type { KeyLimits } from '@millpond/protocol';
import type { OperatorTools } from '@millpond/server';
import { UsageError } from '../exit.ts';
import type { Sources } from './source.ts';

export interface KeyRights {
  readonly kind: KeyKind;
  readonly limits: KeyLimits | undefined;
  readonly note?: string | undefined;
}

export interface MadeKey {
  readonly email?: string;
  readonly kind: KeyKind;
  readonly accessKey: string;
  readonly secretKey: string;
}

export interface KeyView {
  readonly access_key: string;
  readonly kind: KeyKind;
  readonly is_enabled: boolean;
  readonly created_at: Date;
  readonly limits?: KeyLimits | undefined;
  /** To the minute. */
  readonly last_used?: Date;
  readonly last_address?: string;
  readonly note?: string;
}

export interface KeySource {
  create(account: string | undefined, rights: KeyRights): Promise<MadeKey>;
  list(account: string | undefined): Promise<KeyView[]>;
  /** Undefined takes all limits away. */
  setLimits(accessKey: string, limits: KeyLimits | undefined): Promise<void>;
  setEnabled(accessKey: string, isEnabled: boolean): Promise<void>;
  remove(accessKey: string): Promise<void>;
}

export const keySources: Sources<KeySource> = { operator: anyKeys, user: ownKeys };

function anyKeys({ accounts, actor }: OperatorTools): KeySource {
  const uidOf = async (email: string | undefined): Promise<bigint> => {
    if (email === undefined)
      throw new UsageError('give the e-mail of an account, or --at to use an access key');
    return (await accounts.byEmail(email)).uid;
  };
  return {
    async create(email, { kind, limits, note }) {
      const uid = await uidOf(email);
      const made = await accounts.createKey(uid, { kind, limits, note }, actor);
      return { ...(email === undefined ? {} : { email }), kind, ...made };
    },
    list: async (email) =>
      (await accounts.keysOf(await uidOf(email))).map(
        ({ access_key, kind, is_enabled, created_at, limits, last_used, last_address, note }) => ({
          access_key,
          kind,
          is_enabled,
          created_at,
          ...(limits === null ? {} : { limits: limits as KeyLimits }),
          ...(last_used && { last_used }),
          ...(last_address && { last_address }),
          ...(note && { note }),
        }),
      ),
    setLimits: (accessKey, limits) => accounts.setKeyLimits(accessKey, limits, actor),
    setEnabled: (accessKey, isEnabled) => accounts.setKeyEnabled(accessKey, isEnabled, actor),
    remove: (accessKey) => accounts.deleteKey(accessKey, actor),
  };
}

function ownKeys({ accounts }: Client, signal: AbortSignal): KeySource {
  return {
    async create(_account, { kind, limits, note }) {
      const made = await accounts.createKey({ signal, kind, limits, note });
      return { kind: made.kind, accessKey: made.key, secretKey: made.secret };
    },
    list: async () => (await accounts.keys({ signal })).map(shownKey),
    async setLimits(accessKey, limits) {
      await accounts.limitKey(accessKey, limits ?? 'unlimited', { signal });
    },
    async setEnabled(accessKey, isEnabled) {
      if (isEnabled) await accounts.enableKey(accessKey, { signal });
      else await accounts.disableKey(accessKey, { signal });
    },
    remove: (accessKey) => accounts.deleteKey(accessKey, { signal }),
  };
}

function shownKey({
  key,
  kind,
  state,
  created,
  limits,
  lastUsed,
  lastAddress,
  note,
}: AccessKeyRecord): KeyView {
  return {
    access_key: key,
    kind,
    is_enabled: state === 0,
    created_at: new Date(created),
    ...(limits && { limits }),
    ...(lastUsed && { last_used: new Date(lastUsed) }),
    ...(lastAddress && { last_address: lastAddress }),
    ...(note && { note }),
  };
}
