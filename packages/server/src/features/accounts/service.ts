/**
 * Accounts: parents that an operator makes, and the children that a parent makes. Every change is recorded in the audit log,
 * in the same transaction.
 */
import { Fault } from '@millpond/protocol';
import type { Database } from '../../platform/db/database.ts';
import type { Audit, AuditAction, AuditRow, AuditSearch, Origin } from './audit-store.ts';
import type { KeyKind, KeyRow } from './key-store.ts';
import type { Keys, NewKey } from './keys.ts';
import { MAX_PASSWORD_BYTES, type Passwords } from './passwords.ts';
import type { AccountRow, AccountStore, SigningRules } from './store.ts';
import type { TokenStore } from './token-store.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

export interface AccountParts {
  readonly control: Database;
  readonly store: AccountStore;
  readonly keys: Keys;
  readonly tokens: TokenStore;
  readonly passwords: Passwords;
  readonly audit: Audit;
  readonly webhookSecrets: WebhookSecrets;
}

/** Who acts: an account with one of its keys, or the operator. */
export interface Actor extends Origin {
  readonly uid?: bigint;
  readonly name: string;
}

export interface ChildKeys {
  readonly key?: string;
  readonly secret?: string;
  readonly state?: number;
  readonly key2?: string;
  readonly secret2?: string;
  readonly state2?: number;
}

export class Accounts {
  readonly #parts: AccountParts;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  /** A parent account and its first root key: a new one, or for development a given one. */
  async create(
    email: string,
    password: string | undefined,
    actor: Actor,
    key?: NewKey,
  ): Promise<{ account: AccountRow; key: NewKey }> {
    return this.#insert({ email, password, parentUid: 0n, key }, actor, 'account.create');
  }

  /** A child has no children of its own: whoever calls must be a parent. */
  async createChild(parentUid: bigint, email: string, password: string, actor: Actor): Promise<AccountRow> {
    return (await this.#insert({ email, password, parentUid }, actor, 'child.create')).account;
  }

  async byUid(uid: bigint): Promise<AccountRow> {
    return found(await this.#parts.store.byUid(uid));
  }

  async byEmail(email: string): Promise<AccountRow> {
    return found(await this.#parts.store.byEmail(email), `no account has the e-mail ${email}`);
  }

  list(after: bigint, limit: number): Promise<AccountRow[]> {
    return this.#parts.store.list(after, limit);
  }

  children(parentUid: bigint, offset: number, limit: number): Promise<AccountRow[]> {
    return this.#parts.store.children(parentUid, offset, limit);
  }

  async setChildDisabled(
    parentUid: bigint,
    uid: bigint,
    isDisabled: boolean,
    reason: string | undefined,
    actor: Actor,
  ): Promise<AccountRow> {
    const child = found(await this.#parts.store.child(parentUid, uid));
    const action = isDisabled ? 'child.disable' : 'child.enable';
    return this.#setDisabled(child, { isDisabled, by: 'parent' }, reason, actor, action);
  }

  async setDisabled(
    uid: bigint,
    isDisabled: boolean,
    reason: string | undefined,
    actor: Actor,
  ): Promise<AccountRow> {
    const account = await this.byUid(uid);
    const action = isDisabled ? 'account.disable' : 'account.enable';
    return this.#setDisabled(account, { isDisabled, by: 'operator' }, reason, actor, action);
  }

  /** Disabled at once with its children; their objects and the accounts themselves go after the grace. */
  async close(uid: bigint, actor: Actor): Promise<AccountRow[]> {
    const account = await this.byUid(uid);
    return this.#parts.control.transaction(async (transaction) => {
      const rows = await this.#parts.store.close(uid, transaction);
      const act = { ...record(actor), action: 'account.close', target: account.email, result: 'ok' } as const;
      await this.#parts.audit.record(act, transaction);
      return rows;
    });
  }

  closedLongAgo(days: number, most: number, region: string): Promise<AccountRow[]> {
    return this.#parts.store.closedLongAgo(days, most, region);
  }

  isLongClosed(uid: bigint, days: number): Promise<boolean> {
    return this.#parts.store.isLongClosed(uid, days);
  }

  /** False where it is not closed, or has a bucket in some region. */
  async remove(account: AccountRow, actor: Actor): Promise<boolean> {
    if (!(await this.#parts.store.remove(account.uid))) return false;
    await this.#parts.audit.record({
      ...record(actor),
      action: 'account.remove',
      target: account.email,
      result: 'ok',
    });
    return true;
  }

  /** A child's keys with their secrets, for the parent that works on its behalf. */
  async childKeys(
    parentUid: bigint,
    child: { uid: bigint } | { email: string },
    actor: Actor,
  ): Promise<ChildKeys> {
    const row =
      'uid' in child
        ? await this.#parts.store.child(parentUid, child.uid)
        : await this.#parts.store.byEmail(child.email);
    if (row === undefined || row.parent_uid !== parentUid) throw new Fault('recordNotFound');
    const [first, second] = await this.#parts.keys.list(row.uid);
    await this.#parts.audit.record({
      ...record(actor),
      action: 'child.keys',
      target: row.email,
      result: 'ok',
    });
    return {
      ...(first && {
        key: first.access_key,
        secret: this.#parts.keys.secretOf(first),
        state: stateOf(first),
      }),
      ...(second && {
        key2: second.access_key,
        secret2: this.#parts.keys.secretOf(second),
        state2: stateOf(second),
      }),
    };
  }

