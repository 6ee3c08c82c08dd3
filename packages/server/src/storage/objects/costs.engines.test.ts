/**
 * What work in the background reads does not grow with the objects there are: only with those that are due. And a commit
 * reads what is under its own key.
 */
import { type BlobId, newBlobId } from '@millpond/blobs';
import { dialects } from '@millpond/protocol';
import { beforeAll, expect, test } from 'vitest';
import { usePlans } from '../../../test/plans.ts';
import type { Bucket } from '../buckets/index.ts';
import { recordLists } from './lists/list.store.ts';
import { Lists } from './lists/list.ts';
import { ObjectStore } from './objects.store.ts';
import { ExpiryStore } from './upkeep/expiry.store.ts';
import { TransitionStore } from './upkeep/transition.store.ts';
import { TrashStore } from './upkeep/trash-upkeep.store.ts';

const OBJECTS = 20_000;
const DUE = 600;
const GRACE_MS = 3_600_000;
/** Rows of indexes and tables, with a few for each row that is due. */
const MAX_READ = 6_000;
const database = usePlans('^(objects|trash|segments|tasks)');
const { run, costOf } = database;

beforeAll(async () => {
  await run(
    `INSERT INTO region.objects (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, put_time, expires_at, to_ia_at)
     SELECT 1, 'k' || n, gen_random_uuid(), 3, 'h', 'text/plain', 'text/plain', 1, now() + interval '9 days', now() + interval '9 days'
     FROM generate_series(1, $1) AS n`,
    [OBJECTS],
  );
  // Half of what is due is nobody's, the other half is named by an object.
  await run(
    `INSERT INTO region.trash (blob_id, reason, trashed_at)
     SELECT CASE WHEN n % 2 = 0 THEN gen_random_uuid()
              ELSE (SELECT blob_id FROM region.objects WHERE bucket_id = 1 AND key = 'k' || n) END,
            'deleted', now() - interval '2 hours' FROM generate_series(1, $1) AS n`,
    [DUE],
  );
  await run(
    `INSERT INTO region.trash (blob_id, reason) SELECT gen_random_uuid(), 'deleted' FROM generate_series(1, $1)`,
    [OBJECTS],
  );
  await run('ANALYZE region.objects, region.trash');
});

test('a commit into a bucket whose quota is used up reads what is under its own key, also where many go together', async () => {
  await run(
    `INSERT INTO region.bucket_gate (bucket_id, state, room_bytes, room_objects) VALUES (1, 'open', 0, 0)`,
  );
  const store = new ObjectStore(database.region);
  const commit = (key: string) => {
    const blobId = newBlobId();
    const content = { blobId, segments: [{ id: blobId, size: 3 }], fsize: 3, hash: 'h' };
    const types = { mimeType: 'text/plain', detectedType: 'text/plain', storageClass: 0 };
    const times = { deadline: 4_000_000_000, commitWindowMs: GRACE_MS };
    const object = { bucketId: 1n, key, ...content, ...types, endUser: undefined, meta: undefined, ...times };
    return store.commit(object, 'insert');
  };
  const commits = 50;
  const cost = await costOf(async () => {
    const held = Array.from({ length: commits }, (_, n) => commit(`k${n + 1}`));
    const others = Array.from({ length: commits }, (_, n) => commit(`other ${n}`));
    for (const { has_room } of await Promise.all(held)) expect(has_room).toBe(true);
    for (const { has_room } of await Promise.all(others)) expect(has_room).toBe(false);
  });
  // A few rows for each: those of the gate, and the object once for the quota and once for the conflict.
  expect(cost).toBeLessThan(2 * commits * 5);
});

test('looking for objects that are to go, or to change their class, reads none that are not due', async () => {
  expect(await costOf(() => new ExpiryStore(database.region).removeDue(500))).toBeLessThan(MAX_READ);
  expect(await costOf(() => new TransitionStore(database.region).changeDue(500))).toBeLessThan(MAX_READ);
});

