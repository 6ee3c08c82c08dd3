/** SQL of sessions. Only hashes of cookies are stored; times come from the database's clock. */
import { type Database, type Queryable, statement } from '../../../platform/db/database.ts';

export type SignInMethod = 'password' | 'oidc';

export interface ClaimRights {
  readonly isOperator: boolean;
  /** How long the claim holds, if the provider can't be asked again. */
  readonly holdsMs?: number | undefined;
}

export interface NewSession {
  readonly uid: bigint;
  readonly how: SignInMethod;
  /** Who signed in, by e-mail. */
  readonly name: string;
  /** Given where a claim of the provider decides about the session's rights, rather than its account. */
  readonly byClaim?: ClaimRights | undefined;
  /** The session has the rights of this key of the account only. */
  readonly accessKey?: string | undefined;
  /** The hash that was compared, for a log-in by password. */
  readonly passwordHash?: string | undefined;
  readonly address: string;
  readonly agent: string;
}

export interface SessionRow {
  readonly session_id: string;
  readonly uid: bigint;
  readonly parent_uid: bigint;
  readonly access_key: string | null;
  readonly how: SignInMethod;
  readonly name: string;
  /** As it is now: what its account was made, or what the claim gave. */
  readonly is_operator: boolean;
  readonly rights_by: 'account' | 'claim';
  /** How long ago the provider confirmed the claim's rights; null where it has nothing to confirm. */
  readonly unconfirmed_ms: number | null;
  readonly address: string;
  readonly agent: string;
  readonly begun_at: Date;
  readonly last_used_at: Date;
  /** When it ends unless it is used. */
  readonly idle_until: Date;
}

/** Durations computed by the database, so the local clock does not matter. */
export interface UsableSessionRow extends SessionRow {
  readonly remaining_ms: number;
  readonly unused_ms: number;
  /** The database's clock, in milliseconds. */
  readonly now_ms: number;
}

/** An account's list shows the newest of them. */
const MAX_LISTED = 1000;

const IS_OPERATOR = `(CASE s.rights_by WHEN 'claim' THEN s.is_operator ELSE a.is_operator END
     AND a.parent_uid = 0 AND s.access_key IS NULL)`;
const COLUMNS = `s.session_id, s.uid, a.parent_uid, s.access_key, s.how, s.name, ${IS_OPERATOR} AS is_operator, s.rights_by,
     (extract(epoch FROM now() - s.confirmed_at) * 1000)::float8 AS unconfirmed_ms,
     s.address, s.agent, s.begun_at, s.last_used_at, s.idle_until`;
// A password that changed while it was being compared opens nothing: changing it locks the account's row. The key is locked too,
// so that one being disabled is seen to be.
const begin = statement(
  'session-begin',
  `WITH account AS MATERIALIZED (
     SELECT uid, is_operator FROM control.accounts
     WHERE uid = $2 AND NOT is_disabled AND ($9::text IS NULL OR password_hash = $9) FOR SHARE
   ), key AS MATERIALIZED (
     SELECT access_key FROM control.access_keys WHERE access_key = $6 AND uid = $2 AND is_enabled FOR SHARE
   )
   INSERT INTO control.sessions
     (cookie_hash, uid, how, name, is_operator, rights_by, access_key, address, agent, confirmed_at, idle_until, ends_at)
   SELECT $1, uid, $3, $4, coalesce($5::boolean, is_operator), CASE WHEN $5 IS NULL THEN 'account' ELSE 'claim' END, $6, $7, $8,
          CASE WHEN $12 THEN now() END, now() + least($10::float8, $11) * interval '1 millisecond',
          now() + $11::float8 * interval '1 millisecond'
   FROM account WHERE $6::text IS NULL OR EXISTS (SELECT FROM key)
   RETURNING session_id`,
);
const usable = statement(
  'session-usable',
  `SELECT ${COLUMNS}, (extract(epoch FROM s.idle_until - now()) * 1000)::float8 AS remaining_ms,
          (extract(epoch FROM now() - s.last_used_at) * 1000)::float8 AS unused_ms,
          (extract(epoch FROM now()) * 1000)::float8 AS now_ms
   FROM control.sessions s JOIN control.accounts a USING (uid)
   WHERE s.cookie_hash = $1 AND s.idle_until > now() AND NOT a.is_disabled`,
);
// Several processes may notice at once that a session is in use.
const renew = statement(
  'session-renew',
  `UPDATE control.sessions
   SET last_used_at = now(), idle_until = least(now() + $2::float8 * interval '1 millisecond', ends_at), address = $3
   WHERE session_id = $1 AND idle_until > now() RETURNING session_id`,
);
const holds = statement(
  'session-holds',
  'SELECT session_id FROM control.sessions WHERE session_id = $1 AND idle_until > now() FOR SHARE',
);
const ofAccount = statement(
  'session-of-account',
  `SELECT ${COLUMNS} FROM control.sessions s JOIN control.accounts a USING (uid)
   WHERE s.uid = $1 AND s.idle_until > now() ORDER BY s.begun_at DESC LIMIT $2`,
);
const end = statement(
  'session-end',
  'DELETE FROM control.sessions WHERE uid = $1 AND session_id = $2 RETURNING cookie_hash',
);
const endOthers = statement(
  'session-end-others',
  'DELETE FROM control.sessions WHERE uid = $1 AND session_id IS DISTINCT FROM $2::uuid RETURNING cookie_hash',
);
const forgetExpired = statement(
  'session-forget-expired',
  `WITH gone AS (DELETE FROM control.sessions WHERE idle_until < now() RETURNING session_id)
   SELECT count(*)::int AS forgotten FROM gone`,
);

