import { beforeAll, expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { openTransaction, untilWaiting } from '../../../test/locks.ts';
import { Buckets } from './service.ts';
import { BucketStore } from './store.ts';

const databases = useDatabases();
const SOURCE = { urls: ['http://origin.example.com/'], host: null };
let buckets: Buckets;
let uid: bigint;

beforeAll(async () => {
  const { control, region } = databases;
  const options = { region: 'z0', maxBuckets: 10, freshMs: 0, staleMs: 0 };
  buckets = new Buckets(new BucketStore(control, region), options);
  const { rows } = await control.pool.query<{ uid: bigint }>(
    `INSERT INTO control.accounts (email) VALUES ('owner@example.com') RETURNING uid`,
  );
  uid = rows[0]?.uid ?? 0n;
});

test('a mirror that is set while its bucket is dropped finds no bucket', async () => {
  await buckets.create(uid, 'dropped', 'z0');
  const { id } = await buckets.owned(uid, 'dropped');
  const dropping = await openTransaction(databases.control);
  await dropping.query('DELETE FROM control.buckets WHERE bucket_id = $1', [id]);
  const setting = expect(buckets.setMirror(uid, 'dropped', SOURCE)).rejects.toMatchObject({
    fault: 'noSuchBucket',
  });
  await untilWaiting(databases.control, 1);
  await dropping.query('COMMIT');
  await dropping.end();
  await setting;
});

test('a mirror is set, changed and taken away', async () => {
  await buckets.create(uid, 'mirrored', 'z0');
  const mirror = async () => (await buckets.owned(uid, 'mirrored')).mirror;
  await buckets.setMirror(uid, 'mirrored', SOURCE);
  expect(await mirror()).toEqual(SOURCE);
  await buckets.setMirror(uid, 'mirrored', { ...SOURCE, host: 'h.example.com' });
  expect(await mirror()).toEqual({ ...SOURCE, host: 'h.example.com' });
  await buckets.setMirror(uid, 'mirrored', undefined);
  expect(await mirror()).toBeUndefined();
});