test('a list with a delimiter skips whole groups instead of reading them', async () => {
  await run(
    `INSERT INTO region.objects (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, put_time)
     SELECT 3, 'group-' || n % 20 || '/' || n, gen_random_uuid(), 3, 'h', 'text/plain', 'text/plain', 1
     FROM generate_series(1, $1) AS n`,
    [OBJECTS],
  );
  await run('ANALYZE region.objects');
  const lists = new Lists(recordLists(database.region), dialects.svc);
  const query = { prefix: '', delimiter: '/', marker: '', limit: 1000 };
  let prefixes: readonly string[] = [];
  const cost = await costOf(async () => {
    prefixes =
      (await lists.page({ id: 3n } as Bucket, query, new AbortController().signal)).commonPrefixes ?? [];
  });
  expect(prefixes).toHaveLength(20);
  expect(cost).toBeLessThan(OBJECTS / 2);
});

test.each(['', '/'])(
  'a folder that ends within its page (delimiter "%s") reads nothing of what comes after it',
  async (delimiter) => {
    await run(
      `INSERT INTO region.objects (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, put_time)
     SELECT 4, CASE WHEN n <= 10 THEN 'a' ELSE 'b' END || '/' || n, gen_random_uuid(), 3, 'h', 'text/plain', 'text/plain', 1
     FROM generate_series(1, $1) AS n ON CONFLICT DO NOTHING`,
      [OBJECTS],
    );
    await run('ANALYZE region.objects');
    const lists = new Lists(recordLists(database.region), dialects.svc);
    const query = { prefix: 'a/', delimiter, marker: '', limit: 1000 };
    const cost = await costOf(async () => {
      const { items } = await lists.page({ id: 4n } as Bucket, query, new AbortController().signal);
      expect(items).toHaveLength(10);
    });
    expect(cost).toBeLessThan(100);
  },
);

test('the trash is walked page by page: each page reads what is due, and nothing else', async () => {
  const store = new TrashStore(database.region);
  let page = await store.claimDue(GRACE_MS, 200, undefined);
  const claimed = [...page.rows];
  const cost = await costOf(async () => {
    while (page.next !== undefined) {
      page = await store.claimDue(GRACE_MS, 200, page.next);
      claimed.push(...page.rows);
    }
  });
  expect(cost).toBeLessThan(3 * MAX_READ);
  expect(claimed).toHaveLength(DUE / 2);
  const [left] = await run<{ count: number }>(
    `SELECT count(*)::integer AS count FROM region.trash WHERE trashed_at < now() - interval '1 hour' AND NOT collecting`,
  );
  expect(left?.count).toBe(0);
});

test('copies of one object that are all deleted cost as much as other rows', async () => {
  await run(
    `INSERT INTO region.trash (blob_id, reason, trashed_at)
     SELECT '00000000-0000-7000-8000-000000000001', 'deleted', now() - interval '3 hours' FROM generate_series(1, $1)`,
    [OBJECTS],
  );
  const store = new TrashStore(database.region);
  expect(await costOf(() => store.claimDue(GRACE_MS, 200, undefined))).toBeLessThan(MAX_READ);
});

test('the sweep of bytes that any number of objects share still knows all others that are named', async () => {
  const [shared, other, nobodys] = [2, 3, 4].map((n) => `00000000-0000-7000-8000-00000000000${n}` as BlobId);
  if (shared === undefined || other === undefined || nobodys === undefined) throw new Error('no id');
  const insert = `INSERT INTO region.objects (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, put_time)
     SELECT 1, $2::text || n, $2::uuid, 3, 'h', 'text/plain', 'text/plain', 1 FROM generate_series(1, $1) AS n`;
  await run(insert, [2 * OBJECTS, shared]);
  await run(insert, [1, other]);
  expect(await new TrashStore(database.region).named([shared, other, nobodys])).toEqual(
    new Set([shared, other]),
  );
});
