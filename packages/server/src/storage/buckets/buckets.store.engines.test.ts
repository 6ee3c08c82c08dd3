import { beforeAll, expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { openTransaction, untilWaiting } from '../../../test/locks.ts';
import type { Buckets } from './buckets.service.ts';
import { bucketsOf } from './buckets.testing.ts';
import { RegionsStore } from './regions/regions.store.ts';

const databases = useDatabases();
const SOURCE = { urls: ['http://origin.example.com/'], host: null };
let buckets: Buckets;
let uid: bigint;

beforeAll(async () => {
  const { control, region } = databases;
  const options = { region: 'z0', maxBuckets: 10, freshMs: 0, staleMs: 0 };
  buckets = bucketsOf(control, region, options);
  const { rows } = await control.pool.query<{ uid: bigint }>(
    `INSERT INTO control.accounts (email) VALUES ('owner@example.com') RETURNING uid`,
  );
  uid = rows[0]?.uid ?? 0n;
});

async function gatesOf(id: bigint): Promise<object[]> {
  const find = 'SELECT state FROM region.bucket_gate WHERE bucket_id = $1';
  return (await databases.region.pool.query<{ state: string }>(find, [id])).rows;
}

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

test('a bucket whose process died before its gate was opened gets it when it is looked up', async () => {
  await buckets.create(uid, 'half-made', 'z0');
  const { id } = await buckets.owned(uid, 'half-made');
  expect(await gatesOf(id)).toEqual([{ state: 'open' }]);
  await databases.region.pool.query('DELETE FROM region.bucket_gate WHERE bucket_id = $1', [id]);
  await buckets.owned(uid, 'half-made');
  expect(await gatesOf(id)).toEqual([]);
  await databases.control.pool.query('UPDATE control.buckets SET awaits_gate = true WHERE bucket_id = $1', [
    id,
  ]);
  await Promise.all([1, 2, 3].map(() => buckets.owned(uid, 'half-made')));
  expect(await gatesOf(id)).toEqual([{ state: 'open' }]);
});

test('a gate that is awaited is not opened behind a drop', async () => {
  const { control, region } = databases;
  const elsewhere = bucketsOf(control, region, { region: 'z1', maxBuckets: 10, freshMs: 0, staleMs: 0 });
  await new RegionsStore(control).publish({ region: 'z0', hosts: {} });
  await elsewhere.create(uid, 'awaiting', 'z0');
  const { id } = await elsewhere.ownedInAnyRegion(uid, 'awaiting');
  const dropping = await openTransaction(control);
  await dropping.query(`DELETE FROM control.buckets WHERE name = 'awaiting'`);
  const looking = expect(buckets.owned(uid, 'awaiting')).resolves.toMatchObject({ name: 'awaiting' });
  await untilWaiting(control, 1);
  await dropping.query('COMMIT');
  await dropping.end();
  await looking;
  expect(await gatesOf(id)).toEqual([]);
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

test('a region is known as soon as it has told its name, however fresh what is known of the others', async () => {
  const { control, region } = databases;
  const day = { freshMs: 86_400_000, staleMs: 86_400_000 };
  const near = bucketsOf(control, region, { region: 'z0', maxBuckets: 10, ...day });
  const refusal = { fault: 'incorrectRegion', hint: expect.stringContaining('there is no region z9') };
  await expect(near.create(uid, 'early', 'z9')).rejects.toMatchObject(refusal);
  await new RegionsStore(control).publish({ region: 'z9', hosts: {} });
  await near.create(uid, 'in-time', 'z9');
});
