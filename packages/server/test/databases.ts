/** Copies of the migrated databases for one test file, opened as the server opens them. */
import { createDatabase } from '@millpond/testing';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { Database } from '../src/platform/db/database.ts';
import { openLog } from '../src/platform/log.ts';

export interface TestDatabases {
  readonly control: Database;
  readonly region: Database;
}

/** Waits until so many statements of a database wait for a lock. */
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

/** To be called at the top of a test file; what it returns is open while its tests run. */
export function useDatabases(): TestDatabases {
  const open: { control?: Database; region?: Database } = {};
  const close: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const templates = inject('templates');
    for (const name of ['control', 'region'] as const) {
      const copy = await createDatabase(name, templates[name]);
      const options = { connections: 20, timeoutMs: 15_000, applicationName: 'test', log: openLog('silent') };
      const database = new Database({ url: copy.url, ...options });
      open[name] = database;
      close.push(async () => {
        await database.close();
        await copy.drop();
      });
    }
  });
  afterAll(async () => {
    await Promise.all(close.map((each) => each()));
  });
  const opened = (name: 'control' | 'region'): Database => {
    const database = open[name];
    if (database === undefined) throw new Error('databases are open only while tests run');
    return database;
  };
  return {
    get control() {
      return opened('control');
    },
    get region() {
      return opened('region');
    },
  };
}
