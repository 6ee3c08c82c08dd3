import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFailedJobs } from './queue.failures.ts';
import { createTestDatabase, type TestDatabase, until } from './queue.testing.ts';
import type { Queue } from './queue.ts';

let database: TestDatabase;
let queue: Queue;

beforeAll(async () => {
  database = await createTestDatabase();
  queue = database.open();
});
afterAll(() => database.drop());

/** Fails jobs, one for each reason, so that the last one is the newest. */
async function fail(name: string, reasons: readonly string[]): Promise<void> {
  await queue.define(name, { kind: 'normal', retryLimit: 0 });
  await queue.enqueueMany(
    database.pool,
    name,
    reasons.map((reason) => ({ data: { reason } })),
  );
  const worker = await queue.work(
    { [name]: (job) => Promise.reject(new Error(String(job.data.reason))) },
    { slots: 1 },
  );
  await until(async () => (await openFailedJobs(database.pool).list(name, 10_000)).length === reasons.length);
  await worker.stop();
}

test('are listed over all queues or of one, newest first, up to a number', async () => {
  await fail('mill', ['first', 'second']);
  await fail('pond', ['third']);
  const failed = openFailedJobs(database.pool);
  const reasons = async (...args: Parameters<typeof failed.list>) =>
    (await failed.list(...args)).map(({ reason }) => reason);
  expect(await reasons(undefined, 10)).toEqual(['third', 'second', 'first']);
  expect(await reasons(undefined, 2)).toEqual(['third', 'second']);
  expect(await reasons('mill', 10)).toEqual(['second', 'first']);
  expect(await reasons('none', 10)).toEqual([]);
  expect((await failed.list('pond', 1))[0]).toEqual({
    id: expect.any(String),
    queue: 'pond',
    failedAt: expect.any(Date),
    attempts: 1,
    data: { reason: 'third' },
    reason: 'third',
  });
});

test('show no password and no query of a URL', async () => {
  await fail('secretive', [
    'GET https://user:hunter2@example.com:8/a?token=hunter2 (from postgres://x:hunter2@db/region): refused',
  ]);
  const [job] = await openFailedJobs(database.pool).list('secretive', 1);
  expect(job?.reason).toBe('GET https://example.com:8/a?… (from postgres://db/region): refused');
});

test('one is put back with all its retries, and only if it has failed', async () => {
  await fail('single', ['a', 'b']);
  const failed = openFailedJobs(database.pool);
  const [, first] = await failed.list('single', 2);
  const id = first?.id ?? '';
  expect(await failed.retry(id)).toBe(true);
  expect(await failed.retry(id)).toBe(false);
  for (const other of [randomUUID(), 'none', '']) expect(await failed.retry(other)).toBe(false);
  expect((await failed.list('single', 9)).map(({ reason }) => reason)).toEqual(['b']);
  const { rows } = await database.pool.query('SELECT state, failures, reason FROM queue.jobs WHERE id = $1', [
    id,
  ]);
  expect(rows).toEqual([{ state: 'ready', failures: 0, reason: null }]);
});

test('all of a queue are put back, more than one statement takes, and none of another queue', async () => {
  await fail('other', ['stays']);
  await database.pool.query(
    `INSERT INTO queue.jobs (id, queue, account, data, state, tag, attempt, failures, reason, failed_at)
     SELECT gen_random_uuid(), 'many', '', '{}', 'failed', 0, 1, 1, 'x', now() FROM generate_series(1, 2001)`,
  );
  const failed = openFailedJobs(database.pool);
  expect(await failed.retryAll('many')).toBe(2001);
  expect(await failed.retryAll('many')).toBe(0);
  expect(await failed.list('other', 9)).toHaveLength(1);
});
