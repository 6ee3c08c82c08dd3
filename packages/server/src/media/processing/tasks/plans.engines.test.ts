/** A page of the list of tasks reads what it shows, however many tasks are newer. */
import { beforeAll, expect, test } from 'vitest';
import { usePlans } from '../../../../test/plans.ts';
import { TaskStore } from './task.store.ts';

const TASKS = 20_000;
const UID = 7n;
const database = usePlans('^tasks');
const { run, costOf } = database;
const ANY = {
  code: undefined,
  pipeline: undefined,
  bucketId: undefined,
  key: undefined,
  from: undefined,
  to: undefined,
  before: undefined,
};

beforeAll(async () => {
  await run(
    `INSERT INTO region.tasks (task_id, id_time, created_at, uid, bucket_id, input_bucket, input_key, blob_id, segment_count,
       fsize, hash, mime_type, code, items, is_idle, is_admitted, is_forced, reqid)
     SELECT 'z0.' || lpad(n::text, 8, '0'), at, at, $2, 1, 'b', 'k' || n / 5, gen_random_uuid(), 1, 3, 'h', 'text/plain', 0, '[]',
       false, true, false, 'r'
     FROM generate_series(1, $1) AS n, LATERAL (SELECT now() - interval '1 hour' + n * interval '1 millisecond' AS at) AS times`,
    [TASKS, UID],
  );
  await run('ANALYZE region.tasks');
});

test.each([UID, undefined])('a late page (account %s) reads nothing of the pages before it', async (uid) => {
  const store = new TaskStore(database.region);
  const filter = { ...ANY, uid };
  const [first] = await store.list({ ...filter, limit: 1 });
  expect(first?.task_id).toBe(`z0.${TASKS.toString().padStart(8, '0')}`);
  const [middle] = await run<{ at: string }>(
    `SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') AS at
     FROM region.tasks WHERE task_id = 'z0.00010000'`,
  );
  const before = { createdAt: middle?.at ?? '', id: 'z0.00010000' };
  let ids: string[] = [];
  const cost = await costOf(async () => {
    ids = (await store.list({ ...filter, before, limit: 20 })).map((row) => row.task_id);
  });
  expect(ids).toEqual(Array.from({ length: 20 }, (_, n) => `z0.${(9999 - n).toString().padStart(8, '0')}`));
  expect(cost).toBeLessThan(TASKS / 10);
});

test('a list of one day, which is not the last, reads that day', async () => {
  const store = new TaskStore(database.region);
  const [oldest] = await run<{ at: Date }>('SELECT min(created_at) AS at FROM region.tasks');
  const to = new Date((oldest?.at.getTime() ?? 0) + 100);
  const cost = await costOf(async () => {
    const rows = await store.list({ ...ANY, uid: UID, to, limit: 20 });
    expect(rows).toHaveLength(20);
  });
  expect(cost).toBeLessThan(TASKS / 10);
});

test.each([UID, undefined])(
  'the tasks of one object (account %s) are found without reading others',
  async (uid) => {
    const store = new TaskStore(database.region);
    let found: string[] = [];
    const cost = await costOf(async () => {
      const rows = await store.list({ ...ANY, uid, bucketId: 1n, key: 'k1', limit: 20 });
      found = rows.map((row) => row.task_id);
    });
    expect(found).toEqual([9, 8, 7, 6, 5].map((n) => `z0.${n.toString().padStart(8, '0')}`));
    expect(cost).toBeLessThan(100);
  },
);
