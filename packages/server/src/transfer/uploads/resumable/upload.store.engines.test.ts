import { randomUUID } from 'node:crypto';
import { type BlobId, newBlobId } from '@millpond/blobs';
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { untilWaiting } from '../../../../test/locks.ts';
import { NOT_KEPT } from '../uploads.testing.ts';
import { UploadStore } from './upload.store.ts';

const databases = useDatabases();
const BUCKET = 7n;
const WINDOW_MS = 3_600_000;
const WEEK = 7 * 86_400;
let store: UploadStore;

beforeAll(async () => {
  store = new UploadStore(databases.region);
  await run(`INSERT INTO region.bucket_gate VALUES (${BUCKET}, 'open'), (8, 'closing')`);
});

async function run<Row extends object>(text: string): Promise<Row[]> {
  return (await databases.region.pool.query<Row>(text)).rows;
}

async function begin(key: { name?: string } = { name: 'k' }): Promise<string> {
  const begun = await store.begin(BUCKET, key.name, 0);
  return begun?.is_full === false ? begun.upload_id : '';
}

function part(uploadId: string, number: number) {
  return { uploadId, number, segmentId: newBlobId(), size: 3, etag: `etag ${number}` };
}

async function reasonsOf(segmentId: BlobId): Promise<string[]> {
  const rows = await run<{ reason: string }>(
    `SELECT reason FROM region.trash WHERE blob_id = '${segmentId}'`,
  );
  return rows.map((row) => row.reason);
}

const expire = (uploadId: string) =>
  run(`UPDATE region.uploads SET expires_at = now() - interval '1 second' WHERE upload_id = '${uploadId}'`);

describe('an upload', () => {
  test('lasts seven days by the clock of the database', async () => {
    const earliest = Math.floor(Date.now() / 1000) + WEEK;
    const upload = await store.find(await begin(), BUCKET, 'k');
    expect(upload?.expire_at).toBeGreaterThanOrEqual(earliest);
    expect(upload?.expire_at).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + WEEK);
  });

  test.each([
    ['that is being dropped', 8n],
    ['that is not there', 9n],
  ])('is not begun in a bucket %s', async (_, bucketId) => {
    expect(await store.begin(bucketId, 'k', 0)).toBeUndefined();
  });

  test('may last beyond 2038', async () => {
    const id = await begin();
    await run(`UPDATE region.uploads SET expires_at = '2040-01-01Z' WHERE upload_id = '${id}'`);
    expect(await store.find(id, BUCKET, 'k')).toMatchObject({ expire_at: Date.UTC(2040) / 1000 });
  });

  test('is not begun in a bucket whose quota is used up, and one of before says so to its parts', async () => {
    const quota = (room: number) =>
      run(`INSERT INTO region.bucket_gate (bucket_id, state, room_bytes) VALUES (11, 'open', ${room})
           ON CONFLICT (bucket_id) DO UPDATE SET room_bytes = excluded.room_bytes`);
    await quota(1);
    const begun = await store.begin(11n, 'k', 0);
    const id = begun?.is_full === false ? begun.upload_id : '';
    const found = () => store.findForPart(id, 11n, 'k', { number: 1, isSummed: false });
    expect(await found()).toMatchObject({ is_full: false });
    for (const room of [0, -1]) {
      await quota(room);
      expect(await store.begin(11n, 'k', 0)).toMatchObject({ is_full: true });
      expect(await found()).toMatchObject({ is_full: true });
    }
    expect(await run('SELECT FROM region.uploads WHERE bucket_id = 11')).toHaveLength(1);
  });

  test('tells a part what the others have, if it is asked', async () => {
    const id = await begin();
    for (const number of [1, 2, 3])
      await store.putPart({ ...part(id, number), size: 10 ** number }, WINDOW_MS);
    const others = async (number: number, isSummed = true) =>
      (await store.findForPart(id, BUCKET, 'k', { number, isSummed }))?.otherPartsBytes;
    expect(await Promise.all([others(1), others(3), others(4), others(4, false)])).toEqual([
      1100n,
      110n,
      1110n,
      0n,
    ]);
    expect(await store.findForPart(id, 8n, 'k', { number: 1, isSummed: true })).toBeUndefined();
  });

  test('is found by its own bucket and key only', async () => {
    const [named, unnamed] = [await begin({ name: 'named' }), await begin({})];
    expect(await store.find(named, BUCKET, 'named')).toMatchObject({ class: 0 });
    expect(await store.find(unnamed, BUCKET, undefined)).toMatchObject({ class: 0 });
    for (const [id, bucket, key] of [
      [named, 8n, 'named'],
      [named, BUCKET, 'other'],
      [named, BUCKET, undefined],
      [unnamed, BUCKET, ''],
      [randomUUID(), BUCKET, 'named'],
    ] as const)
      expect(await store.find(id, bucket, key)).toBeUndefined();
  });

  test('whose time has come is not found, takes no part, and is listed for the clean-up', async () => {
    const id = await begin();
    const [early, late] = [part(id, 1), part(id, 2)];
    expect(await store.putPart(early, WINDOW_MS)).toBe(true);
    await expire(id);
    expect(await store.find(id, BUCKET, 'k')).toBeUndefined();
    expect(await store.putPart(late, WINDOW_MS)).toBe(false);
    expect(await reasonsOf(late.segmentId)).toEqual(['refused']);
    expect(await store.expired(10)).toContain(id);
    expect(await store.abort(id)).toBe(true);
    expect(await reasonsOf(early.segmentId)).toEqual(['refused']);
    expect(await store.expired(10)).not.toContain(id);
  });
});

