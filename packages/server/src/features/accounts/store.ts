/** SQL of accounts and access keys. */
import { type Database, statement } from '../../platform/db/database.ts';

export interface AccountRow {
  readonly uid: bigint;
  readonly parent_uid: bigint;
  readonly email: string;
  readonly is_disabled: boolean;
}

export interface KeyRow {
  readonly access_key: string;
  readonly uid: bigint;
  readonly kind: 'root' | 'user';
  readonly is_enabled: boolean;
  readonly account_disabled: boolean;
  readonly sealed_secret: Buffer;
  readonly master_key: string;
}

export interface SealedKey {
  readonly access_key: string;
  readonly uid: bigint;
  readonly sealed_secret: Buffer;
  readonly master_key: string;
}

const insertAccount = statement(
  'account-insert',
  `INSERT INTO control.accounts (email) VALUES ($1)
   ON CONFLICT (lower(email)) DO NOTHING
   RETURNING uid, parent_uid, email, is_disabled`,
);
const accountByEmail = statement(
  'account-by-email',
  'SELECT uid, parent_uid, email, is_disabled FROM control.accounts WHERE lower(email) = lower($1)',
);
// The account's row is locked, so that two creations at once can't both be the last one allowed.
const insertKey = statement(
  'key-insert',
  `WITH owner AS (SELECT uid FROM control.accounts WHERE uid = $2 FOR UPDATE)
   INSERT INTO control.access_keys (access_key, uid, kind, sealed_secret, master_key)
   SELECT $1, uid, $3, $4, $5 FROM owner
   WHERE (SELECT count(*) FROM control.access_keys WHERE uid = $2) < $6
   RETURNING access_key`,
);
const keyByName = statement(
  'key-by-name',
  `SELECT k.access_key, k.uid, k.kind, k.is_enabled, a.is_disabled AS account_disabled, k.sealed_secret, k.master_key
   FROM control.access_keys k JOIN control.accounts a USING (uid) WHERE k.access_key = $1`,
);
const keysUnderOtherMasters = statement(
  'keys-under-other-masters',
  `SELECT access_key, uid, sealed_secret, master_key FROM control.access_keys WHERE master_key <> $1 LIMIT $2`,
);
// The old wrapping is compared, so that two rotations at once don't undo each other.
const rewrapKeys = statement(
  'keys-rewrap',
  `UPDATE control.access_keys k SET sealed_secret = n.sealed, master_key = $4
   FROM unnest($1::text[], $2::bytea[], $3::text[]) AS n (access_key, sealed, old_master)
   WHERE k.access_key = n.access_key AND k.master_key = n.old_master
   RETURNING k.access_key`,
);

export class AccountStore {
  readonly #control: Database;

  constructor(control: Database) {
    this.#control = control;
  }

  /** Undefined when the e-mail is taken. */
  async insertAccount(email: string): Promise<AccountRow | undefined> {
    const [row] = await this.#control.query<AccountRow>(insertAccount, [email]);
    return row;
  }

  async accountByEmail(email: string): Promise<AccountRow | undefined> {
    const [row] = await this.#control.query<AccountRow>(accountByEmail, [email]);
    return row;
  }

  /** False when the account has as many keys as it may. */
  async insertKey(key: SealedKey & { kind: 'root' | 'user' }, most: number): Promise<boolean> {
    const values = [key.access_key, key.uid, key.kind, key.sealed_secret, key.master_key, most];
    return (await this.#control.query(insertKey, values)).length === 1;
  }

  async key(accessKey: string): Promise<KeyRow | undefined> {
    const [row] = await this.#control.query<KeyRow>(keyByName, [accessKey]);
    return row;
  }

  async keysNotUnder(masterKey: string, most: number): Promise<SealedKey[]> {
    return this.#control.query<SealedKey>(keysUnderOtherMasters, [masterKey, most]);
  }

  async rewrap(keys: readonly SealedKey[], sealed: readonly Buffer[], masterKey: string): Promise<number> {
    const names = keys.map((key) => key.access_key);
    const masters = keys.map((key) => key.master_key);
    return (await this.#control.query(rewrapKeys, [names, sealed, masters, masterKey])).length;
  }
}
