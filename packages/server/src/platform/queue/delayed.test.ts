import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAttempts } from './attempts.ts';
import { startBoss } from './boss.ts';
import { promoteDue } from './enqueue.ts';
import type { Queue } from './queue.ts';
import { createTestDatabase, inTransaction, silent, type TestDatabase, until } from './testing.ts';

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
  expect(Number(second?.at) - startedAt).toBeLessThan(5000);
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

test('100,000 waiting rows do not slow the polls', async () => {
  await queue.define('quick', { kind: 'normal' });
  const boss = await startBoss(database.pool, silent);
  const attempts = createAttempts(boss, database.pool);
  const poll = async (): Promise<number> => {
    const startedAt = performance.now();
    expect(await attempts.fetch('quick', 8)).toEqual([]);
    expect(
      await promoteDue(
        boss,
        database.pool,
        { name: 'quick', kind: 'normal', heartbeatSeconds: 10, longestPollMs: 1000 },
        500,
      ),
    ).toBe(0);
    return performance.now() - startedAt;
  };
  // One of the shortest of many: others on the machine only ever make it longer.
  const undisturbed = async (): Promise<number> => {
    const taken: number[] = [];
    for (let round = 0; round < 101; round += 1) taken.push(await poll());
    return taken.toSorted((a, b) => a - b)[5] ?? 0;
  };
  await undisturbed();
  const none = await undisturbed();
  await database.pool.query(`INSERT INTO queue.delayed (id, queue, account, data, due_at)
    SELECT gen_random_uuid(), 'quick', n % 100, '{}', now() + n * interval '1 s' + interval '1 h' FROM generate_series(1, 100000) n`);
  const many = await undisturbed();
  await boss.stop({ graceful: false, close: false });
  expect(many).toBeLessThan(none * 2);
});
