import { beforeAll, expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { slowInserts, untilWaiting } from '../../../test/locks.ts';
import { S3SettingsStore } from './bucket-s3-settings.store.ts';
import { BucketSettingsStore } from './bucket-settings.store.ts';
import type { Buckets } from './buckets.service.ts';
import { bucketsOf } from './buckets.testing.ts';
import { LifecycleSettings } from './lifecycle-settings.ts';

const databases = useDatabases();
/** Maximum number of domains, and of lifecycle rules. */
const MOST = 100;
let store: BucketSettingsStore;
let buckets: Buckets;
let uid: bigint;

beforeAll(async () => {
  const { control, region } = databases;
  store = new BucketSettingsStore(control);
  const options = { region: 'z0', maxBuckets: 10, freshMs: 0, staleMs: 0 };
  buckets = bucketsOf(control, region, options);
  const { rows } = await control.pool.query<{ uid: bigint }>(
    `INSERT INTO control.accounts (email) VALUES ('owner@example.com') RETURNING uid`,
  );
  uid = rows[0]?.uid ?? 0n;
});

async function newBucket(name: string) {
  await buckets.create(uid, name, 'z0');
  return buckets.owned(uid, name);
}

const form = (name: string, prefix: string) => new URLSearchParams({ name, prefix, delete_after_days: '1' });

test('a prefix that two rules take at once is taken for the second', async () => {
  const bucket = await newBucket('two-prefixes');
  const settings = new LifecycleSettings(buckets, store, new S3SettingsStore(databases.control));
  await settings.add(bucket, form('one', 'a'));
  await settings.add(bucket, form('two', 'b'));
  const first = await databases.control.pool.connect();
  await first.query('BEGIN');
  await first.query(`UPDATE control.lifecycle_rules SET prefix = 'same' WHERE name = 'one'`);
  const second = expect(settings.update(bucket, form('two', 'same'))).rejects.toMatchObject({
    fault: 'ruleExists',
  });
  await untilWaiting(databases.control, 1);
  await first.query('COMMIT');
  first.release();
  await second;
  await expect(settings.update(bucket, form('two', 'same'))).rejects.toMatchObject({ fault: 'ruleExists' });
  await settings.update(bucket, form('two', 'other'));
});

test('a bucket has as many lifecycle rules as it may, also when many are asked for at once', async () => {
  const { id } = await newBucket('full-of-rules');
  const days = { to_line_after_days: 0, to_archive_after_days: 0, to_deep_archive_after_days: 0 };
  const add = (_: unknown, n: number) =>
    store.addRule(id, { name: `r${n}`, prefix: `p${n}`, ...days, delete_after_days: 1 });
  await Promise.all(Array.from({ length: MOST - 2 }, add));
  await slowInserts(databases.control, 'control.lifecycle_rules');
  const added = await Promise.all(Array.from({ length: 6 }, (_, n) => add(_, MOST + n)));
  expect(added.filter((isAdded) => isAdded)).toHaveLength(2);
});

test('a bucket has as many domains as it may, also when many are bound at once', async () => {
  const bucket = await newBucket('full-of-domains');
  const bind = (_: unknown, n: number) => store.bindDomain(`d${n}.example.com`, bucket, false);
  await Promise.all(Array.from({ length: MOST - 2 }, bind));
  await slowInserts(databases.control, 'control.domains');
  const bound = await Promise.all(Array.from({ length: 6 }, (_, n) => bind(_, MOST + n)));
  expect(bound.filter((isBound) => isBound)).toHaveLength(2);
  // One that it has can be bound again.
  expect(await bind(undefined, 0)).toBe(true);
});

test('what is set on a bucket that was dropped since it was looked up finds no bucket', async () => {
  const bucket = await newBucket('dropped-since');
  await databases.control.pool.query('DELETE FROM control.buckets WHERE bucket_id = $1', [bucket.id]);
  const gone = { fault: 'noSuchBucket' };
  await expect(store.bindDomain('gone.example.com', bucket, true)).rejects.toMatchObject(gone);
  await expect(
    new LifecycleSettings(buckets, store, new S3SettingsStore(databases.control)).add(
      bucket,
      form('one', 'a'),
    ),
  ).rejects.toMatchObject(gone);
});
