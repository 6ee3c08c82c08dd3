/** A page of the record of deliveries reads what it shows, however many are newer. */
import { beforeAll, expect, test } from 'vitest';
import { usePlans } from '../../../test/plans.ts';
import { type DeliveryListPage, RecordStore } from './delivery-list.store.ts';

const DELIVERIES = 20_000;
const HOUR_MS = 3_600_000;
/** Rows before the late page. */
const EARLIER = DELIVERIES / 4;
const database = usePlans('^deliveries');
const { run, costOf } = database;

beforeAll(async () => {
  await run(`SELECT region.delivery_endpoint(1, false, 'o', 'http://127.0.0.1:9/')`);
  // Ids in the order of their times, as they are made.
  await run(
    `INSERT INTO region.deliveries (delivery_id, created_at, kind, uid, urls, content_type, body, state, subject, reqid, endpoint_id)
     SELECT lpad(to_hex(n), 32, '0')::uuid, now() - interval '1 minute' + n * interval '1 millisecond', 'notification', 1,
       '{http://127.0.0.1:9/}', 'text/plain', 'x', CASE WHEN n % 2 = 0 THEN 'delivered' ELSE 'failed' END, 's', 'r',
       (SELECT min(endpoint_id) FROM region.delivery_endpoints)
     FROM generate_series(1, $1) AS n`,
    [DELIVERIES],
  );
  await run('ANALYZE region.deliveries');
});

test.each([
  { of: 'an account', uid: 1n },
  { of: 'what failed', uid: 1n, state: 'failed' as const },
  { of: 'an endpoint', uid: 1n, endpointId: 1n },
  { of: 'everybody', uid: undefined },
])('a late page of $of reads nothing of the pages before it', async ({ uid, state, endpointId }) => {
  const store = new RecordStore(database.region);
  const range = { since: new Date(Date.now() - HOUR_MS), until: new Date(Date.now() + HOUR_MS) };
  const filter = { uid, state, endpointId, ...range };
  const { rows, next } = await store.page(filter, undefined, EARLIER);
  expect(next).toBe(rows.at(-1)?.delivery_id);
  let page: DeliveryListPage | undefined;
  const cost = await costOf(async () => {
    page = await store.page(filter, next, 20);
  });
  expect(page?.rows).toHaveLength(20);
  expect(page?.rows.every(({ delivery_id }) => delivery_id < (next ?? ''))).toBe(true);
  expect(cost).toBeLessThan(EARLIER / 10);
});
