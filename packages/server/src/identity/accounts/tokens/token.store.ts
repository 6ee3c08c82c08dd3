/** SQL of tokens. Only hashes are stored; times come from the database's clock. */
import { type Database, type Queryable, statement } from '../../../platform/db/database.ts';

export interface RefreshRow {
  readonly family_id: string;
  readonly uid: bigint;
}

export interface FamilyRow extends RefreshRow {
  readonly expired: boolean;
  readonly revoked: boolean;
  readonly account_disabled: boolean;
  /** The requested token is the predecessor of the current one. */
  readonly is_previous: boolean;
  readonly previous_usable: boolean;
  readonly refresh_hash: Buffer;
}

/** A log-in as its account sees it. */
export interface GrantRow {
  readonly family_id: string;
  /** Client address of the last issue or refresh; null in rows older than this column. */
  readonly address: string | null;
  readonly created_at: Date;
  readonly renewed_at: Date | null;
  readonly expires_at: Date;
}

/** An account's list shows the newest of them. */
const MAX_LISTED = 1000;

export interface AccessRow {
  readonly uid: bigint;
  /** Negative if it has expired. */
  readonly remaining_ms: number;
}

// A password that changed while it was being compared opens nothing: changing it locks the account's row.
const begin = statement(
  'token-begin',
  `WITH account AS MATERIALIZED (
     SELECT uid FROM control.accounts
     WHERE uid = $1 AND NOT is_disabled AND ($5::text IS NULL OR password_hash = $5) FOR SHARE
   ), family AS (
     INSERT INTO control.token_families (uid, refresh_hash, expires_at, address)
     SELECT uid, $2, control.refresh_expiry(), $6 FROM account RETURNING family_id
   )
   INSERT INTO control.access_tokens (token_hash, family_id, expires_at)
   SELECT $3, family_id, now() + $4::bigint * interval '1 second' FROM family RETURNING family_id`,
);
const USABLE = 'f.revoked_at IS NULL AND f.expires_at > now() AND f.uid IN (SELECT uid FROM account)';
// Disabling an account ends its access tokens: it waits for a refresh that is under way, and a refresh waits for it.
const ACCOUNT = `account AS MATERIALIZED (
     SELECT a.uid FROM control.accounts a JOIN control.token_families f USING (uid)
     WHERE f.refresh_hash = $1 AND NOT a.is_disabled FOR SHARE OF a
   )`;
const slide = statement(
  'token-slide',
  `WITH ${ACCOUNT}, family AS (
     UPDATE control.token_families f SET expires_at = control.refresh_expiry(), renewed_at = now(), address = $4
     WHERE f.refresh_hash = $1 AND ${USABLE} RETURNING family_id, uid
   ), access AS (
     INSERT INTO control.access_tokens (token_hash, family_id, expires_at)
     SELECT $2, family_id, now() + $3::bigint * interval '1 second' FROM family
   )
   SELECT family_id, uid FROM family`,
);
// One of several refreshes with one token finds it as the current token; the others find it as the previous one.
const rotate = statement(
  'token-rotate',
  `WITH ${ACCOUNT}, family AS (
     UPDATE control.token_families f
     SET refresh_hash = $2, previous_hash = f.refresh_hash, previous_until = now() + $5::bigint * interval '1 second',
         expires_at = control.refresh_expiry(), renewed_at = now(), address = $6
     WHERE f.refresh_hash = $1 AND ${USABLE} RETURNING family_id, uid
   ), access AS (
     INSERT INTO control.access_tokens (token_hash, family_id, expires_at)
     SELECT $3, family_id, now() + $4::bigint * interval '1 second' FROM family
   )
   SELECT family_id, uid FROM family`,
);
const find = statement(
  'token-find-family',
  `SELECT f.family_id, f.uid, f.refresh_hash, f.expires_at <= now() AS expired, f.revoked_at IS NOT NULL AS revoked,
          a.is_disabled AS account_disabled, f.refresh_hash <> $1 AS is_previous,
          coalesce(f.previous_until > now(), false) AS previous_usable
   FROM control.token_families f JOIN control.accounts a USING (uid)
   WHERE f.refresh_hash = $1 OR f.previous_hash = $1`,
);
const revoke = statement(
  'token-revoke',
  'UPDATE control.token_families SET revoked_at = now() WHERE family_id = $1 AND revoked_at IS NULL RETURNING family_id',
);
const revokeAll = statement(
  'token-revoke-all',
  'UPDATE control.token_families SET revoked_at = now() WHERE uid = $1 AND revoked_at IS NULL RETURNING family_id',
);
const endOne = statement(
  'token-end-one',
  `UPDATE control.token_families SET revoked_at = now()
   WHERE uid = $1 AND family_id = $2 AND revoked_at IS NULL AND expires_at > now() RETURNING family_id`,
);
const ofAccount = statement(
  'token-of-account',
  `SELECT family_id, address, created_at, renewed_at, expires_at FROM control.token_families
   WHERE uid = $1 AND revoked_at IS NULL AND expires_at > now() ORDER BY created_at DESC LIMIT $2`,
);
const access = statement(
  'token-access',
  `SELECT f.uid, (extract(epoch FROM t.expires_at - now()) * 1000)::float8 AS remaining_ms
   FROM control.access_tokens t JOIN control.token_families f USING (family_id) JOIN control.accounts a USING (uid)
   WHERE t.token_hash = $1 AND f.revoked_at IS NULL AND NOT a.is_disabled`,
);
// Expired tokens are kept for a while, to tell them from tokens that never existed.
const forgetExpired = statement(
  'token-forget-expired',
  `WITH families AS (
     DELETE FROM control.token_families WHERE expires_at < now() - interval '30 days' RETURNING family_id
   ), tokens AS (
     DELETE FROM control.access_tokens WHERE expires_at < now() - interval '30 days' RETURNING token_hash
   )
   SELECT (SELECT count(*) FROM families)::int + (SELECT count(*) FROM tokens)::int AS forgotten`,
);

