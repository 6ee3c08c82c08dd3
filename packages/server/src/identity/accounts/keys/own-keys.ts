/**
 * An account's access keys, managed by its owner. A gateway trusts a key for some seconds, so these calls check the signing
 * key again: a key that was disabled a moment ago must not disable the key that did it; nor must a session that was ended. And
 * since no key can disable or limit itself, those who have only keys always keep one that can make calls.
 */
import { Fault, type KeyLimits } from '@millpond/protocol';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { type Actor, auditActorFields } from '../account-changes.ts';
import type { Audit, AuditAction } from '../audit.store.ts';
import type { AccountCaller } from '../authenticate.ts';
import type { SessionStore } from '../sessions/sessions.store.ts';
import { type KeyRow, minuteOf } from './key.store.ts';
import type { Keyring } from './keyring.ts';
import type { KeyRights, Keys, NewKey } from './keys.ts';

export interface OwnKeyDeps {
  readonly control: Database;
  readonly keys: Keys;
  readonly audit: Audit;
  readonly keyring: Keyring;
  readonly sessions: SessionStore;
}

/** Who makes the change: a key, or a session that has all rights of the account. */
type Signer = Pick<AccountCaller, 'uid' | 'accessKey' | 'sessionId'>;

export class OwnKeys {
  readonly #deps: OwnKeyDeps;

  constructor(deps: OwnKeyDeps) {
    this.#deps = deps;
  }

  /** Oldest first. What this process knows of their use and has not written yet is included. */
  async list(uid: bigint): Promise<KeyRow[]> {
    const rows = await this.#deps.keys.list(uid);
    return rows.map((row) => {
      const use = this.#deps.keyring.uses.of(row.access_key);
      return use === undefined
        ? row
        : { ...row, last_used: new Date(minuteOf(use.at)), last_address: use.address };
    });
  }

  async create(signer: Signer, rights: KeyRights, actor: Actor): Promise<NewKey> {
    const { control, keys } = this.#deps;
    return control.transaction(async (transaction) => {
      await this.#held(signer, transaction);
      const made = await keys.create(signer.uid, rights, transaction);
      await this.#record(actor, 'key.create', made.accessKey, transaction);
      return made;
    });
  }

  async setEnabled(signer: Signer, accessKey: string, isEnabled: boolean, actor: Actor): Promise<KeyRow> {
    const { control, keys } = this.#deps;
    return control.transaction(async (transaction) => {
      const row = ownKey(await this.#held(signer, transaction), accessKey);
      if (!isEnabled) assertNotItself(signer, accessKey);
      await keys.setEnabled(accessKey, isEnabled, transaction);
      await this.#record(actor, isEnabled ? 'key.enable' : 'key.disable', accessKey, transaction);
      return { ...row, is_enabled: isEnabled };
    });
  }

  /** Undefined takes all limits away. */
  async setLimits(
    signer: Signer,
    accessKey: string,
    limits: KeyLimits | undefined,
    actor: Actor,
  ): Promise<KeyRow> {
    const { control, keys, keyring } = this.#deps;
    const changed = await control.transaction(async (transaction) => {
      const row = ownKey(await this.#held(signer, transaction), accessKey);
      // A key may not limit itself: it could not lift the limits again.
      assertNotItself(signer, accessKey);
      await keys.setLimits(accessKey, limits, transaction);
      await this.#record(actor, 'key.limit', accessKey, transaction);
      return { ...row, limits: limits ?? null };
    });
    keyring.forget(accessKey);
    return changed;
  }

  /** Only a disabled key: disabling shows who still uses it, and can be undone. */
  async remove(signer: Signer, accessKey: string, actor: Actor): Promise<void> {
    const { control, keys } = this.#deps;
    await control.transaction(async (transaction) => {
      const row = ownKey(await this.#held(signer, transaction), accessKey);
      assertNotItself(signer, accessKey);
      if (row.is_enabled) throw new Fault('badRequest', { hint: 'the key is enabled: disable it first' });
      await keys.remove(accessKey, transaction);
      await this.#record(actor, 'key.delete', accessKey, transaction);
    });
  }

  /** The account's keys, locked until the transaction ends. */
  async #held(signer: Signer, transaction: Transaction): Promise<KeyRow[]> {
    const rows = await this.#deps.keys.hold(signer.uid, transaction);
    const { accessKey, sessionId = '' } = signer;
    if (accessKey === undefined) {
      if (await this.#deps.sessions.holds(sessionId, transaction)) return rows;
      throw new Fault('failedAuthentication', { detail: 'the session ended a moment ago' });
    }
    const own = rows.find((row) => row.access_key === accessKey);
    if (own?.kind !== 'root' || !own.is_enabled || own.limits !== null)
      throw new Fault('failedAuthentication', {
        detail: 'the key was disabled, limited or deleted a moment ago',
      });
    return rows;
  }

  async #record(actor: Actor, action: AuditAction, target: string, transaction: Transaction): Promise<void> {
    const act = { ...auditActorFields(actor), action, target, result: 'ok' };
    await this.#deps.audit.record(act, transaction);
  }
}

/** A key of another account is treated as missing. */
function ownKey(rows: readonly KeyRow[], accessKey: string): KeyRow {
  const row = rows.find((each) => each.access_key === accessKey);
  if (row === undefined) throw new Fault('recordNotFound', { hint: 'there is no such access key' });
  return row;
}

function assertNotItself(signer: Signer, accessKey: string): void {
  if (signer.accessKey === accessKey)
    throw new Fault('badRequest', { hint: 'this key signs the call: sign it with the other key' });
}
