import { afterAll, beforeAll, expect, test } from 'vitest';
import { BOSS_SCHEMA } from './boss.ts';
import type { Queue } from './queue.ts';
import { createTestDatabase, inTransaction, type TestDatabase, until } from './testing.ts';

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
    { later: async (job) => void ran.push({ id: job.id, n: job.data['n'], at: Date.now() }) },
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
  expect(ran.map(({ id, n }) => [id, n])).toEqual([
    [inOneSecond, 1],
    [atTwo, 2],
  ]);
  const [first, second] = ran.map((entry) => entry.at - startedAt);
  expect(first).toBeGreaterThanOrEqual(950);
  expect(second).toBeGreaterThanOrEqual(1950);
  expect(second).toBeLessThan(5000);
});

test('several processes move due work at the same time: each row runs once', async () => {
  await queue.define('burst', { kind: 'normal' });
  await database.pool.query(`INSERT INTO queue.delayed (id, queue, account, data, due_at)
    SELECT gen_random_uuid(), 'burst', n % 5, jsonb_build_object('n', n), now() - n * interval '1 ms' FROM generate_series(1, 3000) n`);
  const ran: unknown[] = [];
  const second = await database.open();
  await second.define('burst', { kind: 'normal' });
  const handlers = { burst: async (job: { data: Record<string, unknown> }) => void ran.push(job.data['n']) };
  const workers = [await queue.work(handlers, { slots: 20 }), await second.work(handlers, { slots: 20 })];
  await until(() => ran.length >= 3000);
  await Promise.all(workers.map((worker) => worker.stop()));
  expect(new Set(ran).size).toBe(3000);
  expect(ran).toHaveLength(3000);
});

test('100,000 waiting rows do not slow the path from enqueue to handler, nor the polls', async () => {
  await queue.define('quick', { kind: 'normal' });
  const latency = async (): Promise<number> => {
    const taken: number[] = [];
    let arrived = (_at: number) => {};
    const worker = await queue.work({ quick: async () => arrived(performance.now()) }, { slots: 4 });
    for (let round = 0; round < 40; round += 1) {
      const arrival = new Promise<number>((resolve) => {
        arrived = resolve;
      });
      const sentAt = performance.now();
      await queue.enqueue(database.pool, 'quick', {});
      taken.push((await arrival) - sentAt);
    }
    await worker.stop();
    return taken.toSorted((a, b) => a - b)[20] ?? 0;
  };
  const none = await latency();
  await database.pool.query(`INSERT INTO queue.delayed (id, queue, account, data, due_at)
    SELECT gen_random_uuid(), 'quick', n % 100, '{}', now() + n * interval '1 s' + interval '1 h' FROM generate_series(1, 100000) n`);
  const many = await latency();
  expect(many).toBeLessThan(none * 2 + 5);
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS jobs FROM ${BOSS_SCHEMA}.job WHERE name = 'quick' AND state < 'active'`,
  );
  expect(rows).toEqual([{ jobs: 0 }]);
});
