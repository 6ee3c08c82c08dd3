/**
 * People of an identity provider. Who has joined an account is known by issuer and subject from then on: an address can be given to
 * somebody else, at the provider as here. Joining by address is for accounts that an operator made or invites to, because a tenant can
 * register anybody's address.
 */
import { foldEmail } from '@millpond/protocol';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { type Actor, auditActorFields } from '../account-changes.ts';
import type { AccountRow } from '../accounts.store.ts';
import type { Audit, AuditAction, AuditOrigin } from '../audit.store.ts';
import type { Identity, IdentityRow, IdentityStore, Joining } from './identity.store.ts';

export interface IdentityDeps {
  readonly control: Database;
  readonly store: IdentityStore;
  readonly audit: Audit;
}

/** `notInvited`: nobody joins the account by its address. `others`: somebody else has joined by this address. */
export type JoinOutcome = 'joined' | 'notInvited' | 'others';

export class Identities {
  readonly #deps: IdentityDeps;

  constructor(deps: IdentityDeps) {
    this.#deps = deps;
  }

  find(identity: Identity): Promise<IdentityRow | undefined> {
    return this.#deps.store.find(identity);
  }

  ofAccount(uid: bigint): Promise<IdentityRow[]> {
    return this.#deps.store.ofAccount(uid);
  }

  /** `address`: verified by the provider. */
  async join(
    identity: Identity,
    account: AccountRow,
    by: Pick<Joining, 'address' | 'isListed' | 'isCertain'>,
    origin: AuditOrigin,
  ): Promise<JoinOutcome> {
    const { control, store, audit } = this.#deps;
    const { issuer, subject } = identity;
    const joining = { ...by, issuer, subject, uid: account.uid, address: foldEmail(by.address) };
    const outcome = await control.transaction(async (transaction) => {
      const joined = await store.join(joining, transaction);
      if (joined === 'joined') {
        const act = {
          action: 'identity.join',
          actor: `console:${by.address}`,
          actorUid: account.uid,
        } as const;
        await audit.record({ ...origin, ...act, target: account.email, result: 'ok' }, transaction);
      }
      return joined;
    });
    if (outcome !== 'taken') return outcome;
    // They themselves, a moment ago in another window, or somebody else.
    return (await store.find(identity))?.uid === account.uid ? 'joined' : 'others';
  }

  /** The next person whose verified address is the account's may join it, though a tenant made it. */
  invite(account: AccountRow, actor: Actor): Promise<void> {
    return this.#change(account, actor, 'identity.invite', async (store, transaction) => {
      await store.invite(account.uid, transaction);
      return true;
    }).then(() => undefined);
  }

  /** They have to join anew; sessions of the account that the provider opened end. False if there is no such person. */
  remove(account: AccountRow, subject: string, actor: Actor): Promise<boolean> {
    return this.#change(account, actor, 'identity.remove', async (store, transaction) => {
      if (!(await store.remove(account.uid, subject, transaction))) return false;
      await store.endSessions(account.uid, transaction);
      return true;
    });
  }

  #change(
    account: AccountRow,
    actor: Actor,
    action: AuditAction,
    change: (store: IdentityStore, transaction: Transaction) => Promise<boolean>,
  ): Promise<boolean> {
    const { control, store, audit } = this.#deps;
    return control.transaction(async (transaction) => {
      const isDone = await change(store, transaction);
      const act = { ...auditActorFields(actor), action, target: account.email, result: 'ok' };
      if (isDone) await audit.record(act, transaction);
      return isDone;
    });
  }
}
