/** Accounts, their children and tokens, and usage. HTTPS only; account calls need a root key. */
import { type Caller, type CallOptions, queryText } from './caller.ts';
import type { AccountRecord, TokenPair, UsageRecord } from './records.ts';

export interface ChildKeys {
  readonly key: string;
  readonly secret: string;
  readonly state?: number;
  readonly key2?: string;
  readonly secret2?: string;
  readonly state2?: number;
}

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

  /** With their secrets; each look is recorded. */
  childKeys(child: { uid: number } | { email: string }, options: CallOptions = {}): Promise<ChildKeys> {
    const target = `/v1/user/child_key${queryText(child)}`;
    return this.#caller.json({ role: 'api', method: 'GET', target, ...options });
  }

  /** First authorization. Needs no credential but these. */
  login(username: string, password: string, options: CallOptions = {}): Promise<TokenPair> {
    return this.#token({ grant_type: 'password', username, password }, options);
  }

  /** A new access token; keep the refresh token that comes with it. */
  refresh(refreshToken: string, options: CallOptions = {}): Promise<TokenPair> {
    return this.#token({ grant_type: 'refresh_token', refresh_token: refreshToken }, options);
  }

  /** Days as `YYYY-MM-DD`. */
  usage(
    options: CallOptions & { bucket?: string; from?: string; to?: string } = {},
  ): Promise<UsageRecord & { buckets?: readonly UsageRecord[] }> {
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