describe('a part', () => {
  test('that is sent again replaces the one before, whose bytes are given up', async () => {
    const id = await begin();
    const [first, second] = [part(id, 5), { ...part(id, 5), size: 4, etag: 'other' }];
    await store.putPart(first, WINDOW_MS);
    await store.putPart(second, WINDOW_MS);
    expect(await store.parts(id, 0, 10)).toMatchObject([
      { part_number: 5, segment_id: second.segmentId, size: 4n, etag: 'other' },
    ]);
    expect([await reasonsOf(first.segmentId), await reasonsOf(second.segmentId)]).toEqual([['refused'], []]);
  });

  test('is one of many of its number at the same time: one stays, every other is given up', async () => {
    const id = await begin();
    const parts = Array.from({ length: 12 }, () => part(id, 1));
    expect(await Promise.all(parts.map((each) => store.putPart(each, WINDOW_MS)))).toEqual(
      parts.map(() => true),
    );
    const [left] = await store.parts(id, 0, 10);
    for (const { segmentId } of parts)
      expect(await reasonsOf(segmentId)).toEqual(segmentId === left?.segment_id ? [] : ['refused']);
  });

  test('whose bytes the sweep may have removed is refused as a commit of them would be, and given up', async () => {
    const id = await begin();
    const late = { ...part(id, 1), segmentId: newBlobId(Date.now() - WINDOW_MS - 1) };
    await expect(store.putPart(late, WINDOW_MS)).rejects.toMatchObject({ fault: 'serverFailure' });
    expect(await store.parts(id, 0, 10)).toEqual([]);
    expect(await reasonsOf(late.segmentId)).toEqual(['refused']);
  });

  test('is listed behind a number, in order, as many as asked for', async () => {
    const id = await begin();
    for (const number of [9, 2, 10_000, 1]) await store.putPart(part(id, number), WINDOW_MS);
    const numbers = async (after: number, most: number) =>
      (await store.parts(id, after, most)).map((row) => row.part_number);
    expect(await numbers(0, 10)).toEqual([1, 2, 9, 10_000]);
    expect(await numbers(1, 2)).toEqual([2, 9]);
    expect(await numbers(10_000, 10)).toEqual([]);
  });
});

describe('a completion', () => {
  test('keeps the parts that it names and gives the others up', async () => {
    const id = await begin();
    const [taken, left] = [part(id, 1), part(id, 2)];
    await store.putPart(taken, WINDOW_MS);
    await store.putPart(left, WINDOW_MS);
    await databases.region.transaction((transaction) =>
      store.complete(id, [taken.segmentId], NOT_KEPT, transaction),
    );
    expect([await reasonsOf(taken.segmentId), await reasonsOf(left.segmentId)]).toEqual([[], ['refused']]);
    expect(await store.abort(id)).toBe(false);
  });

  test('that is rolled back leaves the upload and its parts as they were', async () => {
    const id = await begin();
    const only = part(id, 1);
    await store.putPart(only, WINDOW_MS);
    const failing = databases.region.transaction(async (transaction) => {
      await store.complete(id, [], NOT_KEPT, transaction);
      throw new Error('change of mind');
    });
    await expect(failing).rejects.toThrow();
    expect(await store.parts(id, 0, 10)).toHaveLength(1);
    expect(await reasonsOf(only.segmentId)).toEqual([]);
  });

  test('is the only one of two: the other finds no upload', async () => {
    const id = await begin();
    const only = part(id, 1);
    await store.putPart(only, WINDOW_MS);
    const complete = () =>
      databases.region.transaction(async (transaction) => {
        const locked = await store.lockedParts(id, transaction);
        if (locked !== undefined) await store.complete(id, [only.segmentId], NOT_KEPT, transaction);
        return locked !== undefined;
      });
    const results = await Promise.all([complete(), complete(), complete()]);
    expect(results.filter((isDone) => isDone)).toHaveLength(1);
    expect(await reasonsOf(only.segmentId)).toEqual([]);
  });

  // What it keeps may not be in the trash, and what it does not know of may not be lost.
  test.each([
    ['a part that replaces one', 1],
    ['a new part', 2],
  ])('holds back %s that comes while it runs', async (_, number) => {
    const id = await begin();
    const [kept, late] = [part(id, 1), part(id, number)];
    await store.putPart(kept, WINDOW_MS);
    let putting: Promise<boolean> | undefined;
    await databases.region.transaction(async (transaction) => {
      const locked = await store.lockedParts(id, transaction);
      expect(locked?.map((row) => row.segment_id)).toEqual([kept.segmentId]);
      putting = store.putPart(late, WINDOW_MS);
      await untilWaiting(databases.region, 1);
      await store.complete(id, [kept.segmentId], NOT_KEPT, transaction);
    });
    expect(await putting).toBe(false);
    expect(await reasonsOf(kept.segmentId)).toEqual([]);
    expect(await reasonsOf(late.segmentId)).toEqual(['refused']);
  });

  test('waits for a part that is being put, and sees it', async () => {
    const id = await begin();
    const first = part(id, 1);
    await store.putPart(first, WINDOW_MS);
    const parts = Array.from({ length: 8 }, () => part(id, 1));
    const putting = parts.map((each) => store.putPart(each, WINDOW_MS));
    const kept = await databases.region.transaction(async (transaction) => {
      const [row] = (await store.lockedParts(id, transaction)) ?? [];
      const ids = row === undefined ? [] : [row.segment_id];
      await store.complete(id, ids, NOT_KEPT, transaction);
      return ids[0];
    });
    await Promise.all(putting);
    for (const { segmentId } of [first, ...parts])
      expect(await reasonsOf(segmentId)).toEqual(segmentId === kept ? [] : ['refused']);
  });
});
