/** Account changes that operators and parents share: creating and disabling. Each is audited in its own transaction. */
import { Fault, isEmailAddress } from '@millpond/protocol';
import type { Database, Transaction } from '../../platform/db/database.ts';
import type { Audit, AuditAction, Origin } from './audit-store.ts';
import type { Keys, NewKey } from './keys/keys.ts';
import type { AccountRow, AccountStore } from './store.ts';
import type { Passwords } from './tokens/passwords.ts';

export interface AccountChangeDeps {
  readonly control: Database;
  readonly store: AccountStore;
  readonly keys: Keys;
  readonly passwords: Passwords;
  readonly audit: Audit;
}

/** The acting party: an account with one of its keys, or the operator. */
export interface Actor extends Origin {
  readonly uid?: bigint;
  readonly name: string;
}

export interface FirstThings {
  /** Its first root key; generated unless given, and only development gives one. */
  readonly key?: NewKey | undefined;
  /** What else it starts with. If that fails, no account is created. */
  readonly also?: ((account: AccountRow, transaction: Transaction) => Promise<void>) | undefined;
}

export async function insertAccount(
  { control, store, keys, passwords, audit }: AccountChangeDeps,
  account: FirstThings & { email: string; password: string | undefined; parentUid: bigint },
  actor: Actor,
  action: AuditAction,
): Promise<{ account: AccountRow; key: NewKey }> {
  const { email, password, parentUid } = account;
  if (!isEmailAddress(email))
    throw new Fault('invalidEmail', { hint: 'an address must look like ada@example.com' });
  const passwordHash = password === undefined ? undefined : await passwords.hashNew(password);
  return control.transaction(async (transaction) => {
    const row = await store.insert({ email, parentUid, passwordHash }, transaction);
    if (row === undefined) throw new Fault('recordExists', { hint: `${email} already has an account` });
    const key = await keys.create(row.uid, { kind: 'root' }, transaction, account.key);
    await audit.record({ ...recordOf(actor), action, target: email, result: 'ok' }, transaction);
    await account.also?.(row, transaction);
    return { account: row, key };
  });
}

export async function setAccountDisabled(
  { control, store, audit }: AccountChangeDeps,
  account: AccountRow,
  change: { readonly isDisabled: boolean; readonly by: 'operator' | 'parent' },
  reason: string | undefined,
  actor: Actor,
  action: AuditAction,
): Promise<AccountRow> {
  return control.transaction(async (transaction) => {
    const row = found(await store.setDisabled(account.uid, change, reason, transaction));
    await audit.record({ ...recordOf(actor), action, target: account.email, result: 'ok' }, transaction);
    return row;
  });
}

export function found(row: AccountRow | undefined, hint?: string): AccountRow {
  if (row === undefined) throw new Fault('recordNotFound', hint === undefined ? {} : { hint });
  return row;
}

/** What the audit log records about the actor. */
export function recordOf(actor: Actor): Origin & { actor: string; actorUid: bigint | undefined } {
  return { actor: actor.name, actorUid: actor.uid, address: actor.address, reqid: actor.reqid };
}
