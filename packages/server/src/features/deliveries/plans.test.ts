/** A sender that began with an empty queue meets a very long one, before the database has counted it. */
import { createDatabase, type TestDatabase } from '@millpond/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { MOST_COUNTED } from '../../platform/db/bounded.ts';
import { Database } from '../../platform/db/database.ts';
import { openLog } from '../../platform/log.ts';
import { DeliveryFiguresStore } from './figures-store.ts';
import { QUEUE_SETTINGS, QueueStore } from './sending/queue-store.ts';
import { SettleStore } from './sending/settle-store.ts';

const MANY = 20_000;
const SHORT = 10;
const LEASE_MS = 60_000;
let copy: TestDatabase;
let region: Database;

beforeAll(async () => {
  copy = await createDatabase('region', inject('templates').region);
  // One connection, which keeps every plan that it has once made.
  region = new Database({
    url: copy.url,
    settings: { ...QUEUE_SETTINGS, plan_cache_mode: 'force_generic_plan' },
    connections: 1,
    timeoutMs: 30_000,
    applicationName: 'test',
    log: openLog('silent'),
  });
});
afterAll(async () => {
  await region.close();
  await copy.drop();
});

const run = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await region.pool.query<Row>(text, values)).rows;

/** Half of them in lanes, for ten endpoints. */
const add = (count: number) =>
  run(
    `SELECT region.add_delivery(gen_random_uuid(), 'live', 1, NULL, true, 'to ' || n % 10, 'http://127.0.0.1:9/', 'text/plain',
       'x', CASE WHEN n % 2 = 0 THEN 'cam' || n % 7 END, 'test', 'test') FROM generate_series(1, $1) AS n`,
    [count],
  );

/** Rows of the queue that were read so far, by whatever way. */
async function rowsRead(): Promise<number> {
  await run('SELECT pg_stat_force_next_flush()');
  const [row] = await run<{ rows: string }>(
    `SELECT sum(seq_tup_read) + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes i WHERE i.relid = ANY (array_agg(t.relid)))
       AS rows
     FROM pg_stat_user_tables t WHERE schemaname = 'region' AND relname = 'delivery_queue'`,
  );
  return Number(row?.rows);
}

/** Everything that a sender asks for in a turn. */
async function turn(): Promise<number> {
  const [queue, settle] = [new QueueStore(region), new SettleStore(region)];
  const { rows } = await queue.claimDue(256, LEASE_MS);
  const newest = await queue.claimDue(8, LEASE_MS, 20_000, 'newest');
  await queue.park(newest.rows);
  const parked = await queue.claimParked(new Map(rows.map((row) => [row.endpoint_id, 2])), LEASE_MS);
  const loaded = await queue.load(rows);
  expect(loaded).toHaveLength(rows.length);
  await settle.settle(
    [...rows, ...parked].map((row) => ({
      ...{ id: row.delivery_id, fence: row.fence, outcome: 'delivered', waitMs: 0, refused: false },
      attempt: undefined,
    })),
  );
  return rows.length;
}

test('plans that were made for a short queue do not read all of a long one', async () => {
  await add(SHORT);
  await run('VACUUM ANALYZE region.delivery_queue, region.deliveries, region.delivery_endpoints');
  expect(await turn()).toBeGreaterThan(0);
  await add(MANY);
  const before = await rowsRead();
  expect(await turn()).toBeGreaterThan(0);
  expect((await rowsRead()) - before).toBeLessThan(MANY / 4);
});

test('figures end at their limit, and read no more than that', async () => {
  const store = new DeliveryFiguresStore(region);
  const before = await rowsRead();
  const figures = await store.read();
  expect(figures.queued).toBe(MOST_COUNTED);
  expect(figures.due).toBeGreaterThan(0);
  expect(figures.lateSeconds).toBeGreaterThan(0);
  // Two counts, and rows that were settled before and are not cleared away yet.
  expect((await rowsRead()) - before).toBeLessThan(2.5 * MOST_COUNTED);
});

test('figures name what nobody sends, and endpoints that are suspended', async () => {
  await run('TRUNCATE region.delivery_queue, region.deliveries');
  await add(3);
  await run(
    `UPDATE region.deliveries SET state = 'failed' WHERE delivery_id IN (SELECT delivery_id FROM region.deliveries LIMIT 1)`,
  );
  await run(
    `UPDATE region.delivery_endpoints SET state = 'suspended' WHERE endpoint_id IN (SELECT endpoint_id FROM region.delivery_endpoints LIMIT 2)`,
  );
  expect(await new DeliveryFiguresStore(region).read()).toMatchObject({
    queued: 3,
    due: 3,
    unsent: 0,
    failed: 1,
    suspended: 2,
  });
});
