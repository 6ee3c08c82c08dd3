import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgetPassedTurns } from './fair-share.ts';
import { createTestDatabase, inTransaction, type TestDatabase, until } from './queue.testing.ts';
import type { Queue } from './queue.ts';

let database: TestDatabase;
let queue: Queue;

beforeAll(async () => {
  database = await createTestDatabase();
  queue = database.open();
});
afterAll(() => database.drop());

const jobsOf = (account: string, count: number) =>
  Array.from({ length: count }, () => ({ data: { account }, account }));

describe('accounts take turns', () => {
  test('a light account behind four heavy ones is served at once', async () => {
    await queue.define('turns', { kind: 'normal' });
    for (const account of ['h1', 'h2', 'h3', 'h4'])
      await queue.enqueueMany(database.pool, 'turns', jobsOf(account, 500));
    const order: unknown[] = [];
    const worker = await queue.work(
      {
        turns: async (job) => {
          await sleep(10);
          order.push(job.data.account);
        },
      },
      { slots: 4 },
    );
    await until(() => order.length > 100);
    await queue.enqueueMany(database.pool, 'turns', jobsOf('light', 3));
    const before = order.length;
    await until(() => order.filter((account) => account === 'light').length === 3);
    await worker.stop();
    // In line of arrival the light account would wait for all of the 2,000.
    expect(order.length - before).toBeLessThan(150);
  });

  test('heavy accounts share evenly while the jobs last', async () => {
    await queue.define('shares', { kind: 'normal' });
    for (const account of ['a', 'b', 'c'])
      await queue.enqueueMany(database.pool, 'shares', jobsOf(account, 100));
    const order: unknown[] = [];
    const worker = await queue.work(
      { shares: async (job) => void order.push(job.data.account) },
      { slots: 1 },
    );
    await until(() => order.length === 300);
    await worker.stop();
    for (const account of ['a', 'b', 'c']) {
      const early = order.slice(0, 60).filter((entry) => entry === account).length;
      expect(early).toBeGreaterThanOrEqual(18);
    }
  });

  test('an account that was idle has saved nothing up, and one that was busy owes nothing', async () => {
    await queue.define('credit', { kind: 'normal' });
    await queue.enqueueMany(database.pool, 'credit', jobsOf('busy', 200));
    const order: unknown[] = [];
    const work = () => queue.work({ credit: async (job) => void order.push(job.data.account) }, { slots: 1 });
    const first = await work();
    await until(() => order.length === 200);
    await first.stop();
    for (const account of ['fresh', 'busy'])
      await queue.enqueueMany(database.pool, 'credit', jobsOf(account, 50));
    const second = await work();
    await until(() => order.length === 300);
    await second.stop();
    const early = order.slice(200, 220).filter((account) => account === 'busy').length;
    expect(early).toBeGreaterThanOrEqual(8);
    expect(early).toBeLessThanOrEqual(12);
  });

  test('open transactions of one account neither wait for each other nor deadlock', async () => {
    await queue.define('open', { kind: 'normal' });
    await queue.define('open-too', { kind: 'normal' });
    let added = 0;
    const everybodyHasOne = async () => {
      added += 1;
      await until(() => added >= 3);
    };
    const enqueueBoth = (names: string[]) =>
      inTransaction(database.pool, async (client) => {
        for (const name of names) {
          await queue.enqueue(client, name, {}, { account: 'one' });
          await everybodyHasOne();
        }
      });
    // All three hold their first job when they add the second: whoever waited for another's end would wait for ever.
    await Promise.all([
      enqueueBoth(['open', 'open-too']),
      enqueueBoth(['open-too', 'open']),
      enqueueBoth(['open', 'open-too']),
    ]);
  });
});

describe('upkeep', () => {
  test('accounts whose turn has passed are forgotten', async () => {
    await queue.define('passed', { kind: 'normal' });
    await queue.enqueueMany(database.pool, 'passed', [...jobsOf('gone', 2), ...jobsOf('waiting', 9)]);
    await database.pool.query("UPDATE queue.virtual_time SET tag = 5 WHERE queue = 'passed'");
    await forgetPassedTurns(database.pool);
    const { rows } = await database.pool.query(
      "SELECT account FROM queue.account_turns WHERE queue = 'passed'",
    );
    expect(rows).toEqual([{ account: 'waiting' }]);
  });
});
