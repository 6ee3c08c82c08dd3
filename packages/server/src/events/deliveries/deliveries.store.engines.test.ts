import { newBlobId } from '@millpond/blobs';
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { openTransaction } from '../../../test/locks.ts';
import { type Attempt, DeliveryStore, type NewDelivery } from './deliveries.store.ts';

const databases = useDatabases();
let store: DeliveryStore;
beforeAll(() => {
  store = new DeliveryStore(databases.region);
});

async function run<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await databases.region.pool.query<Row>(text, values)).rows;
}

function delivery(): NewDelivery {
  return {
    id: newBlobId(),
    kind: 'callback',
    uid: 7n,
    accessKey: 'ak',
    urls: ['http://example.com/a;b', 'http://example.com/{"c"}'],
    host: 'other.example.com',
    contentType: 'application/json',
    body: Buffer.from([0, 255, 34]),
    subject: 'bucket:a "key"',
    reqid: 'r',
  };
}

function attempt(overrides: Partial<Attempt> = {}): Attempt {
  return {
    url: 'http://e/',
    status: 200,
    durationMs: 5,
    requestHeaders: undefined,
    answerHeaders: undefined,
    response: undefined,
    error: undefined,
    ...overrides,
  };
}

describe('a delivery', () => {
  test('is recorded as it was handed in, unsent', async () => {
    const sent = delivery();
    await store.insert(sent);
    const [row] = await run('SELECT * FROM region.deliveries WHERE delivery_id = $1', [sent.id]);
    expect(row).toMatchObject({
      kind: 'callback',
      uid: 7n,
      access_key: 'ak',
      urls: sent.urls,
      host: 'other.example.com',
      content_type: 'application/json',
      body: sent.body,
      state: 'unsent',
      subject: 'bucket:a "key"',
      reqid: 'r',
    });
  });

  test('stands or falls with its transaction', async () => {
    const sent = delivery();
    await expect(
      databases.region.transaction(async (transaction) => {
        await store.insert(sent, transaction);
        throw new Error('the object was refused');
      }),
    ).rejects.toThrow();
    expect(await run('SELECT FROM region.deliveries WHERE delivery_id = $1', [sent.id])).toEqual([]);
  });

  test('ends with its tries: in order, each with the time at which it began', async () => {
    const sent = delivery();
    await store.insert(sent);
    await store.settle(sent.id, 'failed', [
      attempt({ status: undefined, durationMs: 10_000, error: 'no answer in time' }),
      attempt({ status: 500, durationMs: 200, response: Buffer.from([0, 1, 255]), error: 'a\0b' }),
      attempt({ status: 502, durationMs: 30, error: 'x'.repeat(5000) }),
    ]);
    const rows = await run<{ begun_at: Date; error: string; attempt: number }>(
      `SELECT a.*, d.state FROM region.delivery_attempts a JOIN region.deliveries d USING (delivery_id)
       WHERE delivery_id = $1 ORDER BY attempt`,
      [sent.id],
    );
    expect(rows).toMatchObject([
      {
        attempt: 1,
        status: null,
        duration_ms: 10_000,
        response: null,
        error: 'no answer in time',
        state: 'failed',
      },
      { attempt: 2, status: 500, duration_ms: 200, response: Buffer.from([0, 1, 255]), error: 'ab' },
      { attempt: 3, status: 502, duration_ms: 30, response: null },
    ]);
    expect(rows[2]?.error).toHaveLength(1000);
    const begun = rows.map((row) => row.begun_at.getTime());
    expect(Date.now() - (begun[0] ?? 0)).toBeGreaterThan(10_000);
    expect([(begun[1] ?? 0) - (begun[0] ?? 0), (begun[2] ?? 0) - (begun[1] ?? 0)]).toEqual([10_000, 200]);
  });

  test('whose tries took no time at all has none that began after a later one', async () => {
    const sent = delivery();
    await store.insert(sent);
    await store.settle(
      sent.id,
      'failed',
      Array.from({ length: 500 }, () => attempt({ durationMs: 0 })),
    );
    const rows = await run<{ attempt: number }>(
      'SELECT attempt FROM region.delivery_attempts WHERE delivery_id = $1 ORDER BY begun_at, attempt',
      [sent.id],
    );
    expect(rows.map((row) => row.attempt)).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
  });

  test('lies in the table of its day, and there are tables for the days to come', async () => {
    const sent = delivery();
    await store.insert(sent);
    await store.ensureDays(9);
    await store.ensureDays(9);
    const [row] = await run<{ name: string }>(
      'SELECT tableoid::regclass::text AS name FROM region.deliveries WHERE delivery_id = $1',
      [sent.id],
    );
    expect(row?.name).toMatch(/deliveries_\d{8}$/);
    const tables = await run(
      `SELECT FROM pg_tables WHERE schemaname = 'region' AND tablename ~ '^deliver\\w+_\\d{8}$'`,
    );
    expect(tables.length).toBeGreaterThanOrEqual(20);
  });
});

