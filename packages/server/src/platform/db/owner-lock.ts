/**
 * Statements that add a row while its owner has fewer than the limit. A count alone does not see concurrent inserts: inserts
 * for the same owner wait for each other here.
 */
import { type Statement, statement, type Transaction } from './database.ts';

const lock = statement('counted-lock', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))');

/** Must be the first in its transaction: then no lock holder waits for anything else. */
export async function queryWithOwnerLock<Row extends object>(
  on: Transaction,
  owner: bigint | string,
  counting: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  // A separate statement: the count must see what the previous lock holder added.
  await on.query(lock, [`${counting.name} ${owner}`]);
  return on.query<Row>(counting, values);
}
