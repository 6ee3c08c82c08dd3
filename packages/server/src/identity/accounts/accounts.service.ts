/**
 * Accounts: parents, created by an operator, and children, created by a parent. Every change is recorded in the audit log,
 * in the same transaction.
 */
import type { KeyLimits } from '@millpond/protocol';
import { clientNetwork } from '../../platform/web/index.ts';
import {
  type Actor,
  auditActorFields,
  giveOperatorRight,
  insertAccount,
  type NewAccountOptions,
  requireAccount,
  setAccountDisabled,
  setAccountEmail,
} from './account-changes.ts';
import { AccountClosing } from './account-closing.ts';
import type { AccountRow, ListedAccount, SigningRules } from './accounts.store.ts';
import type { AuditFilter, AuditRow, AuditSearch } from './audit.store.ts';
import { Children, type ChildrenDeps } from './children.ts';
import type { KeyRow } from './keys/key.store.ts';
import type { KeyRights, NewKey } from './keys/keys.ts';
import type { TokenStore } from './tokens/token.store.ts';
import type { WebhookSecret, WebhookSecrets } from './webhook-secrets/webhook-secrets.ts';

export interface AccountDeps extends ChildrenDeps {
  readonly tokens: TokenStore;
  readonly webhookSecrets: WebhookSecrets;
}

export class Accounts {
  readonly #deps: AccountDeps;
  readonly children: Children;
  readonly closing: AccountClosing;

  constructor(deps: AccountDeps) {
    this.#deps = deps;
    this.children = new Children(deps);
    this.closing = new AccountClosing(deps);
  }

