import { type BlobId, newBlobId } from '@millpond/blobs';
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { NOT_KEPT } from '../uploads.testing.ts';
import { type BlockRow, BlockStore } from './block.store.ts';

const databases = useDatabases();
const UID = 7n;
const WINDOW_MS = 3_600_000;
const WEEK = 7 * 86_400;
let store: BlockStore;

beforeAll(() => {
  store = new BlockStore(databases.region);
});

function chunk(size: number) {
  return { segmentId: newBlobId(), size, sha1: Buffer.alloc(20, size) };
}

async function begin(size: number, first: ReturnType<typeof chunk>): Promise<BlockRow> {
  const row = await store.begin(UID, { bucketId: 1n, blockSize: size, storageClass: 0 }, first, WINDOW_MS);
  if (row === undefined) throw new Error('the block was not begun');
  return row;
}

async function reasonsOf(segmentId: BlobId): Promise<string[]> {
  const { rows } = await databases.region.pool.query<{ reason: string }>(
    'SELECT reason FROM region.trash WHERE blob_id = $1',
    [segmentId],
  );
  return rows.map((row) => row.reason);
}

const expireBlock = (blockId: string) =>
  databases.region.pool.query(
    `UPDATE region.upload_blocks SET expires_at = now() - interval '1 second' WHERE block_id = $1`,
    [blockId],
  );

describe('a block', () => {
  test('is filled chunk by chunk and knows how far', async () => {
    const [one, two] = [chunk(3), chunk(7)];
    const earliest = Math.floor(Date.now() / 1000) + WEEK;
    const begun = await begin(10, one);
    expect(begun).toMatchObject({ block_size: 10, filled: 3 });
    expect(begun.expire_at).toBeGreaterThanOrEqual(earliest);
    expect(begun.expire_at).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + WEEK);
    expect(await store.append(begun.block_id, 3, two, WINDOW_MS)).toMatchObject({
      filled: 10,
      sha1: two.sha1,
    });
    expect(await store.chunks([begun.block_id])).toEqual([
      { block_id: begun.block_id, at: 0, segment_id: one.segmentId, size: 3 },
      { block_id: begun.block_id, at: 3, segment_id: two.segmentId, size: 7 },
    ]);
  });

  test.each([
    ['at another place', 2, 3],
    ['past its end', 3, 8],
  ])('takes no chunk %s; the bytes are given up', async (_, at, size) => {
    const block = await begin(10, chunk(3));
    const refused = chunk(size);
    expect(await store.append(block.block_id, at, refused, WINDOW_MS)).toBeUndefined();
    expect(await reasonsOf(refused.segmentId)).toEqual(['refused']);
    expect(await store.find([block.block_id], UID)).toMatchObject([{ filled: 3 }]);
  });

  test('takes one of several chunks for the same place', async () => {
    const block = await begin(10, chunk(3));
    const chunks = Array.from({ length: 6 }, () => chunk(2));
    const appended = await Promise.all(
      chunks.map((each) => store.append(block.block_id, 3, each, WINDOW_MS)),
    );
    expect(appended.filter((row) => row !== undefined)).toHaveLength(1);
    for (const [index, { segmentId }] of chunks.entries())
      expect(await reasonsOf(segmentId)).toEqual(appended[index] === undefined ? ['refused'] : []);
  });

  test('takes no chunk whose bytes the sweep may have removed, the first or another: refused as a commit of them would be, and given up', async () => {
    const late = () => ({ ...chunk(3), segmentId: newBlobId(Date.now() - WINDOW_MS - 1) });
    const [first, second] = [late(), late()];
    const asked = { bucketId: 1n, blockSize: 10, storageClass: 0 };
    const refused = { fault: 'serverFailure' };
    await expect(store.begin(UID, asked, first, WINDOW_MS)).rejects.toMatchObject(refused);
    const { block_id } = await begin(10, chunk(3));
    await expect(store.append(block_id, 3, second, WINDOW_MS)).rejects.toMatchObject(refused);
    expect(await store.find([block_id], UID)).toMatchObject([{ filled: 3 }]);
    for (const { segmentId } of [first, second]) expect(await reasonsOf(segmentId)).toEqual(['refused']);
  });

  test('may last beyond 2038', async () => {
    const { block_id } = await begin(10, chunk(3));
    await databases.region.pool.query(
      `UPDATE region.upload_blocks SET expires_at = '2040-01-01Z' WHERE block_id = $1`,
      [block_id],
    );
    expect(await store.find([block_id], UID)).toMatchObject([{ expire_at: Date.UTC(2040) / 1000 }]);
  });

  test('is not begun in a bucket whose quota is used up; the bytes are given up', async () => {
    await databases.region.pool.query(
      `INSERT INTO region.bucket_gate (bucket_id, state, room_bytes) VALUES (2, 'open', 1), (3, 'open', 0), (4, 'open', -1)`,
    );
    const begun = async (bucketId: bigint) => {
      const first = chunk(3);
      const row = await store.begin(UID, { bucketId, blockSize: 10, storageClass: 0 }, first, WINDOW_MS);
      return [row === undefined, await reasonsOf(first.segmentId)];
    };
    expect(await begun(2n)).toEqual([false, []]);
    for (const full of [3n, 4n]) expect(await begun(full)).toEqual([true, ['refused']]);
  });

  test('is nobody else’s', async () => {
    const block = await begin(10, chunk(3));
    expect(await store.find([block.block_id], 8n)).toEqual([]);
  });

  test('whose time has come is not found, takes no chunk, and goes with its bytes', async () => {
    const [first, late] = [chunk(3), chunk(3)];
    const block = await begin(10, first);
    await expireBlock(block.block_id);
    expect(await store.find([block.block_id], UID)).toEqual([]);
    expect(await store.append(block.block_id, 3, late, WINDOW_MS)).toBeUndefined();
    expect(await store.expire(100)).toBe(1);
    expect(await reasonsOf(first.segmentId)).toEqual(['refused']);
    expect(await store.chunks([block.block_id])).toEqual([]);
    expect(await store.expire(100)).toBe(0);
  });
});

