/** Pages and runs of work on many objects, on rows only; what they do with bytes is in the acceptance suite. */
import { newBlobId } from '@millpond/blobs';
import type { StorageClass } from '@millpond/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import type { Job } from '../../platform/queue/queue.ts';
import { type Buckets, bucketsOf } from '../../storage/buckets/buckets.testing.ts';
import {
  ArchiveStore,
  BulkStore as ManyStore,
  PageOperations,
  RelocateStore,
} from '../../storage/objects/objects.testing.ts';
import { BulkCounts } from './bulk.metrics.ts';
import type { BulkParameters } from './bulk.request.ts';
import { type BulkRow, BulkStore, type NewBulk } from './bulk.store.ts';
import { BulkObjectStore } from './bulk-object.store.ts';
import { runPage } from './pages.ts';
import { BulkRunner, type RunnerDeps } from './runner.ts';

const databases = useDatabases();
const never = new AbortController().signal;
const DAY = 86_400_000;
let uid: bigint;
let buckets: Buckets;
let deps: RunnerDeps;
let requeued: string[] = [];

beforeAll(async () => {
  const { control, region } = databases;
  const { rows } = await control.pool.query<{ uid: bigint }>(
    `INSERT INTO control.accounts (email) VALUES ('many@example.com') RETURNING uid`,
  );
  uid = rows[0]?.uid ?? 0n;
  const options = { region: 'z0', maxBuckets: 100, freshMs: 0, staleMs: 0 };
  buckets = bucketsOf(control, region, options);
  const operations = new PageOperations({
    archive: new ArchiveStore(region),
    many: new ManyStore(region),
    relocations: new RelocateStore(region),
    options: { archiveMs: 1000, deepArchiveMs: 2000, timeFactor: 1 },
    requests: {},
  });
  deps = {
    store: new BulkStore(region),
    objects: new BulkObjectStore(region),
    operations,
    buckets,
    counts: new BulkCounts(),
    requeue: async (_transaction, { bulk_id }) => requeued.push(bulk_id),
    // Only archives need them.
    ...({} as Pick<RunnerDeps, 'blobs' | 'sources' | 'results'>),
  };
});

async function newBucket(name: string, ...keys: readonly (readonly [prefix: string, count: number])[]) {
  await buckets.create(uid, name, 'z0');
  const { id } = await buckets.owned(uid, name);
  for (const [prefix, count] of keys) await put(id, prefix, count);
  return id;
}

const put = (bucketId: bigint, prefix: string, count: number, storageClass: StorageClass = 0) =>
  databases.region.pool.query(
    `INSERT INTO region.objects (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, class, put_time)
     SELECT $1, $2 || lpad(n::text, 5, '0'), $3, 2, 'h', 't', 't', $5, region.put_time_now()
     FROM generate_series(1, $4::integer) n`,
    [bucketId, prefix, newBlobId(), count, storageClass],
  );

async function left(bucketId: bigint, prefix = ''): Promise<number> {
  const { rows } = await databases.region.pool.query<{ left: bigint }>(
    'SELECT count(*) AS left FROM region.objects WHERE bucket_id = $1 AND starts_with(key, $2)',
    [bucketId, prefix],
  );
  return Number(rows[0]?.left);
}

async function submit(
  bucket: string,
  kind: BulkRow['kind'],
  rest: Partial<Pick<NewBulk, 'prefix' | 'keys' | 'limits'>> & { how?: BulkParameters } = {},
): Promise<string> {
  const { id } = await buckets.owned(uid, bucket);
  const { how = {}, prefix = '', keys, limits } = rest;
  const bulk = { bulk_id: newBlobId(), uid, kind, bucket_id: id, bucket, prefix, keys, request: how };
  const made = { ...bulk, accessKey: limits && 'k', limits, address: '192.0.2.1' };
  const row = await deps.store.transaction((transaction) => deps.store.insert(made, 1000, transaction));
  return row?.bulk_id ?? '';
}

const jobOf = (signal = never): Job => ({
  id: 'job',
  data: {},
  attempt: 1,
  signal,
  commit: async () => undefined,
});

