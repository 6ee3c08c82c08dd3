import { expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { newBlobId } from '../../platform/blobs/index.ts';
import { BucketStore, Buckets } from '../buckets/index.ts';
import { BucketDrops } from './drop.ts';
import { EmptyingStore } from './emptying-store.ts';

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
  const buckets = new Buckets(new BucketStore(control, region), options);
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

test('a drop that died can be made again by its owner', async () => {
  const { uid, bucket, buckets, drops } = await setUp('died-again');
  await buckets.close(bucket);
  await drops.drop(uid, 'died-again');
  expect(await buckets.byName('died-again')).toBeUndefined();
});
