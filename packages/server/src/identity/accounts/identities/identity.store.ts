/** SQL of people of an identity provider, and the accounts that they have joined. */
import { type Database, type Queryable, statement } from '../../../platform/db/database.ts';

/** Known by both together: a subject means nothing at another issuer. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

export interface IdentityRow extends Identity {
  readonly uid: bigint;
  /** By which they joined, folded. */
  readonly address: string;
  readonly is_listed: boolean;
  readonly joined_at: Date;
}

export interface Joining extends Identity {
  readonly uid: bigint;
  readonly address: string;
  /** A setting assigns the address to the account. */
  readonly isListed: boolean;
  /** The setting names the account by its uid, which nobody can register: no invitation is needed. */
  readonly isCertain: boolean;
}

const COLUMNS = 'issuer, subject, uid, address, is_listed, joined_at';
const find = statement(
  'identity-find',
  `SELECT ${COLUMNS} FROM control.identities WHERE issuer = $1 AND subject = $2`,
);
const ofAccount = statement(
  'identity-of-account',
  `SELECT ${COLUMNS} FROM control.identities WHERE uid = $1 ORDER BY joined_at, issuer, subject`,
);
// An invitation is used up. Of two who come at once with one address, the constraint lets one in.
const join = statement(
  'identity-join',
  `WITH account AS MATERIALIZED (
     SELECT uid, parent_uid FROM control.accounts
     WHERE uid = $3 AND ($6 OR parent_uid = 0 OR invited_at IS NOT NULL) FOR NO KEY UPDATE
   ), joined AS (
     INSERT INTO control.identities (issuer, subject, uid, address, is_listed)
     SELECT $1, $2, uid, $4, $5 FROM account ON CONFLICT DO NOTHING RETURNING uid
   ), used AS (
     UPDATE control.accounts SET invited_at = NULL WHERE uid IN (SELECT uid FROM joined) AND invited_at IS NOT NULL
   )
   SELECT account.uid, joined.uid IS NOT NULL AS is_joined FROM account LEFT JOIN joined USING (uid)`,
);
const remove = statement(
  'identity-remove',
  'DELETE FROM control.identities WHERE uid = $1 AND subject = $2 RETURNING uid',
);
const invite = statement(
  'identity-invite',
  'UPDATE control.accounts SET invited_at = now() WHERE uid = $1 RETURNING uid',
);
const endSessions = statement(
  'identity-end-sessions',
  `DELETE FROM control.sessions WHERE uid = $1 AND how = 'oidc' RETURNING session_id`,
);

export class IdentityStore {
  readonly #control: Database;

  constructor(control: Database) {
    this.#control = control;
  }

  async find({ issuer, subject }: Identity): Promise<IdentityRow | undefined> {
    const [row] = await this.#control.query<IdentityRow>(find, [issuer, subject]);
    return row;
  }

  ofAccount(uid: bigint): Promise<IdentityRow[]> {
    return this.#control.query<IdentityRow>(ofAccount, [uid]);
  }

  /** `taken`: the person has joined an account already, or another person by this address. */
  async join(
    { issuer, subject, uid, address, isListed, isCertain }: Joining,
    on: Queryable,
  ): Promise<'joined' | 'taken' | 'notInvited'> {
    const values = [issuer, subject, uid, address, isListed, isCertain];
    const [row] = await on.query<{ is_joined: boolean }>(join, values);
    if (row === undefined) return 'notInvited';
    return row.is_joined ? 'joined' : 'taken';
  }

  /** False if the account has no such person. */
  async remove(uid: bigint, subject: string, on: Queryable): Promise<boolean> {
    return (await on.query(remove, [uid, subject])).length > 0;
  }

  async invite(uid: bigint, on: Queryable): Promise<void> {
    await on.query(invite, [uid]);
  }

  /** Sessions do not say whose of the account's people they are: all of theirs end. */
  async endSessions(uid: bigint, on: Queryable): Promise<void> {
    await on.query(endSessions, [uid]);
  }
}
