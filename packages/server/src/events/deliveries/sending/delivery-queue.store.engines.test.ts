import { openLog } from '@millpond/base';
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { openTransaction, untilWaiting } from '../../../../test/locks.ts';
import { Database, type Statement } from '../../../platform/db/database.ts';
import { DeliveryStore } from '../deliveries.store.ts';
import { newEvent, openDeliveries, type TestDeliveries } from '../deliveries.testing.ts';
import { type ClaimedRow, QueueStore } from './delivery-queue.store.ts';
import { type Settlement, SettleStore } from './settle.store.ts';

const databases = useDatabases();
let place: TestDeliveries;
let settle: SettleStore;
let uid = 1000n;
const LEASE_MS = 60_000;

beforeAll(() => {
  place = openDeliveries(databases);
  settle = new SettleStore(databases.region);
  return () => place.close();
});

async function run<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await databases.region.pool.query<Row>(text, values)).rows;
}

async function emptyQueue(): Promise<void> {
  await run('TRUNCATE region.delivery_queue, region.delivery_endpoints, region.delivery_lanes');
  uid += 1n;
}

function add(entity?: string, endpoint = 'one') {
  const event = newEvent('http://127.0.0.1:9/', { uid, endpoint, entity });
  return databases.region.transaction((transaction) => place.deliveries.add(transaction, event));
}

const claim = async (most = 100) => (await place.queue.claimDue(most, LEASE_MS)).rows;
const ended = (row: ClaimedRow, outcome: Settlement['outcome'] = 'delivered'): Settlement => ({
  id: row.delivery_id,
  fence: row.fence,
  outcome,
  waitMs: 0,
  refused: false,
  attempt: undefined,
});
const idsOf = (rows: readonly ClaimedRow[]) => rows.map((row) => row.delivery_id);
const statesOf = async () =>
  (await run<{ state: string }>('SELECT state FROM region.delivery_queue ORDER BY delivery_id')).map(
    (row) => row.state,
  );

async function raceLane(total: number): Promise<void> {
  await emptyQueue();
  const done: bigint[] = [];
  let isAdding = true;
  const adding = (async () => {
    for (let n = 0; n < total; n++) await add('racing');
    isAdding = false;
  })();
  const working = async () => {
    const end = performance.now() + 60_000;
    while ((isAdding || done.length < total) && performance.now() < end) {
      const rows = await claim(10);
      for (const row of rows) {
        const [found] = await place.queue.load([row]);
        done.push(found?.sequence ?? 0n);
      }
      if (rows.length > 0) await settle.settle(rows.map((row) => ended(row)));
    }
  };
  await Promise.all([adding, working(), working(), working()]);
  expect(done).toEqual(Array.from({ length: total }, (_, n) => BigInt(n + 1)));
}

describe('a claim', () => {
  test('is one sender’s until its lease ends, and then anybody’s under another fence', async () => {
    await emptyQueue();
    const { id } = await add();
    const [first] = await claim();
    expect(first?.delivery_id).toBe(id);
    expect(await claim()).toEqual([]);
    await run(`UPDATE region.delivery_queue SET due_at = now() - interval '1 second' WHERE state = 'leased'`);
    expect(idsOf(await claim())).toEqual([id]);
    if (first === undefined) throw new Error('nothing was claimed');
    await settle.settle([ended(first)]);
    // The late one settles nothing: it is the second one's now.
    expect(await statesOf()).toEqual(['leased']);
  });

  test('by many at once gives every row to exactly one', async () => {
    await emptyQueue();
    const added = await Promise.all(Array.from({ length: 60 }, () => add()));
    const claims = await Promise.all(Array.from({ length: 12 }, () => claim(10)));
    const ids = claims.flatMap(idsOf);
    const rest = idsOf(await claim());
    expect([...ids, ...rest].toSorted()).toEqual(added.map((event) => event.id).toSorted());
  });

  test('takes the first of a lane; the next is due when that is over, one after the other', async () => {
    await emptyQueue();
    const added = [await add('cam'), await add('cam'), await add('cam')];
    expect(added.map((event) => event.sequence)).toEqual([1n, 2n, 3n]);
    for (const { id } of added) {
      const rows = await claim();
      expect(idsOf(rows)).toEqual([id]);
      await settle.settle(rows.map((row) => ended(row)));
    }
    expect(await statesOf()).toEqual([]);
  });

  test('of a follower that comes while the one before it is settled is never forgotten', async () => {
    // Claims, settlements and additions of one lane, as they fall; every event must come through, in order. Once in a few
    // rounds a late claim holds a follower's row without taking it.
    for (let round = 0; round < 12; round++) await raceLane(40);
  }, 120_000);

  test('parks what belongs to an endpoint that is away, and costs it nothing from then on', async () => {
    await emptyQueue();
    await add();
    const [row] = await claim();
    const endpointId = row?.endpoint_id ?? 0n;
    await place.endpoints.open(endpointId, 60_000, 1);
    for (let n = 0; n < 5; n++) await add();
    expect(await claim()).toEqual([]);
    expect((await statesOf()).toSorted()).toEqual([
      'leased',
      'parked',
      'parked',
      'parked',
      'parked',
      'parked',
    ]);
    const rows = await place.queue.claimParked(new Map([[endpointId, 3]]), LEASE_MS);
    expect(rows).toHaveLength(3);
    expect(rows.map((each) => each.endpoint_state)).toEqual(['open', 'open', 'open']);
    await place.queue.park(rows);
    expect((await statesOf()).filter((state) => state === 'parked')).toHaveLength(5);
  });

  test('an endpoint rests only when nothing of it is parked', async () => {
    await emptyQueue();
    await add();
    const rows = await claim();
    const ids = rows.map((row) => row.endpoint_id);
    await place.queue.park(rows);
    expect(await place.endpoints.rest(ids)).toEqual([]);
    const again = await place.queue.claimParked(new Map(ids.map((id) => [id, 5])), LEASE_MS);
    expect(await place.endpoints.rest(ids)).toEqual(ids);
    await settle.settle(again.map((row) => ended(row)));
  });
});

