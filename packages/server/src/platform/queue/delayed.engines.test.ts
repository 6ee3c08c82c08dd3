import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAttempts } from './attempts.ts';
import { definedQueue } from './definitions.ts';
import { beginDue } from './due.ts';
import {
  createTestDatabase,
  inTransaction,
  openTestDatabase,
  type TestDatabase,
  until,
} from './queue.testing.ts';
import type { Queue } from './queue.ts';

let database: TestDatabase;
let queue: Queue;

beforeAll(async () => {
  database = await createTestDatabase();
  queue = database.open();
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
  await database.pool.query(`INSERT INTO queue.jobs (id, queue, account, data, state, until)
    SELECT gen_random_uuid(), 'burst', n % 5, jsonb_build_object('n', n), 'delayed', now() - n * interval '1 ms' FROM generate_series(1, 3000) n`);
  const ran: unknown[] = [];
  const second = database.open();
  await second.define('burst', { kind: 'normal' });
  const handlers = { burst: async (job: { data: Record<string, unknown> }) => void ran.push(job.data.n) };
  const workers = [await queue.work(handlers, { slots: 20 }), await second.work(handlers, { slots: 20 })];
  await until(() => ran.length >= 3000);
  await Promise.all(workers.map((worker) => worker.stop()));
  expect(new Set(ran).size).toBe(3000);
  expect(ran).toHaveLength(3000);
});

test('of 100,000 jobs that wait a poll reads those that it takes', async () => {
  await queue.define('quick', { kind: 'normal' });
  // One connection, so that it can be asked what it has read.
  const { pool } = openTestDatabase(database.url, 1);
  const attempts = createAttempts(pool);
  // Not in one statement: a busy machine would run into its time limit.
  for (let inserted = 0; inserted < 100_000; inserted += 10_000) {
    await database.pool.query(`INSERT INTO queue.jobs (id, queue, account, data, state, until)
      SELECT gen_random_uuid(), 'quick', n % 100, '{}', 'delayed', now() + n * interval '1 s' + interval '1 h' FROM generate_series(1, 5000) n`);
    await database.pool.query(`INSERT INTO queue.jobs (id, queue, account, data, state, tag)
      SELECT gen_random_uuid(), 'quick', n % 100, '{}', 'ready', ${inserted} + n / 100 FROM generate_series(1, 5000) n`);
  }
  await database.pool.query('ANALYZE queue.jobs');
  const rowsRead = async (): Promise<number> => {
    await pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await pool.query<{ read: number }>(
      "SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read FROM pg_stat_user_tables WHERE relid = 'queue.jobs'::regclass",
    );
    return rows[0]?.read ?? 0;
  };
  const before = await rowsRead();
  for (let polls = 0; polls < 10; polls += 1) {
    expect(await attempts.claim(definedQueue('quick', { kind: 'normal' }), 8)).toHaveLength(8);
    expect(await beginDue(pool, 'quick', 500)).toBe(0);
  }
  // Those of the other tests' workers are among them.
  expect((await rowsRead()) - before).toBeLessThan(1000);
  await pool.end();
});
