import { newBlobId } from '@millpond/blobs';
import { beforeAll, expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { ObjectStore } from '../objects.store.ts';
import { ExpiryStore } from './expiry.store.ts';

const databases = useDatabases();
const never = new AbortController().signal;
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  await databases.region.pool.query(
    `INSERT INTO region.bucket_gate SELECT n, 'open' FROM generate_series(1, 5) n`,
  );
});

const expiry = () => new ExpiryStore(databases.region);

/** An object that goes at this time, by a clock that is right. */
async function put(key: string, expiresInMs: number | undefined, bucketId = 1n): Promise<string> {
  const blobId = newBlobId();
  await new ObjectStore(databases.region).commit(
    {
      bucketId,
      key,
      blobId,
      segments: [{ id: blobId, size: 3 }],
      fsize: 3,
      hash: blobId,
      mimeType: 'text/plain',
      detectedType: 'text/plain',
      storageClass: 0,
      endUser: undefined,
      meta: undefined,
      deadline: 9_999_999_999,
      commitWindowMs: HOUR_MS,
      expiresAt: expiresInMs === undefined ? undefined : new Date(Date.now() + expiresInMs),
    },
    'overwrite',
  );
  return blobId;
}

async function keysLeft(): Promise<string[]> {
  const { rows } = await databases.region.pool.query<{ key: string }>(
    'SELECT key FROM region.objects ORDER BY key',
  );
  return rows.map(({ key }) => key);
}

test('objects that are due go, in batches, and their bytes to the trash; others stay', async () => {
  const due = [];
  for (let i = 0; i < 23; i++) due.push(await put(`due-${i}`, -i * HOUR_MS - 1000, BigInt((i % 5) + 1)));
  await put('later', HOUR_MS);
  await put('kept', undefined);
  expect(await expiry().removeAllDue(never, 5)).toBe(23);
  expect(await keysLeft()).toEqual(['kept', 'later']);
  const { rows } = await databases.region.pool.query<{ blob_id: string; object: { key: string } }>(
    `SELECT blob_id, object FROM region.trash WHERE reason = 'deleted'`,
  );
  expect(rows.map((row) => row.blob_id).toSorted()).toEqual(due.toSorted());
  expect(await expiry().removeAllDue(never)).toBe(0);
});

test('an object that is held by somebody waits for the next round, and one written anew stays', async () => {
  await put('held', -1000);
  await put('free', -1000);
  const client = await databases.region.pool.connect();
  await client.query('BEGIN');
  await client.query(`SELECT FROM region.objects WHERE key = 'held' FOR UPDATE`);
  expect(await expiry().removeAllDue(never)).toBe(1);
  expect(await keysLeft()).toContain('held');
  await client.query('COMMIT');
  client.release();
  await put('held', undefined);
  expect(await expiry().removeAllDue(never)).toBe(0);
  expect(await keysLeft()).toContain('held');
});

test('two runs at once remove each object once', async () => {
  for (let i = 0; i < 40; i++) await put(`both-${i}`, -1000);
  const removed = await Promise.all([expiry().removeAllDue(never, 7), expiry().removeAllDue(never, 7)]);
  // A run ends early where the other holds what is left; between them nothing is counted twice.
  expect(removed[0] + removed[1]).toBeLessThanOrEqual(40);
  const rest = await expiry().removeAllDue(never);
  expect(removed[0] + removed[1] + rest).toBe(40);
});

test('a run that is cancelled removes nothing more', async () => {
  await put('cancelled', -1000);
  expect(await expiry().removeAllDue(AbortSignal.abort())).toBe(0);
  expect(await keysLeft()).toContain('cancelled');
});
