import { newBlobId } from '@millpond/blobs';
import pg from 'pg';
import { expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { untilWaiting } from '../../../../test/locks.ts';
import { bucketsOf } from '../../buckets/buckets.testing.ts';
import { BucketDrops } from './drop-bucket.ts';
import { EmptyingStore } from './emptying.store.ts';

const databases = useDatabases();
const never = new AbortController().signal;

async function setUp(name: string) {
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
  return { uid, buckets, bucket, drops: new BucketDrops(buckets, new EmptyingStore(region)) };
}

const pass = (minutes: number) =>
  databases.region.pool.query(
    `UPDATE region.bucket_gate SET closing_since = closing_since - make_interval(mins => $1)`,
    [minutes],
  );
async function gateOf(bucketId: bigint): Promise<string | undefined> {
  const { rows } = await databases.region.pool.query<{ state: string }>(
    'SELECT state FROM region.bucket_gate WHERE bucket_id = $1',
    [bucketId],
  );
  return rows[0]?.state;
}

test('a drop whose process died after closing the bucket is ended, but not while it may still run', async () => {
  const { bucket, buckets, drops } = await setUp('died-empty');
  await buckets.close(bucket);
  await pass(9);
  expect(await drops.resume(never)).toBe(0);
  expect(await gateOf(bucket.id)).toBe('closing');
  await pass(2);
  expect(await drops.resume(never)).toBe(1);
  expect(await buckets.byName('died-empty')).toBeUndefined();
  expect(await gateOf(bucket.id)).toBeUndefined();
});

test('one that turns out to hold something is opened again', async () => {
  const { bucket, buckets, drops } = await setUp('died-full');
  await databases.region.pool.query(
    `INSERT INTO region.objects (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, put_time)
     VALUES ($1, 'k', $2, 1, 'h', 't', 't', 1)`,
    [bucket.id, newBlobId()],
  );
  await buckets.close(bucket);
  await pass(11);
  expect(await drops.resume(never)).toBe(0);
  expect(await gateOf(bucket.id)).toBe('open');
});

test('a gate whose bucket is gone goes too', async () => {
  const { bucket, buckets, drops } = await setUp('died-late');
  await buckets.close(bucket);
  await databases.control.pool.query('DELETE FROM control.buckets WHERE bucket_id = $1', [bucket.id]);
  await pass(11);
  expect(await drops.resume(never)).toBe(0);
  expect(await gateOf(bucket.id)).toBeUndefined();
});

test('a drop that finds something does not open the bucket under another one', async () => {
  const { bucket, buckets } = await setUp('two-drops');
  const first = await buckets.close(bucket);
  const second = await buckets.close(bucket);
  await buckets.reopen(first);
  expect(await gateOf(bucket.id)).toBe('closing');
  await buckets.reopen(second);
  expect(await gateOf(bucket.id)).toBe('open');
});

test('a part that arrives during a drop goes with its upload', async () => {
  const { bucket } = await setUp('part-under-way');
  const { region } = databases;
  const { rows } = await region.pool.query<{ upload_id: string }>(
    `INSERT INTO region.uploads (upload_id, bucket_id, key, class, expires_at)
     VALUES (gen_random_uuid(), $1, 'k', 0, now() + interval '1 day') RETURNING upload_id`,
    [bucket.id],
  );
  const segmentId = newBlobId();
  const putting = await region.pool.connect();
  await putting.query('BEGIN');
  await putting.query(
    `INSERT INTO region.upload_parts (upload_id, part_number, segment_id, size, etag, put_time)
     SELECT upload_id, 1, $2, 3, 'e', 1 FROM region.uploads WHERE upload_id = $1 FOR KEY SHARE`,
    [rows[0]?.upload_id, segmentId],
  );
  const givenUp = new EmptyingStore(region).giveUpUploads(bucket.id);
  await untilWaiting(region, 1);
  await putting.query('COMMIT');
  putting.release();
  await givenUp;
  const left = await region.pool.query(
    `SELECT reason FROM region.trash WHERE blob_id = $1
     UNION ALL SELECT 'a part' FROM region.upload_parts
     UNION ALL SELECT 'an upload' FROM region.uploads WHERE bucket_id = $2`,
    [segmentId, bucket.id],
  );
  expect(left.rows).toEqual([{ reason: 'refused' }]);
});

test('a bucket can be dropped while a backup of the database runs', async () => {
  const { uid, buckets, drops } = await setUp('backed-up');
  const { connectionString } = databases.region.pool.options;
  const backup = new pg.Client({ connectionString, application_name: 'pg_dump' });
  await backup.connect();
  await backup.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await backup.query('SELECT count(*) FROM region.bucket_gate');
  await drops.drop(uid, 'backed-up');
  expect(await buckets.byName('backed-up')).toBeUndefined();
  await backup.end();
});

test('a drop that died can be made again by its owner', async () => {
  const { uid, bucket, buckets, drops } = await setUp('died-again');
  await buckets.close(bucket);
  await drops.drop(uid, 'died-again');
  expect(await buckets.byName('died-again')).toBeUndefined();
});