/** Its claims wait for an advisory lock after they have begun, and before they look at the endpoints. */
class HaltingDatabase extends Database {
  static readonly LOCK = 7;

  override query<Row extends object>({ name, text }: Statement, values: readonly unknown[]): Promise<Row[]> {
    const lock = `(SELECT pg_advisory_xact_lock_shared(${HaltingDatabase.LOCK})::text) IS NOT NULL`;
    const halting = text.replace(/(?<=busy AS MATERIALIZED [^;]+? WHERE )/, `${lock} AND `);
    return super.query({ name: `${name} halting`, text: halting }, values);
  }
}

function openHalting(): HaltingDatabase {
  const url = String(databases.region.pool.options.connectionString);
  const options = { connections: 1, timeoutMs: 15_000, applicationName: 'test', log: openLog('silent') };
  return new HaltingDatabase({ url, ...options });
}

describe('an event', () => {
  test('that is parked just when its endpoint is put to rest is not forgotten there', async () => {
    await emptyQueue();
    await add();
    // EndpointUpkeep has begun a probe and finds nothing parked to probe with.
    const [endpoint] = await run<{ endpoint_id: bigint }>(
      `UPDATE region.delivery_endpoints SET state = 'half-open', failing_since = now(),
         probe_at = now() + interval '1 minute', next_at = now() + interval '1 minute' RETURNING endpoint_id`,
    );
    const halting = openHalting();
    const gate = await openTransaction(databases.region);
    await gate.query('SELECT pg_advisory_xact_lock($1)', [HaltingDatabase.LOCK]);
    const claimed = new QueueStore(halting).claimDue(10, LEASE_MS);
    await untilWaiting(databases.region, 1);
    await place.endpoints.noProbe(endpoint?.endpoint_id ?? 0n);
    await gate.query('COMMIT');
    await gate.end();
    expect(await claimed).toMatchObject({ rows: [], lookedAt: 1 });
    await halting.close();
    expect(await statesOf()).toEqual(['parked']);
    expect(await place.endpoints.due(10)).toMatchObject([{ endpoint_id: endpoint?.endpoint_id }]);
  });

  test('for an endpoint that is being forgotten goes out all the same', async () => {
    await emptyQueue();
    const event = newEvent('http://127.0.0.1:9/', { uid });
    await databases.region.transaction((transaction) => place.deliveries.add(transaction, event));
    await run('DELETE FROM region.delivery_queue');
    await run(`UPDATE region.delivery_endpoints SET retired_at = now() - interval '2 days'`);
    const forgetting = await openTransaction(databases.region);
    await forgetting.query('DELETE FROM region.delivery_endpoints WHERE retired_at IS NOT NULL');
    const added = databases.region.transaction((transaction) => place.deliveries.add(transaction, event));
    await untilWaiting(databases.region, 1);
    await forgetting.query('COMMIT');
    await forgetting.end();
    const { id } = await added;
    expect(idsOf(await claim())).toEqual([id]);
  });
});

describe('days', () => {
  test('that are over are dropped, but for one in which something still waits', async () => {
    await run(`CREATE TABLE region.deliveries_20200101 PARTITION OF region.deliveries
               FOR VALUES FROM ('2020-01-01 00:00+00') TO ('2020-01-02 00:00+00')`);
    await run(`CREATE TABLE region.deliveries_20200102 PARTITION OF region.deliveries
               FOR VALUES FROM ('2020-01-02 00:00+00') TO ('2020-01-03 00:00+00')`);
    for (const [day, state] of [
      ['2020-01-01', 'waiting'],
      ['2020-01-02', 'delivered'],
    ])
      await run(
        `INSERT INTO region.deliveries (delivery_id, created_at, kind, uid, urls, content_type, body, state, subject, reqid)
         VALUES (gen_random_uuid(), $1::timestamptz + interval '1 hour', 'live', 1, '{}', '', '', $2, '', '')`,
        [day, state],
      );
    const days = async () =>
      (
        await run<{ name: string }>(
          `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'region' AND tablename ~ '_2020\\d{4}$'`,
        )
      ).map((row) => row.name);
    expect(await new DeliveryStore(databases.region).forget(30)).toBe(1);
    expect(await days()).toEqual(['deliveries_20200101']);
    await run(`UPDATE region.deliveries SET state = 'failed' WHERE created_at < '2020-01-03'`);
    expect(await new DeliveryStore(databases.region).forget(30)).toBe(1);
    expect(await days()).toEqual([]);
  });
});
