import { publicReadPolicy, type S3Lifecycle } from '@millpond/protocol/s3';
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { untilWaiting } from '../../../test/locks.ts';
import { S3SettingsStore } from './bucket-s3-settings.store.ts';
import { BucketSettingsStore } from './bucket-settings.store.ts';
import { expiryOf } from './buckets.lifecycle.ts';
import type { Bucket, Buckets } from './buckets.service.ts';
import { bucketsOf } from './buckets.testing.ts';
import { LifecycleSettings } from './lifecycle-settings.ts';
import { S3Settings } from './s3-settings.ts';

const databases = useDatabases();
let buckets: Buckets;
let settings: S3Settings;
let native: LifecycleSettings;
let uid: bigint;

beforeAll(async () => {
  const { control, region } = databases;
  const options = { region: 'z0', maxBuckets: 100, freshMs: 60_000, staleMs: 60_000 };
  buckets = bucketsOf(control, region, options);
  const store = new BucketSettingsStore(control);
  const s3Store = new S3SettingsStore(control);
  settings = new S3Settings(buckets, store, s3Store);
  native = new LifecycleSettings(buckets, store, s3Store);
  const { rows } = await control.pool.query<{ uid: bigint }>(
    `INSERT INTO control.accounts (email) VALUES ('s3@example.com') RETURNING uid`,
  );
  uid = rows[0]?.uid ?? 0n;
});

async function newBucket(name: string, isPrivate = true): Promise<Bucket> {
  await buckets.create(uid, name, 'z0', { isPrivate });
  return buckets.owned(uid, name);
}

const isPrivate = async ({ name }: Bucket) => (await buckets.owned(uid, name)).isPrivate;

const lifecycle: S3Lifecycle = {
  minimumSize: 'all_storage_classes_128K',
  rules: [
    { id: 'all', isEnabled: true, scope: { in: 'Filter' }, expiration: { days: 9 } },
    { id: 'logs', isEnabled: true, scope: { in: 'Rule', prefix: 'logs/' }, expiration: { days: 2 } },
    { id: 'off', isEnabled: false, scope: { in: 'Rule', prefix: 'off/' }, expiration: { days: 1 } },
  ],
};

describe('creating', () => {
  test('a bucket is private and has its tags in the statement that creates it [S49]', async () => {
    const tags = [{ Key: 'team', Value: 'a' }];
    await buckets.create(uid, 'from-s3', 'z0', { isPrivate: true, tags });
    const bucket = await buckets.owned(uid, 'from-s3');
    expect(bucket.isPrivate).toBe(true);
    expect(await settings.tags(bucket)).toEqual(tags);
  });

  test('creating it again changes nothing, not even publicness [S50]', async () => {
    const bucket = await newBucket('again', false);
    await expect(buckets.create(uid, 'again', 'z0', { isPrivate: true })).rejects.toMatchObject({
      fault: 'bucketExists',
    });
    expect(await isPrivate(bucket)).toBe(false);
  });
});

describe('lifecycle rules', () => {
  test('are given back as they were set, and apply by S3’s rule', async () => {
    const bucket = await newBucket('ruled');
    expect(await settings.lifecycle(bucket)).toBeUndefined();
    await settings.setLifecycle(bucket, lifecycle);
    expect(await settings.lifecycle(bucket)).toEqual(lifecycle);
    const object = { key: 'logs/a', size: 1, tags: {}, madeAt: Date.parse('2026-11-16T10:00:00Z') };
    const { lifecycle: known } = await buckets.owned(uid, 'ruled');
    expect(expiryOf(known, object)).toEqual({ at: new Date('2026-11-19T00:00:00Z'), ruleId: 'logs' });
    await settings.setLifecycle(bucket, undefined);
    expect(await settings.lifecycle(bucket)).toBeUndefined();
    expect(expiryOf((await buckets.owned(uid, 'ruled')).lifecycle, object)).toBeUndefined();
  });

  test('set by S3 are shown by our own call, which removes but does not add', async () => {
    const bucket = await newBucket('shown-natively');
    await settings.setLifecycle(bucket, lifecycle);
    expect((await native.list(bucket)).map(({ name, prefix }) => [name, prefix])).toEqual([
      ['all', ''],
      ['logs', 'logs/'],
    ]);
    const form = new URLSearchParams({ name: 'mine', prefix: 'x', delete_after_days: '1' });
    await expect(native.add(bucket, form)).rejects.toMatchObject({ fault: 'notAllowed' });
    await expect(native.update(bucket, form)).rejects.toMatchObject({ fault: 'notAllowed' });
    for (const name of ['all', 'logs', 'off']) await native.remove(bucket, new URLSearchParams({ name }));
    expect(await settings.lifecycle(bucket)).toBeUndefined();
    await expect(native.remove(bucket, new URLSearchParams({ name: 'all' }))).rejects.toMatchObject({
      fault: 'noSuchRule',
    });
    await native.add(bucket, form);
  });

  test('of our own calls are shown by S3, and replaced by what it sets', async () => {
    const bucket = await newBucket('shown-by-s3');
    const form = { name: 'mine', prefix: 'x/', to_archive_after_days: '3', delete_after_days: '5' };
    await native.add(bucket, new URLSearchParams(form));
    expect(await settings.lifecycle(bucket)).toEqual({
      rules: [
        {
          id: 'mine',
          isEnabled: true,
          scope: { in: 'Filter', prefix: 'x/' },
          transitions: [{ days: 3, storageClass: 'GLACIER' }],
          expiration: { days: 5 },
        },
      ],
    });
    const object = { key: 'x/a', size: 1, tags: {}, madeAt: Date.parse('2026-11-16T00:00:00Z') };
    expect(expiryOf((await buckets.owned(uid, bucket.name)).lifecycle, object)).toEqual({
      at: new Date('2026-11-21T00:00:00Z'),
      ruleId: 'mine',
    });
    await settings.setLifecycle(bucket, lifecycle);
    expect((await native.list(bucket)).map(({ name }) => name)).toEqual(['all', 'logs']);
    await settings.setLifecycle(bucket, undefined);
    expect(await native.list(bucket)).toEqual([]);
  });

  test('a bucket never has both, also when both are set at once', async () => {
    const bucket = await newBucket('both');
    const adding = await databases.control.pool.connect();
    await adding.query('BEGIN');
    await adding.query('SELECT FROM control.buckets WHERE bucket_id = $1 FOR SHARE', [bucket.id]);
    await adding.query(`INSERT INTO control.lifecycle_rules VALUES ($1, 'mine', '', 0, 0, 0, 1)`, [
      bucket.id,
    ]);
    const setting = settings.setLifecycle(bucket, lifecycle);
    await untilWaiting(databases.control, 1);
    await adding.query('COMMIT');
    adding.release();
    await setting;
    const { rows } = await databases.control.pool.query(
      'SELECT FROM control.lifecycle_rules WHERE bucket_id = $1',
      [bucket.id],
    );
    expect(rows).toEqual([]);
  });
});

