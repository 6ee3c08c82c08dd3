/**
 * A copy of a region's database through one connection, with the plans that a long-lived connection has, and how many rows
 * a piece of work reads.
 */
import { openLog } from '@millpond/base';
import { createDatabase } from '@millpond/testing';
import { afterAll, beforeAll, inject } from 'vitest';
import { Database } from '../src/platform/db/database.ts';

export interface PlannedDatabase {
  readonly region: Database;
  readonly run: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;
  /** Rows of indexes and tables that the work reads, whatever way they are reached. */
  readonly costOf: (work: () => Promise<unknown>) => Promise<number>;
}

/** To be called at the top of a test file. `tables`: a pattern of the names of those that count. */
export function usePlans(tables: string, settings: Readonly<Record<string, string>> = {}): PlannedDatabase {
  let open: Database | undefined;
  let close = async () => {};
  beforeAll(async () => {
    const copy = await createDatabase('region', inject('templates').region);
    const region = new Database({
      url: copy.url,
      settings: { ...settings, plan_cache_mode: 'force_generic_plan' },
      connections: 1,
      timeoutMs: 30_000,
      applicationName: 'test',
      log: openLog('silent'),
    });
    open = region;
    close = async () => {
      await region.close();
      await copy.drop();
    };
  });
  afterAll(() => close());
  const database = (): Database => {
    if (open === undefined) throw new Error('the database is open only while tests run');
    return open;
  };
  const run = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await database().pool.query<Row>(text, values)).rows;
  const rowsRead = async () => {
    await run('SELECT pg_stat_force_next_flush()');
    const [row] = await run<{ rows: string }>(
      `SELECT sum(seq_tup_read) + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes i WHERE i.relid = ANY (array_agg(t.relid)))
         AS rows
       FROM pg_stat_user_tables t WHERE schemaname = 'region' AND relname ~ $1`,
      [tables],
    );
    return Number(row?.rows);
  };
  return {
    get region() {
      return database();
    },
    run,
    async costOf(work) {
      const before = await rowsRead();
      await work();
      return (await rowsRead()) - before;
    },
  };
}
