/** SQL of access keys. Secrets are sealed before they come here. */
import type { KeyLimits } from '@millpond/protocol';
import { type Database, type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';

export type KeyKind = 'root' | 'user';

export interface SealedKey {
  readonly access_key: string;
  readonly uid: bigint;
  readonly sealed_secret: Buffer;
  readonly master_key: string;
}

export interface KeyRow extends SealedKey {
  readonly kind: KeyKind;
  readonly is_enabled: boolean;
  readonly created_at: Date;
  /** Null: none. Read it with `parseKeyLimits`. */
  readonly limits: unknown;
  /** To the minute; null: never since this was noted. */
  readonly last_used: Date | null;
  readonly last_address: string | null;
  readonly note: string | null;
}

export interface UsableKeyRow extends SealedKey {
  readonly kind: KeyKind;
  readonly parent_uid: bigint;
  readonly old_signing: boolean;
  readonly date_required: boolean;
  readonly limits: unknown;
}

const lockAccount = statement(
  'key-lock-account',
  'SELECT uid FROM control.accounts WHERE uid = $1 FOR UPDATE',
);
const insert = statement(
  'key-insert',
  `INSERT INTO control.access_keys (access_key, uid, kind, sealed_secret, master_key, limits, note)
   SELECT $1, $2, $3, $4, $5, $6::jsonb, $8
   WHERE (SELECT count(*) FROM control.access_keys WHERE uid = $2 AND (limits IS NULL) = ($6::jsonb IS NULL)) < $7
   RETURNING access_key`,
);
// The key itself counts only if it changes from one kind to the other.
const setLimits = statement(
  'key-set-limits',
  `UPDATE control.access_keys k SET limits = $2::jsonb
   WHERE k.access_key = $1 AND (SELECT count(*) FROM control.access_keys o
     WHERE o.uid = k.uid AND o.access_key <> k.access_key AND (o.limits IS NULL) = ($2::jsonb IS NULL)) < $3
   RETURNING k.access_key`,
);
const usable = statement(
  'key-usable',
  `SELECT k.access_key, k.uid, k.kind, k.sealed_secret, k.master_key, a.parent_uid, a.old_signing,
          a.date_required, k.limits
   FROM control.access_keys k JOIN control.accounts a USING (uid)
   WHERE k.access_key = $1 AND k.is_enabled AND NOT a.is_disabled`,
);
const ofAccount = statement(
  'key-of-account',
  `SELECT access_key, uid, kind, is_enabled, sealed_secret, master_key, created_at, limits, last_used,
          last_address, note
   FROM control.access_keys WHERE uid = $1 ORDER BY created_at, access_key`,
);
// Processes that write the same keys at the same moment don't wait for each other: what one of them writes is as good.
const setUses = statement(
  'key-set-uses',
  `WITH held AS MATERIALIZED (
     SELECT k.access_key, n.used_at, n.address
     FROM unnest($1::text[], $2::timestamptz[], $3::text[]) AS n (access_key, used_at, address)
     JOIN control.access_keys k USING (access_key)
     WHERE k.last_used IS NULL OR k.last_used < n.used_at
     FOR NO KEY UPDATE OF k SKIP LOCKED
   )
   UPDATE control.access_keys k SET last_used = held.used_at, last_address = held.address
   FROM held WHERE k.access_key = held.access_key`,
);
const ownerOf = statement('key-owner', 'SELECT uid FROM control.access_keys WHERE access_key = $1');
const setEnabled = statement(
  'key-set-enabled',
  'UPDATE control.access_keys SET is_enabled = $2 WHERE access_key = $1 RETURNING uid',
);
const remove = statement('key-remove', 'DELETE FROM control.access_keys WHERE access_key = $1 RETURNING uid');
const removeDisabled = statement(
  'key-remove-disabled',
  'DELETE FROM control.access_keys WHERE access_key = $1 AND NOT is_enabled RETURNING uid',
);
const underOtherMasters = statement(
  'key-under-other-masters',
  'SELECT access_key, uid, sealed_secret, master_key FROM control.access_keys WHERE master_key <> $1 LIMIT $2',
);
const mastersInUse = statement(
  'key-masters-in-use',
  `SELECT u.master_key, u.keys, k.access_key, k.uid, k.sealed_secret FROM (
     SELECT master_key, count(*)::integer AS keys, min(access_key) AS access_key FROM control.access_keys GROUP BY master_key
   ) u JOIN control.access_keys k USING (access_key)`,
);
// Compares the old wrapping, so that two concurrent rotations don't undo each other.
const rewrap = statement(
  'key-rewrap',
  `UPDATE control.access_keys k SET sealed_secret = n.sealed, master_key = $4
   FROM unnest($1::text[], $2::bytea[], $3::text[]) AS n (access_key, sealed, old_master)
   WHERE k.access_key = n.access_key AND k.master_key = n.old_master
   RETURNING k.access_key`,
);

export class KeyStore {
  readonly #control: Database;

  constructor(control: Database) {
    this.#control = control;
  }

  /** False if the account has reached its limit of keys with limits, or of those without. */
  async insert(
    key: SealedKey & { kind: KeyKind; limits: KeyLimits | undefined; note: string | undefined },
    most: number,
    on: Transaction,
  ): Promise<boolean> {
    // A separate statement: the count must see what the previous holder of the lock added.
    await on.query(lockAccount, [key.uid]);
    const sealed = [key.sealed_secret, key.master_key];
    const values = [key.access_key, key.uid, key.kind, ...sealed, jsonOf(key.limits), most, key.note ?? null];
    return (await on.query(insert, values)).length === 1;
  }

  /** The same, of a key that exists. Hold the account's keys: two that change at once would not see each other. */
  async setLimits(
    accessKey: string,
    limits: KeyLimits | undefined,
    most: number,
    on: Transaction,
  ): Promise<boolean> {
    return (await on.query(setLimits, [accessKey, jsonOf(limits), most])).length === 1;
  }

  /** Undefined if there is no such key, or if it or its account is disabled. */
  async usable(accessKey: string): Promise<UsableKeyRow | undefined> {
    const [row] = await this.#control.query<UsableKeyRow>(usable, [accessKey]);
    return row;
  }

  /** Oldest first. */
  ofAccount(uid: bigint): Promise<KeyRow[]> {
    return this.#control.query<KeyRow>(ofAccount, [uid]);
  }

  /** The same, locked: other holders, and inserts, wait for the end of this transaction. */
  async hold(uid: bigint, on: Transaction): Promise<KeyRow[]> {
    await on.query(lockAccount, [uid]);
    return on.query<KeyRow>(ofAccount, [uid]);
  }

  /** The account it belongs to; undefined if there is no such key. */
  async setEnabled(accessKey: string, isEnabled: boolean, on: Queryable): Promise<bigint | undefined> {
    const [row] = await on.query<{ uid: bigint }>(setEnabled, [accessKey, isEnabled]);
    return row?.uid;
  }

  /** By access key. A key that is gone, and one that is known to have been used later, stay as they are. */
  async setUses(uses: ReadonlyMap<string, { readonly at: number; readonly address: string }>): Promise<void> {
    const all = [...uses.values()];
    const minutes = all.map(({ at }) => new Date(minuteOf(at)));
    await this.#control.query(setUses, [[...uses.keys()], minutes, all.map(({ address }) => address)]);
  }

  async ownerOf(accessKey: string, on: Queryable): Promise<bigint | undefined> {
    const [row] = await on.query<{ uid: bigint }>(ownerOf, [accessKey]);
    return row?.uid;
  }

  async remove(accessKey: string, on: Queryable): Promise<void> {
    await on.query(remove, [accessKey]);
  }

  /** False if there is no such key, or if it is enabled. */
  async removeDisabled(accessKey: string, on: Queryable): Promise<boolean> {
    return (await on.query(removeDisabled, [accessKey])).length === 1;
  }

  sealedByOtherMasters(masterKey: string, most: number): Promise<SealedKey[]> {
    return this.#control.query<SealedKey>(underOtherMasters, [masterKey, most]);
  }

  /** The master keys that seal secrets, with the number of access keys under each and one of them as a sample. */
  mastersInUse(): Promise<(SealedKey & { readonly keys: number })[]> {
    return this.#control.query(mastersInUse, []);
  }

  async rewrap(keys: readonly SealedKey[], sealed: readonly Buffer[], masterKey: string): Promise<number> {
    const names = keys.map((key) => key.access_key);
    const masters = keys.map((key) => key.master_key);
    return (await this.#control.query(rewrap, [names, sealed, masters, masterKey])).length;
  }
}

const MINUTE_MS = 60_000;

export function minuteOf(at: number): number {
  return at - (at % MINUTE_MS);
}

function jsonOf(limits: KeyLimits | undefined): string | null {
  return limits === undefined ? null : JSON.stringify(limits);
}