  /** Who may have known the old password is out: what was opened with it ends. */
  async setPassword(uid: bigint, password: string, actor: Actor): Promise<void> {
    const account = await this.byUid(uid);
    checkPassword(password);
    const passwordHash = await this.#parts.passwords.hash(password);
    await this.#parts.control.transaction(async (transaction) => {
      await this.#parts.store.setPassword(uid, passwordHash, transaction);
      await this.#parts.tokens.revokeAll(uid, transaction);
      await this.#parts.audit.record(
        { ...record(actor), action: 'account.password', target: account.email, result: 'ok' },
        transaction,
      );
    });
  }

  async setSigning(uid: bigint, rules: Partial<SigningRules>, actor: Actor): Promise<SigningRules> {
    const account = await this.byUid(uid);
    return this.#parts.control.transaction(async (transaction) => {
      const result = await this.#parts.store.setSigning(uid, rules, transaction);
      await this.#parts.audit.record(
        { ...record(actor), action: 'account.signing', target: account.email, result: 'ok' },
        transaction,
      );
      return result;
    });
  }

  /** What the account's receivers verify with, the newest first. It is a secret: who looked at it is recorded. */
  async webhookSecrets(uid: bigint, actor: Actor): Promise<readonly string[]> {
    const account = await this.byUid(uid);
    const secrets = await this.#parts.webhookSecrets.of(uid);
    await this.#parts.audit.record({
      ...record(actor),
      action: 'account.webhook',
      target: account.email,
      result: 'ok',
    });
    return secrets;
  }

  /** A new one; the one before it is good for so long yet. */
  async exchangeWebhookSecret(uid: bigint, keepOldMs: number, actor: Actor): Promise<readonly string[]> {
    const account = await this.byUid(uid);
    const secrets = await this.#parts.webhookSecrets.exchange(uid, keepOldMs);
    const act = { action: 'account.webhook-exchange', target: account.email, result: 'ok' } as const;
    await this.#parts.audit.record({ ...record(actor), ...act });
    return secrets;
  }

  async createKey(uid: bigint, kind: KeyKind, actor: Actor): Promise<NewKey> {
    return this.#parts.control.transaction(async (transaction) => {
      const key = await this.#parts.keys.create(uid, kind, transaction);
      await this.#parts.audit.record(
        { ...record(actor), action: 'key.create', target: key.accessKey, result: 'ok' },
        transaction,
      );
      return key;
    });
  }

  async setKeyEnabled(accessKey: string, isEnabled: boolean, actor: Actor): Promise<void> {
    await this.#parts.control.transaction(async (transaction) => {
      await this.#parts.keys.setEnabled(accessKey, isEnabled, transaction);
      const action = isEnabled ? 'key.enable' : 'key.disable';
      await this.#parts.audit.record(
        { ...record(actor), action, target: accessKey, result: 'ok' },
        transaction,
      );
    });
  }

  keysOf(uid: bigint): Promise<KeyRow[]> {
    return this.#parts.keys.list(uid);
  }

  async rotateMasterKey(actor: Actor, report: (done: number) => void): Promise<number> {
    const keys = await this.#parts.keys.rotateMasterKey(report);
    const rotated = keys + (await this.#parts.webhookSecrets.rotateMasterKey());
    await this.#parts.audit.record({
      ...record(actor),
      action: 'secrets.rotate',
      target: `${rotated} secrets`,
      result: 'ok',
    });
    return rotated;
  }

  audit(search: AuditSearch): Promise<AuditRow[]> {
    return this.#parts.audit.search(search);
  }

  async #insert(
    account: { email: string; password: string | undefined; parentUid: bigint; key?: NewKey | undefined },
    actor: Actor,
    action: AuditAction,
  ): Promise<{ account: AccountRow; key: NewKey }> {
    const { email, password, parentUid } = account;
    if (!/^[^\s@]{1,64}@[^\s@]{1,190}$/.test(email)) throw new Fault('invalidEmail');
    if (password !== undefined) checkPassword(password);
    const passwordHash = password === undefined ? undefined : await this.#parts.passwords.hash(password);
    return this.#parts.control.transaction(async (transaction) => {
      const row = await this.#parts.store.insert({ email, parentUid, passwordHash }, transaction);
      if (row === undefined) throw new Fault('recordExists', { hint: `${email} has an account` });
      const key = await this.#parts.keys.create(row.uid, 'root', transaction, account.key);
      await this.#parts.audit.record({ ...record(actor), action, target: email, result: 'ok' }, transaction);
      return { account: row, key };
    });
  }

  async #setDisabled(
    account: AccountRow,
    change: { readonly isDisabled: boolean; readonly by: 'operator' | 'parent' },
    reason: string | undefined,
    actor: Actor,
    action: AuditAction,
  ): Promise<AccountRow> {
    return this.#parts.control.transaction(async (transaction) => {
      const row = found(await this.#parts.store.setDisabled(account.uid, change, reason, transaction));
      await this.#parts.audit.record(
        { ...record(actor), action, target: account.email, result: 'ok' },
        transaction,
      );
      return row;
    });
  }
}

function found(row: AccountRow | undefined, hint?: string): AccountRow {
  if (row === undefined) throw new Fault('recordNotFound', hint === undefined ? {} : { hint });
  return row;
}

function checkPassword(password: string): void {
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
    throw new Fault('badRequest', { hint: `a password has at most ${MAX_PASSWORD_BYTES} bytes` });
  }
}

/** Family form: 0 enabled, 1 disabled. */
function stateOf(key: KeyRow): number {
  return key.is_enabled ? 0 : 1;
}

function record(actor: Actor): Origin & { actor: string; actorUid: bigint | undefined } {
  return { actor: actor.name, actorUid: actor.uid, address: actor.address, reqid: actor.reqid };
}
