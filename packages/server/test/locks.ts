/** For tests in which one statement waits for another. */
import pg from 'pg';
import { expect } from 'vitest';
import type { Database } from '../src/platform/db/database.ts';

/** A connection of its own, with a transaction that the test ends. */
export async function openTransaction(database: Database): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.pool.options.connectionString });
  await client.connect();
  await client.query('BEGIN');
  return client;
}

/** Waits until so many statements wait for a lock. */
export async function untilWaiting(database: Database, count: number): Promise<void> {
  const waiting = async () => {
    const { rows } = await database.pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]?.count;
  };
  await expect.poll(waiting, { timeout: 10_000 }).toBe(count);
}
