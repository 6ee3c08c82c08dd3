/**
 * Log-ins by password, as their account sees them: each has a refresh token and the access tokens made from it. Ending one
 * refuses them all, everywhere within the time that tokens are remembered.
 */
import type { Database } from '../../../platform/db/database.ts';
import { type Actor, auditActorFields } from '../account-changes.ts';
import type { Audit } from '../audit.store.ts';
import type { GrantRow, TokenStore } from './token.store.ts';

export interface TokenGrantDeps {
  readonly control: Database;
  readonly store: TokenStore;
  readonly audit: Audit;
}

const GRANT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export class TokenGrants {
  readonly #deps: TokenGrantDeps;

  constructor(deps: TokenGrantDeps) {
    this.#deps = deps;
  }

  /** Newest first. */
  list(uid: bigint): Promise<GrantRow[]> {
    return this.#deps.store.ofAccount(uid);
  }

  /** False if the account has no such log-in. */
  async end(uid: bigint, id: string, actor: Actor): Promise<boolean> {
    if (!GRANT_ID.test(id)) return false;
    return this.#ended(actor, id, async (transaction) => {
      const isEnded = await this.#deps.store.endOne(uid, id, transaction);
      return isEnded ? 1 : 0;
    }).then((count) => count > 0);
  }

  /** Returns how many. */
  endAll(uid: bigint, actor: Actor): Promise<number> {
    return this.#ended(actor, 'all', (transaction) => this.#deps.store.revokeAll(uid, transaction));
  }

  #ended(
    actor: Actor,
    target: string,
    end: (transaction: Parameters<TokenStore['revokeAll']>[1]) => Promise<number>,
  ): Promise<number> {
    const { control, audit } = this.#deps;
    return control.transaction(async (transaction) => {
      const count = await end(transaction);
      if (count > 0)
        await audit.record(
          { ...auditActorFields(actor), action: 'token.end', target, result: 'ok' },
          transaction,
        );
      return count;
    });
  }
}