export class TokenStore {
  readonly #control: Database;

  constructor(control: Database) {
    this.#control = control;
  }

  /** False if the account is disabled, or its password is no longer the one that was compared. */
  async begin(
    { uid, passwordHash }: { readonly uid: bigint; readonly passwordHash?: string | undefined },
    refreshHash: Buffer,
    accessHash: Buffer,
    accessSeconds: number,
    address: string,
  ): Promise<boolean> {
    const values = [uid, refreshHash, accessHash, accessSeconds, passwordHash ?? null, address];
    return (await this.#control.query(begin, values)).length === 1;
  }

  async slide(
    refreshHash: Buffer,
    accessHash: Buffer,
    accessSeconds: number,
    address: string,
  ): Promise<RefreshRow | undefined> {
    const values = [refreshHash, accessHash, accessSeconds, address];
    const [row] = await this.#control.query<RefreshRow>(slide, values);
    return row;
  }

  async rotate(
    hashes: { old: Buffer; next: Buffer; access: Buffer },
    accessSeconds: number,
    graceSeconds: number,
    address: string,
  ): Promise<RefreshRow | undefined> {
    const values = [hashes.old, hashes.next, hashes.access, accessSeconds, graceSeconds, address];
    const [row] = await this.#control.query<RefreshRow>(rotate, values);
    return row;
  }

  async family(refreshHash: Buffer): Promise<FamilyRow | undefined> {
    const [row] = await this.#control.query<FamilyRow>(find, [refreshHash]);
    return row;
  }

  async revoke(familyId: string): Promise<boolean> {
    return (await this.#control.query(revoke, [familyId])).length > 0;
  }

  /** Returns how many. */
  async revokeAll(uid: bigint, on: Queryable): Promise<number> {
    return (await on.query(revokeAll, [uid])).length;
  }

  async endOne(uid: bigint, familyId: string, on: Queryable): Promise<boolean> {
    return (await on.query(endOne, [uid, familyId])).length > 0;
  }

  /** Those that can still be used, newest first. */
  ofAccount(uid: bigint): Promise<GrantRow[]> {
    return this.#control.query<GrantRow>(ofAccount, [uid, MAX_LISTED]);
  }

  async access(accessHash: Buffer): Promise<AccessRow | undefined> {
    const [row] = await this.#control.query<AccessRow>(access, [accessHash]);
    return row;
  }

  async forgetExpired(): Promise<number> {
    const [row] = await this.#control.query<{ forgotten: number }>(forgetExpired, []);
    return row?.forgotten ?? 0;
  }
}
