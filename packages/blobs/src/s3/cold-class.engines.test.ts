// @module-tag ceph
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBlobId } from '../blob-id.ts';
import { engineOptions, removeEngineBucket } from '../testing/engine.ts';
import type { S3BlobOptions } from './options.ts';
import { createS3BlobStore } from './store.ts';

let options: S3BlobOptions;
beforeAll(() => {
  options = engineOptions();
  return using(options, (store) => store.ensureReady());
});
afterAll(() => removeEngineBucket(options));

async function using<T>(
  given: S3BlobOptions,
  work: (store: ReturnType<typeof createS3BlobStore>) => Promise<T>,
): Promise<T> {
  const store = createS3BlobStore(given);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

test('an engine that has the class is found to be sound, and nothing is left there', async () => {
  await using(options, async (store) => {
    expect(await store.probeColdClass()).toBe(undefined);
    expect(await store.listHours()).toEqual([]);
  });
});

test('an engine without the class is told apart from one that does not answer, or has no bucket', async () => {
  const without = { ...options, coldClass: 'GLACIER' };
  expect(await using(without, (store) => store.probeColdClass())).toBe(
    'the engine has no storage class GLACIER',
  );
  const away = { ...without, endpoint: 'http://127.0.0.1:1' };
  await expect(using(away, (store) => store.probeColdClass())).rejects.toThrow('blob store');
  const noBucket = { ...without, bucket: `${options.bucket}-none` };
  await expect(using(noBucket, (store) => store.probeColdClass())).rejects.toThrow('NoSuchBucket');
});

test('where the engine has one class only, cold bytes are put into it and copied within it', async () => {
  await using({ ...options, coldClass: 'STANDARD' }, async (store) => {
    expect(await store.probeColdClass()).toBe(undefined);
    const [id, copy] = [newBlobId(), newBlobId()];
    await store.put(id, [Buffer.from('abc')], { tier: 'COLD' });
    await store.copy(id, copy, { tier: 'COLD' });
    expect(Buffer.from(await store.readAll(copy, 10)).toString()).toBe('abc');
  });
});
