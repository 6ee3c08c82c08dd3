/** The end of accounts: closed by the operator, and removed after the grace period. */
import type { Database } from '../../platform/db/database.ts';
import { type Actor, auditActorFields, requireAccount } from './account-changes.ts';
import type { AccountRow, AccountStore } from './accounts.store.ts';
import type { Audit } from './audit.store.ts';

export interface AccountClosingDeps {
  readonly control: Database;
  readonly store: AccountStore;
  readonly audit: Audit;
}

export class AccountClosing {
  readonly #deps: AccountClosingDeps;

  constructor(deps: AccountClosingDeps) {
    this.#deps = deps;
  }

  /** Disabled at once with its children; their objects and the accounts themselves are removed after the grace period. */
  async close(uid: bigint, actor: Actor): Promise<AccountRow[]> {
    const { control, store, audit } = this.#deps;
    const account = requireAccount(await store.byUid(uid));
    return control.transaction(async (transaction) => {
      const rows = await store.close(uid, transaction);
      const act = {
        ...auditActorFields(actor),
        action: 'account.close',
        target: account.email,
        result: 'ok',
      } as const;
      await audit.record(act, transaction);
      return rows;
    });
  }

  closedLongAgo(days: number, most: number, region: string): Promise<AccountRow[]> {
    return this.#deps.store.closedLongAgo(days, most, region);
  }

  isLongClosed(uid: bigint, days: number): Promise<boolean> {
    return this.#deps.store.isLongClosed(uid, days);
  }

  /** False if the account is not closed, or has a bucket in some region. */
  async remove(account: AccountRow, actor: Actor): Promise<boolean> {
    const { store, audit } = this.#deps;
    if (!(await store.remove(account.uid))) return false;
    await audit.record({
      ...auditActorFields(actor),
      action: 'account.remove',
      target: account.email,
      result: 'ok',
    });
    return true;
  }
}
