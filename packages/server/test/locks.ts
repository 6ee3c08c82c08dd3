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
  await expect.poll(waiting).toBe(count);
}

/** From here on every insert into a table takes a moment, in which others that ask at the same time are under way. */
export async function slowInserts(database: Database, table: string): Promise<void> {
  await database.pool.query(
    `CREATE OR REPLACE FUNCTION take_a_moment() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN PERFORM pg_sleep(0.2); RETURN NEW; END'`,
  );
  await database.pool.query(
    `CREATE TRIGGER slow BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION take_a_moment()`,
  );
}
