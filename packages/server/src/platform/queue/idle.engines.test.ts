import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase, until } from './queue.testing.ts';
import type { Queue } from './queue.ts';

let database: TestDatabase;
let queue: Queue;

beforeAll(async () => {
  database = await createTestDatabase();
  queue = database.open();
  await queue.define('media', { kind: 'normal' });
  await queue.define('media-idle', { kind: 'idle' });
});
afterAll(() => database.drop());

test('idle jobs start only when no normal job is left to take the slot', async () => {
  const jobs = (count: number) => Array.from({ length: count }, () => ({ data: {} }));
  await queue.enqueueMany(database.pool, 'media-idle', jobs(10));
  await queue.enqueueMany(database.pool, 'media', jobs(60));
  const order: string[] = [];
  const handler = (kind: string) => async () => {
    order.push(kind);
    await sleep(15);
  };
  const worker = await queue.work({ 'media-idle': handler('idle'), media: handler('normal') }, { slots: 4 });
  await until(() => order.length > 30);
  await queue.enqueueMany(database.pool, 'media', jobs(30));
  await until(() => order.length === 100);
  await worker.stop();
  expect(order.indexOf('idle')).toBe(90);
  expect(order.filter((kind) => kind === 'idle')).toHaveLength(10);
});

test('idle jobs fill the slots that normal ones leave free', async () => {
  let idleRunning = 0;
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await queue.enqueueMany(
    database.pool,
    'media-idle',
    Array.from({ length: 6 }, () => ({ data: {} })),
  );
  await queue.enqueue(database.pool, 'media', {});
  const worker = await queue.work(
    {
      media: () => held,
      'media-idle': async () => {
        idleRunning += 1;
        await held;
      },
    },
    { slots: 4 },
  );
  await until(() => idleRunning === 3);
  expect(worker.running()).toBe(4);
  letGo();
  await worker.stop();
});
