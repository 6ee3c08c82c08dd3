import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { newBlobId } from '../../platform/blobs/index.ts';
import { type Attempt, DeliveryStore, type NewDelivery } from './store.ts';

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
    const before = Date.now();
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
    expect(before - (begun[0] ?? 0)).toBeGreaterThan(9000);
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
