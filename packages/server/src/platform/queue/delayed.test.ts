import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAttempts } from './attempts.ts';
import { startBoss } from './boss.ts';
import { promoteDue } from './enqueue.ts';
import type { Queue } from './queue.ts';
import {
  createTestDatabase,
  inTransaction,
  openTestDatabase,
  silent,
  type TestDatabase,
  until,
} from './testing.ts';

let database: TestDatabase;
let queue: Queue;

beforeAll(async () => {
  database = await createTestDatabase();
  queue = await database.open();
});
afterAll(() => database.drop());

test('delayed work runs when due, with its id, and goes with its transaction', async () => {
  await queue.define('later', { kind: 'normal' });
  const ran: { id: string; n: unknown; at: number }[] = [];
  const worker = await queue.work(
    { later: async (job) => void ran.push({ id: job.id, n: job.data.n, at: Date.now() }) },
    { slots: 4 },
  );
  const startedAt = Date.now();
  const inOneSecond = await queue.enqueueLater(database.pool, 'later', { n: 1 }, 1);
  const atTwo = await queue.enqueueLater(database.pool, 'later', { n: 2 }, new Date(startedAt + 2000), {
    account: 'a',
  });
  await queue.enqueueLater(database.pool, 'later', { n: 3 }, 3600);
  await inTransaction(database.pool, async (client) => {
    await queue.enqueueLater(client, 'later', { n: 4 }, 0);
    throw new Error('change of mind');
  }).catch(() => undefined);
  await until(() => ran.length === 2);
  await worker.stop();
  const [first, second] = ran.toSorted((a, b) => Number(a.n) - Number(b.n));
  expect([first?.id, first?.n, second?.id, second?.n]).toEqual([inOneSecond, 1, atTwo, 2]);
  expect(Number(first?.at) - startedAt).toBeGreaterThanOrEqual(950);
  expect(Number(second?.at) - startedAt).toBeGreaterThanOrEqual(1950);
});

test('several processes move due work at the same time: each row runs once', async () => {
  await queue.define('burst', { kind: 'normal' });
  await database.pool.query(`INSERT INTO queue.delayed (id, queue, account, data, due_at)
    SELECT gen_random_uuid(), 'burst', n % 5, jsonb_build_object('n', n), now() - n * interval '1 ms' FROM generate_series(1, 3000) n`);
  const ran: unknown[] = [];
  const second = await database.open();
  await second.define('burst', { kind: 'normal' });
  const handlers = { burst: async (job: { data: Record<string, unknown> }) => void ran.push(job.data.n) };
  const workers = [await queue.work(handlers, { slots: 20 }), await second.work(handlers, { slots: 20 })];
  await until(() => ran.length >= 3000);
  await Promise.all(workers.map((worker) => worker.stop()));
  expect(new Set(ran).size).toBe(3000);
  expect(ran).toHaveLength(3000);
});

test('100,000 waiting rows are not read by the polls', async () => {
  await queue.define('quick', { kind: 'normal' });
  // One connection, so that it can be asked what it has read.
  const { pool } = openTestDatabase(database.url, 1);
  const boss = await startBoss(pool, silent);
  const attempts = createAttempts(boss, pool);
  await database.pool.query(`INSERT INTO queue.delayed (id, queue, account, data, due_at)
    SELECT gen_random_uuid(), 'quick', n % 100, '{}', now() + n * interval '1 s' + interval '1 h' FROM generate_series(1, 100000) n`);
  await database.pool.query('ANALYZE queue.delayed');
  const rowsRead = async (): Promise<number> => {
    await pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await pool.query<{ read: number }>(
      "SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read FROM pg_stat_user_tables WHERE relid = 'queue.delayed'::regclass",
    );
    return rows[0]?.read ?? 0;
  };
  const before = await rowsRead();
  for (let polls = 0; polls < 10; polls += 1) {
    expect(await attempts.fetch('quick', 8)).toEqual([]);
    const definition = { name: 'quick', kind: 'normal', heartbeatSeconds: 10, longestPollMs: 1000 } as const;
    expect(await promoteDue(boss, pool, definition, 500)).toBe(0);
  }
  // Those of the other tests' workers are among them.
  expect((await rowsRead()) - before).toBeLessThan(1000);
  await boss.stop({ graceful: false, close: false });
  await pool.end();
});
