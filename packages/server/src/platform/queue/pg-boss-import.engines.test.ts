import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFailedJobs } from './queue.failures.ts';
import { createTestDatabase, type TestDatabase, until } from './queue.testing.ts';
import type { Job, Queue } from './queue.ts';

/** What pg-boss 12.35 made of its jobs: the columns that are read. */
const OLD_TABLES = `
CREATE SCHEMA pgboss;
CREATE TYPE pgboss.job_state AS ENUM ('created', 'retry', 'active', 'completed', 'cancelled', 'failed');
CREATE TABLE pgboss.job (
  id uuid NOT NULL DEFAULT gen_random_uuid(), name text NOT NULL, priority integer NOT NULL DEFAULT 0, data jsonb,
  state pgboss.job_state NOT NULL DEFAULT 'created', retry_limit integer NOT NULL DEFAULT 2,
  retry_count integer NOT NULL DEFAULT 0, start_after timestamptz NOT NULL DEFAULT now(),
  created_on timestamptz NOT NULL DEFAULT now(), started_on timestamptz, heartbeat_on timestamptz, heartbeat_seconds int,
  source_name text, source_created_on timestamptz, source_retry_count int, source_output jsonb
) PARTITION BY LIST (name);
CREATE TABLE pgboss.job_common PARTITION OF pgboss.job DEFAULT;
CREATE TABLE pgboss.job_of_old PARTITION OF pgboss.job FOR VALUES IN ('old')`;

let database: TestDatabase;
let queue: Queue;

beforeAll(async () => {
  database = await createTestDatabase(OLD_TABLES);
  queue = database.open();
  await queue.define('old', { kind: 'normal' });
});
afterAll(() => database.drop());

const add = (columns: string, values: string) =>
  database.pool.query(`INSERT INTO pgboss.job (name, ${columns}) VALUES ('old', ${values})`);
const left = async () =>
  (await database.pool.query<{ n: string }>("SELECT data ->> 'n' AS n FROM pgboss.job ORDER BY 1")).rows;

test('jobs of the tables of pg-boss are carried over while they are there, each once', async () => {
  await add('data, priority', `'{"n": "waits"}', -7`);
  await add('data, state, started_on, retry_count', `'{"n": "failed twice"}', 'retry', now(), 1`);
  await add(
    'data, state, started_on, start_after',
    `'{"n": "later"}', 'retry', now(), now() + interval '1 h'`,
  );
  await add('data, state', `'{"n": "done"}', 'completed'`);
  // One is renewed by a server that still runs, the other by nobody.
  await add(
    'data, state, started_on, heartbeat_on, heartbeat_seconds',
    `'{"n": "held"}', 'active', now(), now(), 3600`,
  );
  await add(
    'data, state, started_on, heartbeat_on, heartbeat_seconds',
    `'{"n": "abandoned"}', 'active', now() - interval '1 h', now() - interval '11 s', 10`,
  );
  await database.pool.query(
    `INSERT INTO pgboss.job (name, data, source_name, source_retry_count, source_output, source_created_on)
     VALUES ('dead-letter', '{"n": "dead"}', 'old', 5, '{"message": "broken"}', now())`,
  );
  await database.pool.query(
    `INSERT INTO queue.delayed (id, queue, account, data, due_at) VALUES
     (gen_random_uuid(), 'old', 'a', '{"n": "due"}', now()), (gen_random_uuid(), 'old', 'a', '{"n": "delayed"}', now() + interval '1 h')`,
  );

  const ran: Job[] = [];
  const worker = await queue.work({ old: async (job) => void ran.push(job) }, { slots: 4 });
  await until(() => ran.length === 4);
  // A server of the old version adds one more.
  await add('data', `'{"n": "added after"}'`);
  await until(() => ran.length === 5);
  await worker.stop();

  expect(ran.map(({ data, attempt }) => `${String(data.n)}, ${attempt}`).toSorted()).toEqual([
    'abandoned, 2',
    'added after, 1',
    'due, 1',
    'failed twice, 3',
    'waits, 1',
  ]);
  expect(await left()).toEqual([{ n: 'done' }, { n: 'held' }]);
  expect(await queue.stats()).toMatchObject([{ queue: 'old', waiting: 1, active: 0, delayed: 1, failed: 1 }]);
  const failed = openFailedJobs(database.pool);
  expect(await failed.list('old', 9)).toMatchObject([{ data: { n: 'dead' }, reason: 'broken', attempts: 6 }]);
  expect(await failed.retryAll('old')).toBe(1);
});

test('where there are none, nothing of them is left', async () => {
  const fresh = await createTestDatabase();
  try {
    const { rows } = await fresh.pool.query(
      "SELECT to_regclass('queue.delayed') AS delayed, to_regproc('queue.with_turns') AS turns, queue.carry_over(10)::int AS carried",
    );
    expect(rows).toEqual([{ delayed: null, turns: null, carried: 0 }]);
  } finally {
    await fresh.drop();
  }
});