describe('a file of blocks', () => {
  test('keeps their chunks, or gives them up', async () => {
    for (const kept of [true, false]) {
      const first = chunk(3);
      const { block_id } = await begin(3, first);
      await databases.region.transaction(async (transaction) => {
        expect(await store.lock([block_id], transaction)).toBe(true);
        await store.complete([block_id], kept, NOT_KEPT, transaction);
      });
      expect(await reasonsOf(first.segmentId)).toEqual(kept ? [] : ['refused']);
      expect(await store.find([block_id], UID)).toEqual([]);
    }
  });

  test('is made once of a block, however many try at the same time', async () => {
    const first = chunk(3);
    const { block_id } = await begin(3, first);
    const make = () =>
      databases.region.transaction(async (transaction) => {
        const locked = await store.lock([block_id, block_id], transaction);
        if (locked) await store.complete([block_id], true, NOT_KEPT, transaction);
        return locked;
      });
    const results = await Promise.all([make(), make(), make()]);
    expect(results.filter((isMade) => isMade)).toHaveLength(1);
    expect(await reasonsOf(first.segmentId)).toEqual([]);
  });

  test('that is being made holds the clean-up off', async () => {
    const first = chunk(3);
    const { block_id } = await begin(3, first);
    await expireBlock(block_id);
    await databases.region.transaction(async (transaction) => {
      await store.lock([block_id], transaction);
      expect(await store.expire(100)).toBe(0);
      await store.complete([block_id], true, NOT_KEPT, transaction);
    });
    expect(await store.expire(100)).toBe(0);
    expect(await reasonsOf(first.segmentId)).toEqual([]);
  });
});
