import { createHash } from 'node:crypto';
import { newBlobId } from '@millpond/blobs';
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { NOT_KEPT } from '../uploads.testing.ts';
import {
  CompletedStore,
  type CompletedUpload,
  completionValues,
  insertCompletionSql,
} from './completed.store.ts';

const databases = useDatabases();
const PUT_TIME = 17n;
let store: CompletedStore;

beforeAll(async () => {
  store = new CompletedStore(databases.region);
  await run(
    `INSERT INTO region.objects (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, put_time)
     VALUES (7, 'k', '${newBlobId()}', 1, 'hash', 'text/plain', 'text/plain', ${PUT_TIME})`,
  );
});

async function run<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await databases.region.pool.query<Row>(text, values)).rows;
}

const requestOf = (name: string) => createHash('sha256').update(name).digest();

async function keep(name: string, upload: Partial<CompletedUpload> = {}): Promise<Buffer> {
  const request = requestOf(name);
  const kept = { ...NOT_KEPT, request, putTime: PUT_TIME, answer: '{"status":200}', ...upload };
  await run(`WITH ended AS (SELECT $1::text) ${insertCompletionSql('ended')}`, [
    '',
    ...completionValues(kept),
  ]);
  return request;
}

const passHours = (request: Buffer, hours: number) =>
  run(
    `UPDATE region.completed_uploads SET expires_at = expires_at - $2 * interval '1 hour',
       called_until = called_until - $2 * interval '1 hour' WHERE request = $1`,
    [request, hours],
  );

describe('an answer', () => {
  test('is found by its request, for an hour at least', async () => {
    const request = await keep('plain');
    expect(await store.find(request)).toEqual({
      key: 'k',
      hash: 'hash',
      answer: '{"status":200}',
      delivery_id: null,
    });
    expect(await store.find(requestOf('another'))).toBeUndefined();
    await passHours(request, 1);
    expect(await store.find(request)).toBeDefined();
    await passHours(request, 1.1);
    expect(await store.find(request)).toBeUndefined();
  });

  test('is none of another version of the object, nor of another bucket’s', async () => {
    expect(await store.find(await keep('version', { putTime: PUT_TIME + 1n }))).toBeUndefined();
    expect(await store.find(await keep('bucket', { bucketId: 8n }))).toBeUndefined();
    expect(await store.find(await keep('key', { key: 'other' }))).toBeUndefined();
  });

  test('that is not to be kept leaves no row', async () => {
    const rows = () => run('SELECT FROM region.completed_uploads');
    const before = (await rows()).length;
    await keep('not kept', { request: undefined });
    expect(await rows()).toHaveLength(before);
  });
});

describe('a callback', () => {
  test('is taken over by one, and only when the first has had its time', async () => {
    const request = await keep('callback', {
      answer: undefined,
      callback: { deliveryId: newBlobId(), maxMs: 1000 },
    });
    const take = () => store.claimCallback(request, 60_000);
    expect(await take()).toBe(false);
    await passHours(request, 0.5);
    const taken = await Promise.all([take(), take(), take()]);
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(1);
    expect(await take()).toBe(false);
    expect(await store.claimCallback(await keep('no callback'), 1)).toBe(false);
  });
});

test('what has had its time is forgotten, so many at once, and nothing else', async () => {
  await run('DELETE FROM region.completed_uploads');
  const names = Array.from({ length: 5 }, (_, index) => `old ${index}`);
  for (const name of names) await passHours(await keep(name), 3);
  const fresh = await keep('fresh');
  expect([await store.forget(3), await store.forget(3), await store.forget(3)]).toEqual([3, 2, 0]);
  expect(await store.find(fresh)).toBeDefined();
});
