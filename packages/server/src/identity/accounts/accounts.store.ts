/** SQL of accounts. */
import { Fault, foldEmail } from '@millpond/protocol';
import { emptyOnDuplicate } from '../../platform/db/constraints.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/database.ts';

export interface AccountRow {
  readonly uid: bigint;
  readonly parent_uid: bigint;
  readonly email: string;
  readonly is_disabled: boolean;
  /** Whether its sessions of the console see all accounts. */
  readonly is_operator: boolean;
}

export interface ListedAccount extends AccountRow {
  readonly created_at: Date;
}

export interface LoginRow extends AccountRow {
  readonly password_hash: string | null;
}

/** What an account requires of the signatures of its own calls. */
export interface SigningRules {
  readonly oldSigning: boolean;
  readonly dateRequired: boolean;
}

export interface NewAccount {
  readonly email: string;
  readonly parentUid: bigint;
  readonly passwordHash: string | undefined;
}

const COLUMNS = 'uid, parent_uid, email, is_disabled, is_operator';
/** A job's turn; the next one takes the rest. */
const MAX_FOLDED = 1000;

// The index of servers of the version before may be in the way too, where its locale takes other letters for the same.
const insert = statement(
  'account-insert',
  `INSERT INTO control.accounts (email, email_folded, parent_uid, password_hash, password_set_at)
   VALUES ($1, $2, $3, $4, CASE WHEN $4::text IS NULL THEN NULL ELSE now() END)
   ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
);
const setEmail = statement(
  'account-set-email',
  `UPDATE control.accounts SET email = $2, email_folded = $3
   WHERE uid = $1 AND NOT EXISTS (SELECT FROM control.accounts o WHERE o.email_folded = $3 AND o.uid <> $1) RETURNING ${COLUMNS}`,
);
const setOperator = statement(
  'account-set-operator',
  `UPDATE control.accounts SET is_operator = $2 WHERE uid = $1 AND (parent_uid = 0 OR NOT $2) RETURNING ${COLUMNS}`,
);
const operators = statement(
  'account-operators',
  `SELECT ${COLUMNS} FROM control.accounts WHERE is_operator ORDER BY uid`,
);
const unfolded = statement(
  'account-unfolded',
  'SELECT uid, email FROM control.accounts WHERE email_folded IS NULL ORDER BY uid LIMIT $1',
);
// Closing an account waits for children being created, and sees them; none can be created afterwards.
const holdParent = statement(
  'account-hold-parent',
  'SELECT uid FROM control.accounts WHERE uid = $1 AND parent_uid = 0 AND NOT is_disabled FOR SHARE',
);
const holdToClose = statement(
  'account-hold-to-close',
  'SELECT uid FROM control.accounts WHERE uid = $1 FOR NO KEY UPDATE',
);
const byUid = statement('account-by-uid', `SELECT ${COLUMNS} FROM control.accounts WHERE uid = $1`);
const disabledAmong = statement(
  'account-disabled-among',
  `SELECT uid FROM unnest($1::bigint[]) AS uid
   WHERE NOT EXISTS (SELECT FROM control.accounts a WHERE a.uid = uid.uid AND NOT a.is_disabled)`,
);
const byEmail = statement(
  'account-by-email',
  `SELECT ${COLUMNS}, password_hash FROM control.accounts WHERE email_folded = $1`,
);
const list = statement(
  'account-list',
  `SELECT ${COLUMNS} FROM control.accounts WHERE uid > $1 ORDER BY uid LIMIT $2`,
);
// The column is compared by bytes, so that a prefix is a range of its index.
const page = statement(
  'account-page',
  `SELECT ${COLUMNS}, created_at FROM control.accounts
   WHERE email_folded > $2 AND email_folded >= $1 AND email_folded < $1 || chr(1114111)
   ORDER BY email_folded LIMIT $3`,
);
const children = statement(
  'account-children',
  `SELECT ${COLUMNS} FROM control.accounts WHERE parent_uid = $1 AND parent_uid <> 0 ORDER BY uid OFFSET $2 LIMIT $3`,
);
const hasChildren = statement(
  'account-has-children',
  `SELECT count(*) >= $2 AS has_as_many FROM (
     SELECT FROM control.accounts WHERE parent_uid = $1 AND parent_uid <> 0 LIMIT $2) children`,
);
const childByUid = statement(
  'account-child-by-uid',
  `SELECT ${COLUMNS} FROM control.accounts WHERE parent_uid = $1 AND parent_uid <> 0 AND uid = $2`,
);
// When an operator enables an account, that also overrides a parent's disabling.
const setDisabled = statement(
  'account-set-disabled',
  `UPDATE control.accounts SET is_disabled = $2, disabled_reason = $3, closed_at = CASE WHEN $2 THEN closed_at END,
     disabled_by_operator = $2, disabled_by_parent = $2 AND disabled_by_parent
   WHERE uid = $1 RETURNING ${COLUMNS}`,
);
const setDisabledByParent = statement(
  'account-set-disabled-by-parent',
  `UPDATE control.accounts SET disabled_by_parent = $2, is_disabled = $2 OR disabled_by_operator,
     disabled_reason = CASE WHEN disabled_by_operator THEN disabled_reason ELSE $3 END
   WHERE uid = $1 RETURNING ${COLUMNS}`,
);
const setSigning = statement(
  'account-set-signing',
  `UPDATE control.accounts SET old_signing = coalesce($2, old_signing), date_required = coalesce($3, date_required)
   WHERE uid = $1 RETURNING old_signing, date_required`,
);
// A child's buckets go where its parent's go, unless it has a region of its own.
const defaultRegion = statement(
  'account-default-region',
  `SELECT coalesce(a.default_region, p.default_region) AS region
   FROM control.accounts a LEFT JOIN control.accounts p ON p.uid = a.parent_uid WHERE a.uid = $1`,
);
const setDefaultRegion = statement(
  'account-set-default-region',
  'UPDATE control.accounts SET default_region = $2 WHERE uid = $1',
);
const setPassword = statement(
  'account-set-password',
  'UPDATE control.accounts SET password_hash = $2, password_set_at = now() WHERE uid = $1 RETURNING uid',
);

// Children depend on their parent's account and go with it.
const close = statement(
  'account-close',
  `UPDATE control.accounts SET is_disabled = true, disabled_by_operator = true, disabled_reason = 'closed',
     closed_at = coalesce(closed_at, now())
   WHERE uid = $1 OR (parent_uid = $1 AND parent_uid <> 0) RETURNING ${COLUMNS}`,
);
const LONG_CLOSED = `closed_at < now() - $1::bigint * interval '1 day'`;
// Accounts whose last buckets are in other regions are left to those regions.
const closedLongAgo = statement(
  'account-closed-long-ago',
  `SELECT ${COLUMNS} FROM control.accounts a WHERE ${LONG_CLOSED}
     AND (EXISTS (SELECT FROM control.buckets b WHERE b.uid = a.uid AND b.region = $3)
          OR NOT EXISTS (SELECT FROM control.buckets b WHERE b.uid = a.uid))
   ORDER BY uid DESC LIMIT $2`,
);
const isLongClosed = statement(
  'account-is-long-closed',
  `SELECT uid FROM control.accounts WHERE ${LONG_CLOSED} AND uid = $2`,
);
// An account that an operator has enabled in between keeps everything it owns.
const remove = statement(
  'account-remove',
  `WITH closed AS MATERIALIZED (
     SELECT uid FROM control.accounts a WHERE uid = $1 AND closed_at IS NOT NULL
       AND NOT EXISTS (SELECT FROM control.buckets b WHERE b.uid = a.uid) FOR UPDATE
   ), families AS (DELETE FROM control.token_families WHERE uid IN (SELECT uid FROM closed)),
      keys AS (DELETE FROM control.access_keys WHERE uid IN (SELECT uid FROM closed)),
      secrets AS (DELETE FROM control.webhook_secrets WHERE uid IN (SELECT uid FROM closed))
   DELETE FROM control.accounts WHERE uid IN (SELECT uid FROM closed) RETURNING uid`,
);

export class AccountStore {
  readonly #control: Database;

  constructor(control: Database) {
    this.#control = control;
  }

  /** Undefined if the e-mail is taken. A parent is locked until the transaction ends, and must be allowed to act. */
  async insert(account: NewAccount, on: Queryable): Promise<AccountRow | undefined> {
    const { parentUid } = account;
    if (parentUid !== 0n && (await on.query(holdParent, [parentUid])).length === 0)
      throw new Fault('badToken', { detail: 'the parent is disabled' });
    const { email, passwordHash = null } = account;
    const [row] = await on.query<AccountRow>(insert, [email, foldEmail(email), parentUid, passwordHash]);
    return row;
  }

  /** Undefined if another account has it; a surrounding transaction can then only be rolled back. */
  async setEmail(uid: bigint, email: string, on: Queryable): Promise<AccountRow | undefined> {
    const [row] = await emptyOnDuplicate(on.query<AccountRow>(setEmail, [uid, email, foldEmail(email)]));
    return row;
  }

  /** Undefined for a child, which can't be one. */
  async setOperator(uid: bigint, isOperator: boolean, on: Queryable): Promise<AccountRow | undefined> {
    const [row] = await on.query<AccountRow>(setOperator, [uid, isOperator]);
    return row;
  }

  operators(): Promise<AccountRow[]> {
    return this.#control.query<AccountRow>(operators, []);
  }

  /** What servers of the version before left to be folded. Returns how many were; one that another account has is left. */
  async foldEmails(): Promise<number> {
    let folded = 0;
    for (const { uid, email } of await this.#control.query<AccountRow>(unfolded, [MAX_FOLDED]))
      if ((await this.setEmail(uid, email, this.#control)) !== undefined) folded++;
    return folded;
  }

  async byUid(uid: bigint): Promise<AccountRow | undefined> {
    const [row] = await this.#control.query<AccountRow>(byUid, [uid]);
    return row;
  }

  /** Those that are disabled or gone. */
  async disabledAmong(uids: readonly bigint[]): Promise<bigint[]> {
    const rows = await this.#control.query<{ uid: bigint }>(disabledAmong, [uids]);
    return rows.map(({ uid }) => uid);
  }

  async byEmail(email: string): Promise<LoginRow | undefined> {
    const [row] = await this.#control.query<LoginRow>(byEmail, [foldEmail(email)]);
    return row;
  }

  /** Ordered by uid, after the given one. */
  list(after: bigint, limit: number): Promise<AccountRow[]> {
    return this.#control.query<AccountRow>(list, [after, limit]);
  }

  /** Ordered by e-mail: those that begin with this, after the given one. */
  page(begins: string, after: string, limit: number): Promise<ListedAccount[]> {
    return this.#control.query<ListedAccount>(page, [foldEmail(begins), foldEmail(after), limit]);
  }

  children(parentUid: bigint, offset: number, limit: number): Promise<AccountRow[]> {
    return this.#control.query<AccountRow>(children, [parentUid, offset, limit]);
  }

  /** At least so many. */
  async hasChildren(parentUid: bigint, count: number): Promise<boolean> {
    const [row] = await this.#control.query<{ has_as_many: boolean }>(hasChildren, [parentUid, count]);
    return row?.has_as_many ?? false;
  }

  async child(parentUid: bigint, uid: bigint): Promise<AccountRow | undefined> {
    const [row] = await this.#control.query<AccountRow>(childByUid, [parentUid, uid]);
    return row;
  }

  /** A parent decides only for itself: an account that the operator disabled stays disabled, whatever the parent says. */
  async setDisabled(
    uid: bigint,
    change: { readonly isDisabled: boolean; readonly by: 'operator' | 'parent' },
    reason: string | undefined,
    on: Queryable,
  ): Promise<AccountRow | undefined> {
    const { isDisabled, by } = change;
    const update = by === 'parent' ? setDisabledByParent : setDisabled;
    const [row] = await on.query<AccountRow>(update, [uid, isDisabled, reason ?? null]);
    return row;
  }

  /** Rules that are not given stay as they are. */
  async setSigning(
    uid: bigint,
    { oldSigning, dateRequired }: Partial<SigningRules>,
    on: Queryable,
  ): Promise<SigningRules> {
    const values = [uid, oldSigning ?? null, dateRequired ?? null];
    const [row] = await on.query<{ old_signing: boolean; date_required: boolean }>(setSigning, values);
    return { oldSigning: row?.old_signing ?? true, dateRequired: row?.date_required ?? false };
  }

  async defaultRegion(uid: bigint): Promise<string | undefined> {
    const [row] = await this.#control.query<{ region: string | null }>(defaultRegion, [uid]);
    return row?.region ?? undefined;
  }

  async setDefaultRegion(uid: bigint, region: string | undefined, on: Queryable): Promise<void> {
    await on.query(setDefaultRegion, [uid, region ?? null]);
  }

  async setPassword(uid: bigint, passwordHash: string, on: Queryable): Promise<void> {
    await on.query(setPassword, [uid, passwordHash]);
  }

  /** Closes the account and its children. */
  async close(uid: bigint, on: Queryable): Promise<AccountRow[]> {
    // A separate statement: the next one must see children created by the transaction that this one waited for.
    await on.query(holdToClose, [uid]);
    return on.query<AccountRow>(close, [uid]);
  }

  /** Children before their parents. Only those that this region can act on. */
  closedLongAgo(days: number, most: number, region: string): Promise<AccountRow[]> {
    return this.#control.query<AccountRow>(closedLongAgo, [days, most, region]);
  }

  async isLongClosed(uid: bigint, days: number): Promise<boolean> {
    return (await this.#control.query(isLongClosed, [days, uid])).length === 1;
  }

  /** Also removes its keys and tokens. False if it is not closed, or has a bucket in some region. */
  async remove(uid: bigint): Promise<boolean> {
    return (await this.#control.query(remove, [uid])).length === 1;
  }
}
