/** Account changes that operators and parents share: creating and disabling. Each is audited in its own transaction. */
import { Fault, isEmailAddress } from '@millpond/protocol';
import type { Database, Transaction } from '../../platform/db/database.ts';
import { clientNetwork } from '../../platform/web/index.ts';
import type { AccountRow, AccountStore } from './accounts.store.ts';
import type { Audit, AuditAction, AuditOrigin } from './audit.store.ts';
import type { Keys, NewKey } from './keys/keys.ts';
import type { Passwords } from './tokens/passwords.ts';

export interface AccountChangeDeps {
  readonly control: Database;
  readonly store: AccountStore;
  readonly keys: Keys;
  readonly passwords: Passwords;
  readonly audit: Audit;
}

/** The acting party: an account with one of its keys, or the operator. */
export interface Actor extends AuditOrigin {
  readonly uid?: bigint;
  readonly name: string;
}

export interface NewAccountOptions {
  /** Its first root key; generated unless given, and only development gives one. */
  readonly key?: NewKey | undefined;
  readonly isOperator?: boolean | undefined;
  /** What else it starts with. If that fails, no account is created. */
  readonly onCommit?: ((account: AccountRow, transaction: Transaction) => Promise<void>) | undefined;
}

export async function insertAccount(
  { control, store, keys, passwords, audit }: AccountChangeDeps,
  account: NewAccountOptions & { email: string; password: string | undefined; parentUid: bigint },
  actor: Actor,
  action: AuditAction,
): Promise<{ account: AccountRow; key: NewKey }> {
  const { email, password, parentUid } = account;
  assertEmail(email);
  const passwordHash =
    password === undefined ? undefined : await passwords.hashNew(password, clientNetwork(actor.address));
  return control.transaction(async (transaction) => {
    const row = await store.insert({ email, parentUid, passwordHash }, transaction);
    if (row === undefined) throw taken(email);
    const key = await keys.create(row.uid, { kind: 'root' }, transaction, account.key);
    await audit.record({ ...auditActorFields(actor), action, target: email, result: 'ok' }, transaction);
    await account.onCommit?.(row, transaction);
    if (account.isOperator !== true) return { account: row, key };
    return { account: await giveOperatorRight({ store, audit }, row, true, actor, transaction), key };
  });
}

/** An operator is made by operators only, and is never a child: its parent would be an operator too. */
export async function giveOperatorRight(
  { store, audit }: Pick<AccountChangeDeps, 'store' | 'audit'>,
  account: AccountRow,
  isOperator: boolean,
  actor: Actor,
  transaction: Transaction,
): Promise<AccountRow> {
  const row = await store.setOperator(account.uid, isOperator, transaction);
  if (row === undefined)
    throw new Fault('badRequest', {
      hint: `${account.email} is a child of account ${account.parent_uid}: an operator is an account of its own`,
    });
  const action = isOperator ? 'operator.give' : 'operator.take';
  await audit.record(
    { ...auditActorFields(actor), action, target: account.email, result: 'ok' },
    transaction,
  );
  return row;
}

export async function setAccountEmail(
  { control, store, audit }: AccountChangeDeps,
  account: AccountRow,
  email: string,
  actor: Actor,
): Promise<AccountRow> {
  assertEmail(email);
  return control.transaction(async (transaction) => {
    const row = await store.setEmail(account.uid, email, transaction);
    if (row === undefined) throw taken(email);
    // Whoever looks for either address finds the change.
    for (const target of [account.email, email])
      await audit.record(
        { ...auditActorFields(actor), action: 'account.email', target, result: 'ok' },
        transaction,
      );
    return row;
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
    const row = requireAccount(await store.setDisabled(account.uid, change, reason, transaction));
    await audit.record(
      { ...auditActorFields(actor), action, target: account.email, result: 'ok' },
      transaction,
    );
    return row;
  });
}

function assertEmail(email: string): void {
  if (!isEmailAddress(email))
    throw new Fault('invalidEmail', { hint: 'an address must look like ada@example.com' });
}

function taken(email: string): Fault {
  return new Fault('recordExists', { hint: `${email} already has an account` });
}

export function requireAccount(row: AccountRow | undefined, hint?: string): AccountRow {
  if (row === undefined) throw new Fault('recordNotFound', hint === undefined ? {} : { hint });
  return row;
}

/** What the audit log records about the actor. */
export function auditActorFields(
  actor: Actor,
): AuditOrigin & { actor: string; actorUid: bigint | undefined } {
  return { actor: actor.name, actorUid: actor.uid, address: actor.address, reqid: actor.reqid };
}