describe('days', () => {
  const tablesOf = async (table: string) =>
    (
      await run<{ name: string }>(
        `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = $1::regclass AND c.relname ~ '_\\d{8}$' ORDER BY c.relname`,
        [`region.${table}`],
      )
    ).map((row) => row.name);
  const dropAll = async (table: string) => {
    for (const name of await tablesOf(table)) await run(`DROP TABLE region.${name}`);
  };

  test('are made again after all workers were away for weeks, but for the one that has begun without', async () => {
    await dropAll('deliveries');
    await store.insert(delivery());
    await store.ensureDays(7);
    // All but today's; all of them where it is tomorrow by now.
    expect((await tablesOf('deliveries')).length).toBeGreaterThanOrEqual(7);
  });

  test('that had no table of their own go as well, but for what still waits', async () => {
    await run('DELETE FROM region.deliveries_default');
    for (const [id, state] of [
      [newBlobId(), 'waiting'],
      [newBlobId(), 'delivered'],
    ]) {
      await run(
        `INSERT INTO region.deliveries (delivery_id, created_at, kind, uid, urls, content_type, body, state, subject, reqid)
         VALUES ($1, '2020-01-01', 'live', 1, '{}', '', '', $2, '', '')`,
        [id, state],
      );
      await run(
        `INSERT INTO region.delivery_attempts (delivery_id, attempt, begun_at, url, duration_ms)
         VALUES ($1, 1, '2020-01-01', '', 1)`,
        [id],
      );
    }
    await store.forget(30);
    expect(await run('SELECT state FROM region.deliveries_default')).toEqual([{ state: 'waiting' }]);
    expect(await run('SELECT FROM region.delivery_attempts_default')).toEqual([]);
  });

  test('wait for their turn while a backup holds the tables, and let everybody else through', async () => {
    await dropAll('deliveries');
    await run(`CREATE TABLE region.delivery_attempts_20200101 PARTITION OF region.delivery_attempts
               FOR VALUES FROM ('2020-01-01 00:00+00') TO ('2020-01-02 00:00+00')`);
    const backup = await openTransaction(databases.region);
    await backup.query('LOCK TABLE region.deliveries, region.delivery_attempts IN ACCESS SHARE MODE');
    const [made, dropped] = [store.ensureDays(7), store.forget(30)];
    const sent = delivery();
    await store.insert(sent);
    await store.settle(sent.id, 'delivered', [attempt()]);
    await made;
    expect(await dropped).toBe(0);
    await backup.query('COMMIT');
    await backup.end();
    expect(await store.forget(30)).toBe(1);
  });
});

test('counters of objects go after two days in which nothing waits, others after ninety', async () => {
  const lane = async (entity: string, days: number, isWaiting = false) => {
    const [row] = await run(
      `INSERT INTO region.delivery_lanes (endpoint_id, entity, sequence, told_at)
       VALUES (77, $1, 1, now() - $2 * interval '1 day') RETURNING lane_id`,
      [entity, days],
    );
    if (isWaiting)
      await run(
        `INSERT INTO region.delivery_queue (delivery_id, created_at, endpoint_id, uid, lane_id, sequence, size)
         VALUES (gen_random_uuid(), now(), 77, 1, $1, 1, 1)`,
        [(row as { lane_id: bigint }).lane_id],
      );
  };
  await lane('object b:old', 3);
  await lane('object b:waiting', 3, true);
  await lane('object b:young', 1);
  await lane('stream s', 89);
  await lane('stream old', 91);
  await store.forget(30);
  const left = await run('SELECT entity FROM region.delivery_lanes WHERE endpoint_id = 77 ORDER BY entity');
  expect(left).toEqual(['object b:waiting', 'object b:young', 'stream s'].map((entity) => ({ entity })));
});

test('endpoints of event rules that get nothing for a month go a day later, other configured ones stay', async () => {
  await run(
    `INSERT INTO region.delivery_endpoints (uid, is_configured, name, url, created_at, retired_at)
     SELECT 77, true, name, 'http://127.0.0.1:9/', now() - interval '40 days', now() - interval '2 days'
     FROM unnest(ARRAY['bucket b/r', 'live ns']) AS name`,
  );
  await store.forget(30);
  expect(await run('SELECT name FROM region.delivery_endpoints WHERE uid = 77')).toEqual([
    { name: 'live ns' },
  ]);
});
