/** Accounts, their keys, children and tokens, and usage. HTTPS only; account calls need a root key. */
import { type Caller, type CallOptions, queryText } from './caller.ts';
import { itemsOf } from './pages.ts';
import type {
  AccessKeyRecord,
  AccountRecord,
  AuditEntry,
  ChildKeys,
  KeyKind,
  KeyLimits,
  NewKey,
  TokenPair,
  UsageRecord,
  WebhookSecret,
} from './records.ts';

export interface AuditFilter extends CallOptions {
  /** ISO 8601, or unix seconds. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  readonly actor?: string | undefined;
  readonly reqid?: string | undefined;
}

/** What a new key may do, said one way or the other: nothing is allowed by leaving it out. */
export type NewKeyRights = { readonly note?: string | undefined } & (
  | { readonly kind: KeyKind; readonly limits?: KeyLimits | undefined }
  | { readonly kind?: KeyKind | undefined; readonly limits: KeyLimits }
);

export class Accounts {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  info(options: CallOptions = {}): Promise<AccountRecord> {
    return this.#caller.json({ role: 'api', target: '/v1/user/info', repeatable: true, ...options });
  }

  children(options: CallOptions & { offset?: number; limit?: number } = {}): Promise<AccountRecord[]> {
    const { signal, ...fields } = options;
    return this.#caller.json({
      role: 'api',
      method: 'GET',
      target: `/v1/user/children${queryText(fields)}`,
      signal,
    });
  }

  createChild(email: string, password: string, options: CallOptions = {}): Promise<AccountRecord> {
    return this.#post('/v1/user/create_child', { email, password }, options);
  }

  disableChild(uid: number, reason: string, options: CallOptions = {}): Promise<AccountRecord> {
    return this.#post('/v1/user/disable_child', { uid, reason }, options);
  }

  enableChild(uid: number, options: CallOptions = {}): Promise<AccountRecord> {
    return this.#post('/v1/user/enable_child', { uid }, options);
  }

  /** With their secrets; each access is recorded. */
  childKeys(child: { uid: number } | { email: string }, options: CallOptions = {}): Promise<ChildKeys> {
    const target = `/v1/user/child_key${queryText(child)}`;
    return this.#caller.json({ role: 'api', method: 'GET', target, ...options });
  }

  /** The account's own access keys, with when they were last used and without their secrets. */
  keys(options: CallOptions = {}): Promise<AccessKeyRecord[]> {
    return this.#caller.json({ role: 'api', method: 'GET', target: '/v1/user/keys', ...options });
  }

  /**
   * An account has at most two without limits, for which the kind must be said, and a hundred with them. Keep the secret: it is
   * not shown again.
   */
  createKey({ kind, limits, note, ...options }: CallOptions & NewKeyRights): Promise<NewKey> {
    const form = {
      ...(kind && { kind }),
      ...(limits && { limits: JSON.stringify(limits) }),
      ...(note && { note }),
    };
    return this.#post('/v1/user/create_key', form, options);
  }

  /** All limits of the key from now on; `unlimited` takes them away. Not possible for the key that signs the call. */
  limitKey(
    key: string,
    limits: KeyLimits | 'unlimited',
    options: CallOptions = {},
  ): Promise<AccessKeyRecord> {
    const text = limits === 'unlimited' ? limits : JSON.stringify(limits);
    return this.#post('/v1/user/limit_key', { key, limits: text }, options);
  }

  /** Not possible for the key that signs the call. */
  disableKey(key: string, options: CallOptions = {}): Promise<AccessKeyRecord> {
    return this.#post('/v1/user/disable_key', { key }, options);
  }

  enableKey(key: string, options: CallOptions = {}): Promise<AccessKeyRecord> {
    return this.#post('/v1/user/enable_key', { key }, options);
  }

  /** The key must be disabled. */
  deleteKey(key: string, options: CallOptions = {}): Promise<void> {
    return this.#caller.sendEmpty({ role: 'api', target: '/v1/user/delete_key', form: { key }, ...options });
  }

  /** One page of the audit log, from the marker of the page before. */
  auditPage({
    signal,
    ...filter
  }: AuditFilter & { marker?: string | undefined; limit?: number | undefined }): Promise<{
    items: AuditEntry[];
    marker?: string;
  }> {
    return this.#caller.json({
      role: 'api',
      method: 'GET',
      target: `/v1/audit${queryText(filter)}`,
      signal,
    });
  }

  /** What the account and its children did that concerns security, newest first, page by page. */
  audit({ signal, ...filter }: AuditFilter = {}): AsyncGenerator<AuditEntry, void> {
    return itemsOf<AuditEntry>((marker) => {
      const target = `/v1/audit${queryText({ ...filter, marker, limit: 1000 })}`;
      return this.#caller.json({ role: 'api', method: 'GET', target, signal });
    });
  }

  /** The secrets that verify callbacks, notifications and events, newest first. Each access is recorded. */
  webhookSecrets(options: CallOptions = {}): Promise<WebhookSecret[]> {
    return this.#caller.json({ role: 'api', method: 'GET', target: '/v1/user/webhook_secrets', ...options });
  }

  /** A new secret. For `keepOld` seconds, by default a day, both sign. */
  exchangeWebhookSecret({
    keepOld,
    ...options
  }: CallOptions & { keepOld?: number } = {}): Promise<WebhookSecret[]> {
    const form = keepOld === undefined ? {} : { keep_old: keepOld };
    return this.#post('/v1/user/exchange_webhook_secret', form, options);
  }

  /** The first authorization. Needs no other credential. */
  login(username: string, password: string, options: CallOptions = {}): Promise<TokenPair> {
    return this.#token({ grant_type: 'password', username, password }, options);
  }

  /** A new access token; keep the refresh token that comes with it. */
  refresh(refreshToken: string, options: CallOptions = {}): Promise<TokenPair> {
    return this.#token({ grant_type: 'refresh_token', refresh_token: refreshToken }, options);
  }

  /** Days as `YYYY-MM-DD`. */
  usage(options: CallOptions & { bucket?: string; from?: string; to?: string } = {}): Promise<UsageRecord> {
    const { signal, ...fields } = options;
    return this.#caller.json({ role: 'api', method: 'GET', target: `/v1/usage${queryText(fields)}`, signal });
  }

  #post<T>(target: string, form: Record<string, string | number>, options: CallOptions): Promise<T> {
    return this.#caller.json({ role: 'api', target, form, ...options });
  }

  #token(form: Record<string, string>, options: CallOptions): Promise<TokenPair> {
    return this.#caller.json({ role: 'auth', target: '/oauth2/token', form, open: true, ...options });
  }
}