describe('policies', () => {
  const off = {
    BlockPublicAcls: false,
    IgnorePublicAcls: false,
    BlockPublicPolicy: false,
    RestrictPublicBuckets: false,
  };

  test('make a bucket public in their own words, and private when they go', async () => {
    const bucket = await newBucket('policy');
    const policy = '{"Statement": "its own words"}';
    expect(await settings.policy(bucket)).toBeUndefined();
    expect(await settings.setPolicy(bucket, policy)).toBe(true);
    expect([await isPrivate(bucket), await settings.policy(bucket)]).toEqual([false, policy]);
    await settings.removePolicy(bucket);
    expect([await isPrivate(bucket), await settings.policy(bucket)]).toEqual([true, undefined]);
  });

  test('a bucket made public by our own call shows the policy, and forgets it when it becomes private', async () => {
    const bucket = await newBucket('native-public', false);
    expect(await settings.policy(bucket)).toBe(publicReadPolicy('native-public'));
    await settings.setPolicy(bucket, 'words');
    await buckets.setPrivate(uid, bucket.name, true);
    await buckets.setPrivate(uid, bucket.name, false);
    expect(await settings.policy(bucket)).toBe(publicReadPolicy('native-public'));
  });

  test('a block refuses what would make the bucket public, by either protocol', async () => {
    const bucket = await newBucket('blocked');
    await settings.setAccessBlock(bucket, { ...off, BlockPublicPolicy: true });
    expect(await settings.setPolicy(bucket, 'words')).toBe(false);
    await expect(buckets.setPrivate(uid, bucket.name, false)).rejects.toMatchObject({ fault: 'notAllowed' });
    expect(await isPrivate(bucket)).toBe(true);
    await settings.setAccessBlock(bucket, undefined);
    await buckets.setPrivate(uid, bucket.name, false);
    expect(await isPrivate(bucket)).toBe(false);
  });

  test('blocking new policies leaves a public bucket as it is', async () => {
    const bucket = await newBucket('blocked-later', false);
    await settings.setAccessBlock(bucket, { ...off, BlockPublicPolicy: true });
    await buckets.setPrivate(uid, bucket.name, false);
    expect(await isPrivate(bucket)).toBe(false);
  });

  test('a restriction takes the effect away and gives it back', async () => {
    for (const [name, policy] of [
      ['restricted', 'words'],
      ['restricted-native', undefined],
    ] as const) {
      const bucket = await newBucket(name, policy !== undefined);
      if (policy !== undefined) await settings.setPolicy(bucket, policy);
      await settings.setAccessBlock(bucket, { ...off, RestrictPublicBuckets: true });
      expect([await isPrivate(bucket), await settings.isPublic(bucket)]).toEqual([true, false]);
      expect(await settings.policy(bucket)).toBe(policy ?? publicReadPolicy(name));
      await settings.setAccessBlock(bucket, off);
      expect(await isPrivate(bucket)).toBe(false);
      expect(await settings.accessBlock(bucket)).toEqual(off);
    }
  });

  test('a policy set under a restriction waits for its end', async () => {
    const bucket = await newBucket('waiting');
    await settings.setAccessBlock(bucket, { ...off, RestrictPublicBuckets: true });
    expect(await settings.setPolicy(bucket, 'words')).toBe(true);
    expect(await isPrivate(bucket)).toBe(true);
    await settings.setAccessBlock(bucket, undefined);
    expect(await isPrivate(bucket)).toBe(false);
  });
});

test('CORS rules keep what only S3 knows', async () => {
  const bucket = await newBucket('cors');
  const rule = {
    id: 'one',
    allowed_origin: ['https://A.example'],
    allowed_method: ['GET'],
    allowed_header: [],
    exposed_header: [],
  };
  await settings.setCors(bucket, [rule]);
  expect(await settings.cors(bucket)).toEqual([rule]);
  expect((await buckets.owned(uid, 'cors')).ownCors).toEqual([rule]);
  await settings.setCors(bucket, undefined);
  expect(await settings.cors(bucket)).toBeUndefined();
  expect((await buckets.owned(uid, 'cors')).ownCors).toBeUndefined();
});
