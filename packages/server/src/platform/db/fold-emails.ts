/** The part of the migration to folded addresses that SQL can't do without asking the database's locale. */
import { foldEmail } from '@millpond/protocol';
import type pg from 'pg';

const BATCH = 5_000;
const MAX_LISTED = 100;

interface StoredAddress {
  readonly uid: string;
  readonly email: string;
}

/** Folds every address; throws, with a list, if two accounts then have the same. */
export async function foldEmails(client: pg.Client): Promise<void> {
  for (let after = '0'; ; ) {
    const { rows } = await client.query<StoredAddress>(
      'SELECT uid::text AS uid, email FROM control.accounts WHERE uid > $1::bigint ORDER BY accounts.uid LIMIT $2',
      [after, BATCH],
    );
    await client.query(
      `UPDATE control.accounts a SET email_folded = n.folded FROM unnest($1::bigint[], $2::text[]) AS n (uid, folded)
       WHERE a.uid = n.uid AND a.email_folded IS DISTINCT FROM n.folded`,
      [rows.map(({ uid }) => uid), rows.map(({ email }) => foldEmail(email))],
    );
    if (rows.length < BATCH) break;
    after = rows.at(-1)?.uid ?? after;
  }
  await assertNoTwins(client);
}

async function assertNoTwins(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ accounts: string[] }>(
    `SELECT array_agg(email || ' (uid ' || uid || CASE WHEN parent_uid = 0 THEN '' ELSE ', child of ' || parent_uid END || ')'
              ORDER BY uid) AS accounts
     FROM control.accounts GROUP BY email_folded HAVING count(*) > 1 ORDER BY min(uid) LIMIT $1`,
    [MAX_LISTED + 1],
  );
  if (rows.length === 0) return;
  const lines = rows.slice(0, MAX_LISTED).map(({ accounts }) => `  ${accounts.map(visible).join(' and ')}`);
  throw new Error(
    [
      'accounts share an address once addresses are folded (NFKC, then lower case):',
      ...lines,
      ...(rows.length > MAX_LISTED ? ['  and more'] : []),
      'Nothing was changed, and servers of the version before go on. Give all but one of each line another address, then run this again:',
      '  millpond account email <uid> <new address>',
    ].join('\n'),
  );
}

/** Letters that look like others are written out. */
function visible(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);
}