  /** Creates a parent account, its first root key, and whatever else it starts with: all or nothing. */
  async create(
    email: string,
    password: string | undefined,
    actor: Actor,
    first: NewAccountOptions = {},
  ): Promise<{ account: AccountRow; key: NewKey }> {
    return insertAccount(this.#deps, { email, password, parentUid: 0n, ...first }, actor, 'account.create');
  }

  async byUid(uid: bigint): Promise<AccountRow> {
    return requireAccount(await this.#deps.store.byUid(uid));
  }

  async byEmail(email: string): Promise<AccountRow> {
    return requireAccount(await this.#deps.store.byEmail(email), `no account has the e-mail ${email}`);
  }

  /** By its number, if that is what is given, otherwise by its e-mail. */
  async byName(name: string): Promise<AccountRow> {
    return /^\d{1,18}$/.test(name) ? this.byUid(BigInt(name)) : this.byEmail(name);
  }

  /** What older servers left to be folded, so that it can be found. */
  async foldEmails(): Promise<number> {
    return this.#deps.store.foldEmails();
  }

  operators(): Promise<AccountRow[]> {
    return this.#deps.store.operators();
  }

  /** Sessions of the account have the right, or have it no longer, within the time that sessions are remembered. */
  async setOperator(uid: bigint, isOperator: boolean, actor: Actor): Promise<AccountRow> {
    const account = await this.byUid(uid);
    return this.#deps.control.transaction((transaction) =>
      giveOperatorRight(this.#deps, account, isOperator, actor, transaction),
    );
  }

  async setEmail(uid: bigint, email: string, actor: Actor): Promise<AccountRow> {
    return setAccountEmail(this.#deps, await this.byUid(uid), email, actor);
  }

  list(after: bigint, limit: number): Promise<AccountRow[]> {
    return this.#deps.store.list(after, limit);
  }

  /** Ordered by e-mail: those that begin with this, after the given one. */
  page(begins: string, after: string, limit: number): Promise<ListedAccount[]> {
    return this.#deps.store.page(begins, after, limit);
  }

  async setDisabled(
    uid: bigint,
    isDisabled: boolean,
    reason: string | undefined,
    actor: Actor,
  ): Promise<AccountRow> {
    const account = await this.byUid(uid);
    const action = isDisabled ? 'account.disable' : 'account.enable';
    return setAccountDisabled(this.#deps, account, { isDisabled, by: 'operator' }, reason, actor, action);
  }

  /** Locks out anybody who knew the old password: sessions opened with it end. */
  async setPassword(uid: bigint, password: string, actor: Actor): Promise<void> {
    const account = await this.byUid(uid);
    const passwordHash = await this.#deps.passwords.hashNew(password, clientNetwork(actor.address));
    await this.#deps.control.transaction(async (transaction) => {
      await this.#deps.store.setPassword(uid, passwordHash, transaction);
      await this.#deps.tokens.revokeAll(uid, transaction);
      await this.#deps.audit.record(
        { ...auditActorFields(actor), action: 'account.password', target: account.email, result: 'ok' },
        transaction,
      );
    });
  }

  async setSigning(uid: bigint, rules: Partial<SigningRules>, actor: Actor): Promise<SigningRules> {
    const account = await this.byUid(uid);
    return this.#deps.control.transaction(async (transaction) => {
      const result = await this.#deps.store.setSigning(uid, rules, transaction);
      await this.#deps.audit.record(
        { ...auditActorFields(actor), action: 'account.signing', target: account.email, result: 'ok' },
        transaction,
      );
      return result;
    });
  }

  /** Where the account's new buckets go if nobody says where; undefined: to the region that is asked. */
  defaultRegion(uid: bigint): Promise<string | undefined> {
    return this.#deps.store.defaultRegion(uid);
  }

  /** Buckets that are there stay where they are. */
  async setDefaultRegion(uid: bigint, region: string | undefined, actor: Actor): Promise<void> {
    const account = await this.byUid(uid);
    await this.#deps.control.transaction(async (transaction) => {
      await this.#deps.store.setDefaultRegion(uid, region, transaction);
      await this.#deps.audit.record(
        { ...auditActorFields(actor), action: 'account.region', target: account.email, result: 'ok' },
        transaction,
      );
    });
  }

  /** The secrets that the account's receivers verify with, newest first. Reading them is audited, since they are secret. */
  async webhookSecrets(uid: bigint, actor: Actor): Promise<readonly WebhookSecret[]> {
    const account = await this.byUid(uid);
    const secrets = await this.#deps.webhookSecrets.list(uid);
    await this.#deps.audit.record({
      ...auditActorFields(actor),
      action: 'account.webhook',
      target: account.email,
      result: 'ok',
    });
    return secrets;
  }

  /** Creates a new secret; the previous one stays valid for `keepOldMs`. */
  async exchangeWebhookSecret(
    uid: bigint,
    keepOldMs: number,
    actor: Actor,
  ): Promise<readonly WebhookSecret[]> {
    const account = await this.byUid(uid);
    const secrets = await this.#deps.webhookSecrets.exchange(uid, keepOldMs);
    const act = { action: 'account.webhook-exchange', target: account.email, result: 'ok' } as const;
    await this.#deps.audit.record({ ...auditActorFields(actor), ...act });
    return secrets;
  }

  async createKey(uid: bigint, rights: KeyRights, actor: Actor): Promise<NewKey> {
    return this.#deps.control.transaction(async (transaction) => {
      const key = await this.#deps.keys.create(uid, rights, transaction);
      await this.#deps.audit.record(
        { ...auditActorFields(actor), action: 'key.create', target: key.accessKey, result: 'ok' },
        transaction,
      );
      return key;
    });
  }

  /** Undefined takes all limits away. */
  async setKeyLimits(accessKey: string, limits: KeyLimits | undefined, actor: Actor): Promise<void> {
    await this.#deps.control.transaction(async (transaction) => {
      await this.#deps.keys.holdOwnerOf(accessKey, transaction);
      await this.#deps.keys.setLimits(accessKey, limits, transaction);
      const act = {
        ...auditActorFields(actor),
        action: 'key.limit',
        target: accessKey,
        result: 'ok',
      } as const;
      await this.#deps.audit.record(act, transaction);
    });
  }

  async setKeyEnabled(accessKey: string, isEnabled: boolean, actor: Actor): Promise<void> {
    await this.#deps.control.transaction(async (transaction) => {
      await this.#deps.keys.setEnabled(accessKey, isEnabled, transaction);
      const action = isEnabled ? 'key.enable' : 'key.disable';
      await this.#deps.audit.record(
        { ...auditActorFields(actor), action, target: accessKey, result: 'ok' },
        transaction,
      );
    });
  }

  async deleteKey(accessKey: string, actor: Actor): Promise<void> {
    await this.#deps.control.transaction(async (transaction) => {
      await this.#deps.keys.removeDisabled(accessKey, transaction);
      const act = {
        ...auditActorFields(actor),
        action: 'key.delete',
        target: accessKey,
        result: 'ok',
      } as const;
      await this.#deps.audit.record(act, transaction);
    });
  }

  keysOf(uid: bigint): Promise<KeyRow[]> {
    return this.#deps.keys.list(uid);
  }

  async rotateMasterKey(actor: Actor, report: (done: number) => void): Promise<number> {
    const keys = await this.#deps.keys.rotateMasterKey(report);
    const rotated = keys + (await this.#deps.webhookSecrets.rotateMasterKey());
    await this.#deps.audit.record({
      ...auditActorFields(actor),
      action: 'secrets.rotate',
      target: `${rotated} secrets`,
      result: 'ok',
    });
    return rotated;
  }

  async audit(search: AuditSearch): Promise<AuditRow[]> {
    return this.#deps.audit.search({ ...search, ...(await this.namesInAudit(search)) });
  }

  /** An account stands in the log under its address as it was registered: another spelling of it is looked for by that. */
  async namesInAudit({ actor, target }: AuditFilter): Promise<Pick<AuditFilter, 'actor' | 'target'>> {
    const registered = async (name: string | undefined) => {
      const [, prefix = '', email = ''] = /^(console:)?([^@ ]+@[^@ ]+)$/.exec(name ?? '') ?? [];
      const account = email === '' ? undefined : await this.#deps.store.byEmail(email);
      return account === undefined ? name : prefix + account.email;
    };
    return { actor: await registered(actor), target: await registered(target) };
  }
}