/** As the queue does it, until nothing is left to do. */
async function runAll(id: string): Promise<BulkRow | undefined> {
  const runner = new BulkRunner(deps);
  do {
    requeued = [];
    await runner.run(id, jobOf());
  } while (requeued.length > 0);
  return deps.store.find(id, uid, undefined);
}

describe('pages', () => {
  test('go over all under the prefix, in several turns, and count each object once', async () => {
    const bucket = await newBucket('turns', ['a/', 10_150], ['b/', 3]);
    const row = await runAll(await submit('turns', 'class', { prefix: 'a/', how: { class: 1 } }));
    expect(row).toMatchObject({
      state: 'done',
      done: 10_150n,
      failed: 0n,
      bytes: 20_300n,
      expected: 10_150n,
    });
    expect(row?.run).toBe(2);
    const { rows } = await databases.region.pool.query(
      'SELECT class, count(*)::int FROM region.objects WHERE bucket_id = $1 GROUP BY class ORDER BY class',
      [bucket],
    );
    expect(rows).toEqual([
      { class: 0, count: 3 },
      { class: 1, count: 10_150 },
    ]);
  });

  test('leave alone what was put later, and their own copies', async () => {
    const bucket = await newBucket('later', ['a/', 250]);
    const id = await submit('later', 'copy', {
      prefix: 'a/',
      how: { to: { bucket: 'later', prefix: 'a/b/' } },
    });
    await put(bucket, 'a/z', 5);
    expect(await runAll(id)).toMatchObject({ state: 'done', done: 250n, failed: 0n });
    expect([await left(bucket, 'a/b/'), await left(bucket, 'a/z')]).toEqual([250, 5]);
    // One level up: what was moved lies ahead, and is not moved again.
    const up = await submit('later', 'move', { prefix: 'a/', how: { to: { bucket: 'later', prefix: '' } } });
    expect(await runAll(up)).toMatchObject({ done: 505n, failed: 0n });
    expect([await left(bucket, 'b/'), await left(bucket, 'a/')]).toEqual([250, 0]);
    expect(await runAll(await submit('later', 'delete'))).toMatchObject({ done: 505n, bytes: 1010n });
    expect(await left(bucket)).toBe(0);
  });

  test('keep the first problems, and count all of them', async () => {
    const bucket = await newBucket('problems', ['a/', 150]);
    await put(bucket, 'cold/', 5, 2);
    const how = { to: { bucket: 'problems', prefix: 'b/' } };
    expect(await runAll(await submit('problems', 'copy', { prefix: 'a/', how }))).toMatchObject({
      failed: 0n,
    });
    const again = await runAll(await submit('problems', 'copy', { prefix: 'a/', how }));
    expect(again).toMatchObject({ state: 'done', done: 0n, failed: 150n });
    expect(again?.problems).toHaveLength(100);
    expect(again?.problems[0]).toEqual({ key: 'a/00001', words: 'file exists' });
    const restored = await runAll(await submit('problems', 'restore', { how: { days: 1 } }));
    expect(restored).toMatchObject({ done: 5n, failed: 300n });
    const long = { to: { bucket: 'problems', prefix: 'x'.repeat(748) } };
    const named = { keys: ['a/00001', 'none'], how: long };
    expect((await runAll(await submit('problems', 'move', named)))?.problems).toEqual([
      { key: 'a/00001', words: expect.stringContaining('longer than 750 bytes') },
      { key: 'none', words: 'no such file or directory' },
    ]);
  });

  test('judge each object by the limits of the key at the time of submission', async () => {
    await newBucket('limited', ['a/', 2], ['b/', 2]);
    const limits = { prefixes: ['a/'], networks: ['192.0.2.0/24'], expiresAt: Date.now() / 1000 + DAY };
    const row = await runAll(await submit('limited', 'delete', { limits }));
    expect(row).toMatchObject({ done: 2n, failed: 2n });
    expect(row?.problems[0]).toEqual({ key: 'b/00001', words: expect.stringMatching(/limit prefixes/) });
  });
});