export interface SessionLifetimes {
  readonly idleMs: number;
  readonly maxMs: number;
}

export class SessionStore {
  readonly #control: Database;

  constructor(control: Database) {
    this.#control = control;
  }

  /** Its id; undefined if the account or the key is disabled, or the password is no longer the one that was compared. */
  async begin(
    cookieHash: Buffer,
    session: NewSession,
    { idleMs, maxMs }: SessionLifetimes,
  ): Promise<string | undefined> {
    const { uid, how, name, byClaim, accessKey, passwordHash, address, agent } = session;
    const life = Math.min(maxMs, byClaim?.holdsMs ?? maxMs);
    const values = [
      cookieHash,
      uid,
      how,
      name,
      byClaim?.isOperator ?? null,
      accessKey ?? null,
      address,
      agent,
      passwordHash ?? null,
      idleMs,
      life,
      byClaim !== undefined && byClaim.holdsMs === undefined,
    ];
    const [row] = await this.#control.query<{ session_id: string }>(begin, values);
    return row?.session_id;
  }

  async usable(cookieHash: Buffer): Promise<UsableSessionRow | undefined> {
    const [row] = await this.#control.query<UsableSessionRow>(usable, [cookieHash]);
    return row;
  }

  async renew(id: string, idleMs: number, address: string): Promise<void> {
    await this.#control.query(renew, [id, idleMs, address]);
  }

  /** Whether it may be used; it then stays so until the transaction ends. */
  async holds(id: string, on: Queryable): Promise<boolean> {
    return (await on.query(holds, [id])).length === 1;
  }

  /** Newest first. */
  ofAccount(uid: bigint): Promise<SessionRow[]> {
    return this.#control.query<SessionRow>(ofAccount, [uid, MAX_LISTED]);
  }

  /** The hash of its cookie; undefined if the account has no such session. */
  async end(uid: bigint, id: string, on: Queryable): Promise<Buffer | undefined> {
    const [row] = await on.query<{ cookie_hash: Buffer }>(end, [uid, id]);
    return row?.cookie_hash;
  }

  /** All but one, or all; the hashes of their cookies. */
  async endOthers(uid: bigint, but: string | undefined, on: Queryable): Promise<Buffer[]> {
    const rows = await on.query<{ cookie_hash: Buffer }>(endOthers, [uid, but ?? null]);
    return rows.map((row) => row.cookie_hash);
  }

  async forgetExpired(): Promise<number> {
    const [row] = await this.#control.query<{ forgotten: number }>(forgetExpired, []);
    return row?.forgotten ?? 0;
  }
}
