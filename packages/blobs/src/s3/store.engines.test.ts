// @module-tag ceph
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BlobId, engineKey, newBlobId } from '../blob-id.ts';
import type { BlobStore } from '../store.ts';
import { engineOptions, removeEngineBucket } from '../testing/engine.ts';
import { pattern } from '../testing/sinks.ts';
import { createS3Client, type S3Client } from './client.ts';
import type { S3BlobOptions } from './options.ts';
import { createS3BlobStore } from './store.ts';

let options: S3BlobOptions;
let store: BlobStore;
let client: S3Client;

beforeAll(async () => {
  options = engineOptions();
  store = createS3BlobStore(options);
  client = createS3Client(options);
  await store.ensureReady();
});
afterAll(async () => {
  await Promise.all([store?.close(), client?.close()]);
  if (options) await removeEngineBucket(options);
});

describe('in the engine', () => {
  test('the engine itself reports the class COLD, and no class for STANDARD', async () => {
    const [warm, cold] = [newBlobId(), newBlobId()];
    await store.put(warm, [pattern(10)], { tier: 'STANDARD' });
    await store.put(cold, [pattern(10)], { tier: 'COLD' });
    const classOf = async (id: BlobId) => {
      const { head } = await client.call({
        method: 'HEAD',
        key: engineKey(id),
        expect: [200],
        doing: 'asking',
      });
      return head.storageClass;
    };
    expect(await classOf(cold)).toBe('COLD');
    expect(await classOf(warm)).toBeUndefined();
  });

  test('names that are not ours are passed over by lists and by the clearing of multiparts', async () => {
    const id = newBlobId(Date.UTC(2001, 1, 3, 4));
    await store.put(id, [pattern(5)], { tier: 'STANDARD' });
    for (const key of ['2001020304/notes.txt', 'readme', 'folder/file'])
      await client.call({
        method: 'PUT',
        key,
        body: [pattern(1)],
        expect: [200],
        doing: 'writing a stranger',
      });
    await client.call({
      method: 'POST',
      key: 'folder/large',
      parameters: [['uploads', '']],
      expect: [200],
      doing: 'beginning',
    });
    const seen = [];
    for await (const page of store.list('2001020304', { pageSize: 1 })) seen.push(...page);
    expect(seen).toEqual([{ id, size: 5 }]);
    expect(await store.listHours()).toContain('2001020304');
    expect(await store.listHours()).not.toContain('folder');
    expect(await store.abortStale(new Date(Date.now() + 60_000))).toBe(0);
    for (const key of ['2001020304/notes.txt', 'readme', 'folder/file'])
      await client.call({ method: 'DELETE', key, expect: [204], doing: 'removing a stranger' });
  });
});

describe('presigned URLs', () => {
  test('the engine serves the blob to whoever has one, with the headers asked for', async () => {
    const id = newBlobId();
    const bytes = pattern(1000, 2);
    await store.put(id, [bytes], { tier: 'STANDARD' });
    const asked = {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="a b+c.txt"; filename*=UTF-8''%E6%B0%B4.txt`,
      'content-encoding': 'x-own',
      'content-language': 'de, en',
      'cache-control': 'public, max-age=60',
      expires: 'Tue, 15 Nov 2033 12:45:26 GMT',
    };
    const url = store.presign(id, {
      expiresSeconds: 60,
      headers: asked,
    });
    const answer = await request(url ?? '', { headers: { range: 'bytes=100-199' } });
    expect(answer.statusCode).toBe(206);
    expect(answer.headers).toMatchObject(asked);
    expect(Buffer.from(await answer.body.arrayBuffer()).equals(bytes.subarray(100, 200))).toBe(true);
  });

  test('not for another blob, another header or another host', async () => {
    const [id, other] = [newBlobId(), newBlobId()];
    await store.put(id, [pattern(1)], { tier: 'STANDARD' });
    await store.put(other, [pattern(1)], { tier: 'STANDARD' });
    const url = store.presign(id, { expiresSeconds: 60, headers: { 'content-type': 'text/plain' } }) ?? '';
    const elsewhere = store.presign(id, { expiresSeconds: 60, origin: 'https://files.example.com' }) ?? '';
    expect(elsewhere).toMatch(/^https:\/\/files\.example\.com\/test-/);
    for (const forged of [
      url.replace(engineKey(id), engineKey(other)),
      url.replace('text%2Fplain', 'text%2Fhtml'),
      url.replace('X-Amz-Expires=60', 'X-Amz-Expires=6000'),
      elsewhere.replace('https://files.example.com', options.endpoint),
    ]) {
      const answer = await request(forged);
      await answer.body.dump();
      expect(answer.statusCode, forged).toBe(403);
    }
  });
});

test('an address with a path, another scheme or credentials is refused', () => {
  for (const endpoint of ['http://127.0.0.1/s3', 'ftp://127.0.0.1', 'http://user:pass@127.0.0.1', 'nonsense'])
    expect(() => createS3BlobStore({ ...options, endpoint }), endpoint).toThrow(TypeError);
  expect(() => createS3BlobStore({ ...options, bucket: '../x' })).toThrow(TypeError);
});
