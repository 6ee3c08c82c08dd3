/**
 * Statements that add a row while its owner has fewer than the limit. A count alone doesn't see what others are adding at the
 * same moment: whoever adds for the same owner waits here for whoever was first.
 */
import { type Statement, statement, type Transaction } from './database.ts';

const lock = statement('counted-lock', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))');

/** To be the first in its transaction: so nobody who is waited for waits for something else. */
export async function queryCounted<Row extends object>(
  on: Transaction,
  owner: bigint | string,
  counting: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  // A statement of its own: the count must see what whoever held the lock before has added.
  await on.query(lock, [`${counting.name} ${owner}`]);
  return on.query<Row>(counting, values);
}
