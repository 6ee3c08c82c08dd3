import { newBlobId } from '@millpond/blobs';
import { expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { BucketSettingsStore, bucketsOf, S3SettingsStore } from '../buckets/buckets.testing.ts';
import { endOfPrefix } from '../objects/index.ts';
import { ClassTransition } from './lifecycle.create.ts';
import { Lifecycle, type LifecycleDeps } from './lifecycle.service.ts';
import { LifecycleStore } from './lifecycle.store.ts';

const databases = useDatabases();
const never = new AbortController().signal;
const OLD = 30;

type WalkStore = LifecycleDeps['store'];

async function setUp(name: string, rules: readonly { prefix: string; delete_after_days: number }[]) {
  const { control, region } = databases;
  const { rows } = await control.pool.query<{ uid: bigint }>(
    'INSERT INTO control.accounts (email) VALUES ($1) RETURNING uid',
    [`${name}@example.com`],
  );
  const uid = rows[0]?.uid ?? 0n;
  const options = { region: 'z0', maxBuckets: 10, freshMs: 0, staleMs: 0 };
  const buckets = bucketsOf(control, region, options);
  await buckets.create(uid, name, 'z0');
  const bucket = await buckets.owned(uid, name);
  const settings = new BucketSettingsStore(control);
  const none = { to_line_after_days: 0, to_archive_after_days: 0, to_deep_archive_after_days: 0 };
  for (const [index, rule] of rules.entries())
    await settings.addRule(bucket.id, { name: `r${index}`, ...none, ...rule });
  const store = new LifecycleStore(region);
  const cooling = new ClassTransition(store);
  const lifecycle = (changes: Partial<WalkStore> = {}) =>
    new Lifecycle({
      ruledBuckets: (...page) => settings.ruledBuckets(...page),
      store: { ...callsOf(store), ...changes },
      changeClass: (change) => cooling.changeClass(change),
      region: 'z0',
      everySeconds: 3600,
    });
  return { bucket, store, cooling, lifecycle };
}

function callsOf(store: LifecycleStore): WalkStore {
  return {
    begin: (...args) => store.begin(...args),
    page: (...args) => store.page(...args),
    advance: (...args) => store.advance(...args),
    remove: (...args) => store.remove(...args),
    abortUploads: (...args) => store.abortUploads(...args),
    forget: (...args) => store.forget(...args),
  };
}

async function put(bucketId: bigint, prefix: string, count: number, days: number): Promise<void> {
  await databases.region.pool.query(
    `INSERT INTO region.objects (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, put_time)
     SELECT $1, $2 || lpad(n::text, 5, '0'), $3, 1, 'h', 't', 't', region.put_time_now() - $5::bigint * 864000000000
     FROM generate_series(1, $4::integer) n`,
    [bucketId, prefix, newBlobId(), count, days],
  );
}

async function left(bucketId: bigint): Promise<number> {
  const { rows } = await databases.region.pool.query<{ left: bigint }>(
    'SELECT count(*) AS left FROM region.objects WHERE bucket_id = $1',
    [bucketId],
  );
  return Number(rows[0]?.left);
}

test('a walk goes over pages and prefixes, and rests until its next time', async () => {
  const { bucket, lifecycle } = await setUp('walked', [
    { prefix: 'a/', delete_after_days: 7 },
    { prefix: 'c/', delete_after_days: 7 },
  ]);
  await put(bucket.id, 'a/', 2500, OLD);
  await put(bucket.id, 'b/', 10, OLD);
  await put(bucket.id, 'c/', 5, OLD);
  await put(bucket.id, 'c/young', 5, 1);
  expect(await lifecycle().run(never)).toEqual({ removed: 2505, moved: 0, aborted: 0 });
  expect(await left(bucket.id)).toBe(15);
  await put(bucket.id, 'a/', 1, OLD);
  expect(await lifecycle().run(never)).toEqual({ removed: 0, moved: 0, aborted: 0 });
});

test('a walk that broke off goes on where it was', async () => {
  const { bucket, store, lifecycle } = await setUp('broken', [{ prefix: '', delete_after_days: 7 }]);
  await put(bucket.id, 'k', 3000, OLD);
  const pages: string[] = [];
  const breaking = lifecycle({
    page: (bucketId, range, limit) => {
      if (bucketId === bucket.id) pages.push(range.from);
      if (pages.length === 2) throw new Error('the process died');
      return store.page(bucketId, range, limit);
    },
  });
  await expect(breaking.run(never)).rejects.toThrow('the process died');
  expect(await left(bucket.id)).toBe(2000);
  const seen: string[] = [];
  const again = lifecycle({
    page: (bucketId, range, limit) => {
      seen.push(range.from);
      return store.page(bucketId, range, limit);
    },
  });
  expect(await again.run(never)).toEqual({ removed: 2000, moved: 0, aborted: 0 });
  expect(seen[0]).toBe('k01000\u0001');
});

test('a walk that another process has taken over ends, and does no harm', async () => {
  const { bucket, store, lifecycle } = await setUp('taken', [{ prefix: '', delete_after_days: 7 }]);
  await put(bucket.id, 'k', 1500, OLD);
  let isFirst = true;
  const slow = lifecycle({
    async page(bucketId, range, limit) {
      const rows = await store.page(bucketId, range, limit);
      if (isFirst) {
        isFirst = false;
        await lifecycle().run(never);
      }
      return rows;
    },
  });
  expect(await slow.run(never)).toEqual({ removed: 0, moved: 0, aborted: 0 });
  expect(await left(bucket.id)).toBe(0);
});

test('what was written again between the look and the act stays', async () => {
  const { bucket, store, cooling, lifecycle } = await setUp('again', [{ prefix: '', delete_after_days: 7 }]);
  await put(bucket.id, 'k', 2, OLD);
  const racing = lifecycle({
    async page(bucketId, range, limit) {
      const rows = await store.page(bucketId, range, limit);
      await databases.region.pool.query(
        `UPDATE region.objects SET put_time = region.put_time_now() WHERE bucket_id = $1 AND key = 'k00001'`,
        [bucket.id],
      );
      return rows;
    },
  });
  expect(await racing.run(never)).toEqual({ removed: 1, moved: 0, aborted: 0 });
  const [row] = await store.page(bucket.id, { from: '', until: endOfPrefix('') }, 10);
  expect(row).toMatchObject({ key: 'k00001', class: 0, tags: null });
  const change = { bucketId: bucket.id, key: 'k00001', storageClass: 2 };
  expect(await cooling.changeClass({ ...change, putTime: 1n })).toBe(false);
  expect(await cooling.changeClass({ ...change, putTime: row?.put_time ?? 0n })).toBe(true);
  expect(await cooling.changeClass({ ...change, putTime: row?.put_time ?? 0n, storageClass: 1 })).toBe(false);
});

/** Midnight (UTC) counts by S3's rules: two days more than the rule says are enough at any hour. */
test('rules that S3 set apply by its rules: all that match, sizes, tags, classes', async () => {
  const { bucket, lifecycle } = await setUp('by-s3', []);
  const tags = [{ key: 'keep', value: 'no' }];
  await new S3SettingsStore(databases.control).setLifecycle(bucket.id, {
    minimumSize: 'varies_by_storage_class',
    rules: [
      { id: 'short', isEnabled: true, scope: { in: 'Filter' }, expiration: { days: 20 } },
      {
        id: 'longest prefix',
        isEnabled: true,
        scope: { in: 'Filter', prefix: 'a/' },
        expiration: { days: 90 },
      },
      { id: 'off', isEnabled: false, scope: { in: 'Filter', prefix: 'b/' }, expiration: { days: 1 } },
      {
        id: 'large',
        isEnabled: true,
        scope: { in: 'Filter', prefix: 'b/', sizeGreaterThan: 1 },
        expiration: { days: 1 },
      },
      { id: 'tagged', isEnabled: true, scope: { in: 'Filter', prefix: 'b/', tags }, expiration: { days: 2 } },
      {
        id: 'cold',
        isEnabled: true,
        scope: { in: 'Rule', prefix: 'b/' },
        transitions: [{ days: 3, storageClass: 'GLACIER' }],
      },
    ],
  });
  await put(bucket.id, 'a/old', 1, OLD);
  await put(bucket.id, 'b/small', 2, 5);
  await databases.region.pool.query(
    `UPDATE region.objects SET tags = '{"keep": "no"}' WHERE bucket_id = $1 AND key = 'b/small00002'`,
    [bucket.id],
  );
  expect(await lifecycle().run(never)).toEqual({ removed: 2, moved: 1, aborted: 0 });
  const { rows } = await databases.region.pool.query(
    'SELECT key, class FROM region.objects WHERE bucket_id = $1',
    [bucket.id],
  );
  expect(rows).toEqual([{ key: 'b/small00001', class: 2 }]);
});

test('uploads that S3 began are given up by rule, others are not', async () => {
  const { bucket, lifecycle } = await setUp('aborting', []);
  const scope = { in: 'Rule', prefix: 'a/' } as const;
  await new S3SettingsStore(databases.control).setLifecycle(bucket.id, {
    minimumSize: 'all_storage_classes_128K',
    rules: [{ id: 'r', isEnabled: true, scope, abortUploadsAfterDays: 2 }],
  });
  const begin = (key: string, s3: string | null, days: number) =>
    databases.region.pool.query(
      `INSERT INTO region.uploads (upload_id, bucket_id, key, class, s3, begun_at, expires_at)
       VALUES (gen_random_uuid(), $1, $2, 0, $3, now() - make_interval(days => $4), now() + interval '2 days')`,
      [bucket.id, key, s3, days],
    );
  await begin('a/old', '{}', 4);
  await begin('a/young', '{}', 1);
  await begin('a/native', null, 4);
  await begin('b/old', '{}', 4);
  await put(bucket.id, 'a/object', 1, OLD);
  expect(await lifecycle().run(never)).toEqual({ removed: 0, moved: 0, aborted: 1 });
  const { rows } = await databases.region.pool.query(
    'SELECT key FROM region.uploads WHERE bucket_id = $1 AND expires_at <= now()',
    [bucket.id],
  );
  expect(rows).toEqual([{ key: 'a/old' }]);
});
