/** A sender that began with an empty queue meets a very long one, before the database has counted it. */
import { expect, test } from 'vitest';
import { usePlans } from '../../../test/plans.ts';
import { MAX_COUNTED } from '../../platform/db/sampling.ts';
import { DeliveryStatsStore } from './deliveries.figures.store.ts';
import { QUEUE_SETTINGS, QueueStore } from './sending/delivery-queue.store.ts';
import { SettleStore } from './sending/settle.store.ts';

const MANY = 20_000;
const SHORT = 10;
const LEASE_MS = 60_000;
const database = usePlans('^delivery_queue', QUEUE_SETTINGS);
const { run, costOf } = database;

/** Half of them in lanes, for ten endpoints. */
const add = (count: number) =>
  run(
    `SELECT region.add_delivery(gen_random_uuid(), 'live', 1, NULL, true, 'to ' || n % 10, 'http://127.0.0.1:9/', 'text/plain',
       'x', CASE WHEN n % 2 = 0 THEN 'cam' || n % 7 END, 'test', 'test') FROM generate_series(1, $1) AS n`,
    [count],
  );

/** Everything that a sender asks for in a turn. */
async function turn(): Promise<number> {
  const [queue, settle] = [new QueueStore(database.region), new SettleStore(database.region)];
  const { rows } = await queue.claimDue(256, LEASE_MS);
  const newest = await queue.claimDue(8, LEASE_MS, 20_000, 'newest');
  await queue.park(newest.rows);
  const parked = await queue.claimParked(new Map(rows.map((row) => [row.endpoint_id, 2])), LEASE_MS);
  const loaded = await queue.load(rows);
  expect(loaded).toHaveLength(rows.length);
  await settle.settle(
    [...rows, ...parked].map((row) => ({
      id: row.delivery_id,
      fence: row.fence,
      outcome: 'delivered',
      waitMs: 0,
      refused: false,
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
  let claimed = 0;
  const cost = await costOf(async () => {
    claimed = await turn();
  });
  expect(claimed).toBeGreaterThan(0);
  expect(cost).toBeLessThan(MANY / 4);
});

test('figures end at their limit, and read no more than that', async () => {
  const store = new DeliveryStatsStore(database.region);
  let figures: Awaited<ReturnType<typeof store.read>> | undefined;
  const cost = await costOf(async () => {
    figures = await store.read();
  });
  expect(figures?.queued).toBe(MAX_COUNTED);
  expect(figures?.due).toBeGreaterThan(0);
  expect(figures?.lateSeconds).toBeGreaterThan(0);
  // Two counts, and rows that were settled before and are not cleared away yet.
  expect(cost).toBeLessThan(2.5 * MAX_COUNTED);
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
  expect(await new DeliveryStatsStore(database.region).read()).toMatchObject({
    queued: 3,
    due: 3,
    unsent: 0,
    failed: 1,
    suspended: 2,
  });
});
