import { expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { MAX_COUNTED } from '../../../platform/db/sampling.ts';
import { figuresOf, TrashStatsStore } from './trash-stats.store.ts';

const databases = useDatabases();
const run = (text: string) => databases.region.pool.query(text);

const add = (count: number, fsize = 10) =>
  run(`INSERT INTO region.trash (blob_id, reason, trashed_at, object)
       SELECT gen_random_uuid(), 'deleted', now() - interval '1 hour', '{"fsize": ${fsize}}' FROM generate_series(1, ${count})`);

test('little is counted, much is estimated; bytes by their records, and how long the oldest is there', async () => {
  const store = new TrashStatsStore(databases.region);
  expect(await store.read()).toEqual({ rows: 0, bytes: 0, oldestSeconds: 0 });
  await add(2);
  await run(`INSERT INTO region.trash (blob_id, reason) VALUES (gen_random_uuid(), 'moved')`);
  const few = await store.read();
  expect(few).toMatchObject({ rows: 3, bytes: 20 });
  expect(few.oldestSeconds).toBeGreaterThanOrEqual(3600);
  await add(2 * MAX_COUNTED);
  await run('ANALYZE region.trash');
  const many = await store.read();
  expect(many.rows).toBe(2 * MAX_COUNTED + 3);
  expect(many.bytes / (10 * many.rows)).toBeCloseTo(1, 2);
  // Large ones that were deleted together, after all of these: they are neither all of the sample nor none of it.
  await add(8 * MAX_COUNTED, 1_000_000);
  await run('ANALYZE region.trash');
  const mixed = await store.read();
  expect(mixed.rows).toBe(10 * MAX_COUNTED + 3);
  const exact = 8 * MAX_COUNTED * 1_000_000;
  expect(mixed.bytes / exact).toBeGreaterThan(0.8);
  expect(mixed.bytes / exact).toBeLessThan(1.2);
});

test('where the pages that were looked at held nothing, as after much was collected, those that were counted stand for all', () => {
  const counted = { rows: MAX_COUNTED, bytes: 10 * MAX_COUNTED, oldestSeconds: 1 };
  expect(figuresOf({ ...counted, estimated: 3 * MAX_COUNTED, mean: null })).toEqual({
    rows: 3 * MAX_COUNTED,
    bytes: 30 * MAX_COUNTED,
    oldestSeconds: 1,
  });
});
