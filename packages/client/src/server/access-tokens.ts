/** Log-ins by password, each with its refresh token and access tokens, and ending them. HTTPS only; needs a root key. */
import type { Caller, CallOptions } from './caller.ts';
import { pathOf } from './paths.ts';
import type { TokenGrant } from './records.ts';

export class AccessTokens {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Newest first. */
  async list(options: CallOptions = {}): Promise<TokenGrant[]> {
    const { items } = await this.#caller.json<{ items: TokenGrant[] }>({
      role: 'api',
      method: 'GET',
      target: '/v1/access-tokens',
      ...options,
    });
    return items;
  }

  /** Within 5 s everywhere. */
  end(id: string, options: CallOptions = {}): Promise<void> {
    const target = pathOf`/v1/access-tokens/${id}`;
    return this.#caller.sendEmpty({ role: 'api', method: 'DELETE', target, ...options });
  }

  endAll(options: CallOptions = {}): Promise<void> {
    return this.#caller.sendEmpty({
      role: 'api',
      method: 'DELETE',
      target: '/v1/access-tokens',
      repeatable: true,
      ...options,
    });
  }
}