describe('a run', () => {
  test('that dies in the middle of a page has done nothing of it; the next one goes on', async () => {
    const bucket = await newBucket('dying', ['', 500]);
    const id = await submit('dying', 'move', { how: { to: { bucket: 'dying', prefix: 'moved/' } } });
    let pages = 0;
    const advance: BulkStore['advance'] = async (...args) => {
      if (++pages === 3) throw new Error('the process died');
      return deps.store.advance(...args);
    };
    const store = new Proxy(deps.store, {
      get: (target, name) => {
        const value: unknown = name === 'advance' ? advance : Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    await expect(new BulkRunner({ ...deps, store }).run(id, jobOf())).rejects.toThrow('the process died');
    expect(await deps.store.find(id, uid, undefined)).toMatchObject({ state: 'running', done: 400n });
    expect(await left(bucket, 'moved/')).toBe(400);
    expect(await runAll(id)).toMatchObject({ state: 'done', done: 500n, failed: 0n, bytes: 1000n });
    expect(await left(bucket, 'moved/')).toBe(500);
  });

  test('that was presumed dead changes nothing more', async () => {
    const bucket = await newBucket('presumed', ['', 1200]);
    const id = await submit('presumed', 'class', { how: { class: 1 } });
    const stale = await deps.store.begin(id);
    const fresh = await deps.store.begin(id);
    if (stale === undefined || fresh === undefined) throw new Error('it has ended');
    expect(await runPage(deps, stale, bucket)).toBe('lost');
    expect(await runPage(deps, fresh, bucket)).toEqual({ done: 1000, failed: 0, seen: 1000, isLast: false });
    expect(await deps.store.report({ bulkId: id, run: stale.run }, { ...REPORT, isLast: true })).toBe(false);
  });

  test('ends where it is when it is stopped, and stays ended', async () => {
    await newBucket('stopping', ['', 1200]);
    const id = await submit('stopping', 'class', { how: { class: 1 } });
    const row = await deps.store.begin(id);
    if (row === undefined) throw new Error('it has ended');
    await runPage(deps, row, row.bucket_id);
    await deps.store.stop(id, uid, undefined);
    expect(await runPage(deps, row, row.bucket_id)).toBe('lost');
    expect(await runAll(id)).toMatchObject({ state: 'stopped', done: 1000n, ended_at: expect.any(Date) });
  });

  test('what was stopped while it was counted stays as it was', async () => {
    const bucketId = await newBucket('counted', ['a/', 3]);
    const id = await submit('counted', 'delete', { prefix: 'a/' });
    const begun = await deps.store.begin(id);
    await deps.store.stop(id, uid, undefined);
    await deps.store.count({ bulkId: id, run: begun?.run ?? 0 }, { bucketId, from: 'a/', until: 'a0' }, 10);
    expect(await deps.store.find(id, uid, undefined)).toMatchObject({ state: 'stopped', expected: null });
  });

  test('is given up when its bucket is gone, or nothing moves', async () => {
    const bucket = await newBucket('gone', ['', 1]);
    const id = await submit('gone', 'delete');
    await databases.region.pool.query('DELETE FROM region.objects WHERE bucket_id = $1', [bucket]);
    await databases.control.pool.query('DELETE FROM control.buckets WHERE bucket_id = $1', [bucket]);
    expect(await runAll(id)).toMatchObject({
      state: 'failed',
      words: expect.stringContaining('no such bucket'),
    });
    await newBucket('stuck', ['', 1]);
    const stuck = await submit('stuck', 'delete');
    await databases.region.pool.query('UPDATE region.bulk SET idle_runs = 100 WHERE bulk_id = $1', [stuck]);
    expect(await runAll(stuck)).toMatchObject({
      state: 'failed',
      words: expect.stringContaining('no progress'),
    });
  });
});

const REPORT = { done: 1, failed: 0, bytes: 0, current: undefined, problems: [] };

test('an account may have only so many of them open', async () => {
  const bulk = { uid: 77n, kind: 'delete', bucket_id: 1n, bucket: 'abc', prefix: '', request: {} } as const;
  const more = { keys: undefined, accessKey: undefined, limits: undefined, address: '' };
  const insert = () =>
    deps.store.transaction((transaction) =>
      deps.store.insert({ ...bulk, ...more, bulk_id: newBlobId() }, 2, transaction),
    );
  expect([await insert(), await insert()]).not.toContain(undefined);
  expect(await insert()).toBeUndefined();
  const open = await deps.store.open(100);
  expect(open.find(({ state }) => state === 'waiting')?.count).toBeGreaterThan(1n);
});
