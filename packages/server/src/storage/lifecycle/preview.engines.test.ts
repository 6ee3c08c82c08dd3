import { newBlobId } from '@millpond/blobs';
import { expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import type { LifecycleRule } from '../buckets/index.ts';
import { LifecycleStore } from './lifecycle.store.ts';
import { previewRule } from './preview.ts';

const databases = useDatabases();
const never = new AbortController().signal;
const none = {
  to_line_after_days: 0,
  to_archive_after_days: 0,
  to_deep_archive_after_days: 0,
  delete_after_days: 0,
};
const rule = (name: string, prefix: string, days: Partial<LifecycleRule>) => ({
  ...none,
  name,
  prefix,
  ...days,
});

/** Thirty days old. */
const put = (bucketId: bigint, prefix: string, count: number, storageClass = 0) =>
  databases.region.pool.query(
    `INSERT INTO region.objects (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, class, put_time)
     SELECT $1, $2 || lpad(n::text, 5, '0'), $3, 2, 'h', 't', 't', $5, region.put_time_now() - 30 * 864000000000
     FROM generate_series(1, $4::integer) n`,
    [bucketId, prefix, newBlobId(), count, storageClass],
  );

test('reads as many as it may, and says whether that was all', async () => {
  const bucket = { id: 1n, lifecycle: undefined };
  await put(1n, 'k', 1200);
  const store = new LifecycleStore(databases.region);
  const deleting = rule('r', '', { delete_after_days: 7 });
  const whole = await previewRule(store, bucket, deleting, never, 1200);
  expect(whole).toMatchObject({
    read: 1200,
    isWhole: true,
    would: { delete: { objects: 1200, bytes: 2400 } },
  });
  expect(whole.examples).toHaveLength(20);
  expect(await previewRule(store, bucket, deleting, never, 1199)).toMatchObject({
    read: 1199,
    isWhole: false,
  });
});

test('counts only what this rule would do, beside the others', async () => {
  for (const prefix of ['a/', 'a/keep/', 'b/']) await put(2n, prefix, 1);
  await put(2n, 'a/z', 1, 2);
  const rules = [
    rule('longer', 'a/keep/', { delete_after_days: 99 }),
    rule('r', 'b/', { delete_after_days: 1 }),
  ];
  const bucket = { id: 2n, lifecycle: { by: 'prefix', rules } } as const;
  const tried = rule('r', 'a/', { to_line_after_days: 7 });
  expect(await previewRule(new LifecycleStore(databases.region), bucket, tried, never)).toMatchObject({
    read: 3,
    isWhole: true,
    examples: [{ key: 'a/00001', act: 'class1' }],
  });
});

test('is refused where S3 set the rules', async () => {
  const lifecycle = { by: 's3', rules: [], minimumSize: 'varies_by_storage_class' } as const;
  const tried = rule('r', '', { delete_after_days: 1 });
  const store = new LifecycleStore(databases.region);
  await expect(previewRule(store, { id: 3n, lifecycle }, tried, never)).rejects.toThrow(/S3 set/);
});
