/** Bytes that several rows name, or have named: nothing may remove them while one of them is an object. */
import { type BlobId, newBlobId } from '@millpond/blobs';
import { beforeAll, describe, expect, test } from 'vitest';
import { useBlobs } from '../../../../test/blobs.ts';
import { useDatabases } from '../../../../test/databases.ts';
import { openTransaction, untilWaiting } from '../../../../test/locks.ts';
import { ObjectStore } from '../objects.store.ts';
import { RelocateStore } from '../operations/relocate.store.ts';
import { relocateStatement } from '../operations/relocate-statement.ts';
import { Collector } from './collector.ts';
import { TrashStore } from './trash-upkeep.store.ts';
import { UndeleteStore } from './undelete.store.ts';

const BUCKET = 1n;
const HOUR_MS = 3_600_000;
const never = new AbortController().signal;
const databases = useDatabases();
const blobs = useBlobs('disk');

beforeAll(async () => {
  await databases.region.pool.query(`INSERT INTO region.bucket_gate VALUES (${BUCKET}, 'open')`);
});

const objects = () => new ObjectStore(databases.region);
const collect = (trashGraceMs = 0) =>
  new Collector(new TrashStore(databases.region), blobs.store, { trashGraceMs, sweepAgeMs: 0 }).collect(
    never,
  );
const isThere = async (id: BlobId) => (await blobs.store.stat(id)) !== undefined;
const copy = (from: string, to: string) =>
  new RelocateStore(databases.region).relocate(
    { bucketId: BUCKET, key: from },
    { bucketId: BUCKET, key: to },
    { kind: 'copy', force: false },
  );

async function put(key: string): Promise<BlobId> {
  const blobId = newBlobId();
  await blobs.store.put(blobId, [Buffer.from('abc')], { tier: 'STANDARD' });
  await objects().commit(
    {
      bucketId: BUCKET,
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
      commitWindowMs: 24 * HOUR_MS,
    },
    'overwrite',
  );
  return blobId;
}

async function trashIdsOf(blobId: BlobId): Promise<bigint[]> {
  const { rows } = await databases.region.pool.query<{ trash_id: bigint }>(
    'SELECT trash_id FROM region.trash WHERE blob_id = $1 ORDER BY trash_id',
    [blobId],
  );
  return rows.map((row) => row.trash_id);
}

test('a copy that is committed between the collector’s look and its removal keeps its bytes', async () => {
  const blob = await put('source');
  // An older row of the same bytes whose grace is over: only the source keeps them.
  await copy('source', 'earlier');
  await objects().remove(BUCKET, 'earlier');
  const copying = await openTransaction(databases.region);
  await copying.query(relocateStatement({ kind: 'copy', force: false }), [
    BUCKET,
    'source',
    BUCKET,
    'late copy',
    'copy',
  ]);
  // The source can't go before the copy is there for everybody.
  const removed = objects().remove(BUCKET, 'source');
  await untilWaiting(databases.region, 1);
  await collect();
  expect(await isThere(blob)).toBe(true);
  await copying.query('COMMIT');
  await copying.end();
  expect(await removed).toBe(true);
  await collect();
  expect(await isThere(blob)).toBe(true);
  expect((await objects().find(BUCKET, 'late copy'))?.blob_id).toBe(blob);
  await objects().remove(BUCKET, 'late copy');
  await collect();
  expect(await isThere(blob)).toBe(false);
});

test('copies, deletes and the collector at once: an object always has its bytes', async () => {
  for (let round = 0; round < 15; round++) {
    const blob = await put('racing');
    await Promise.all([
      copy('racing', `copy ${round} a`),
      objects().remove(BUCKET, 'racing'),
      copy('racing', `copy ${round} b`),
      collect(),
      collect(),
    ]);
    const named = await Promise.all(
      ['racing', `copy ${round} a`, `copy ${round} b`].map((key) => objects().find(BUCKET, key)),
    );
    if (named.some((row) => row?.blob_id === blob)) expect(await isThere(blob)).toBe(true);
  }
});

test('the grace is that of the object that went last, though another that shared its bytes went long before', async () => {
  const blob = await put('last');
  await copy('last', 'first');
  await objects().remove(BUCKET, 'first');
  await databases.region.pool.query(
    `UPDATE region.trash SET trashed_at = now() - interval '2 hours' WHERE blob_id = $1`,
    [blob],
  );
  await objects().remove(BUCKET, 'last');
  await collect(HOUR_MS);
  expect(await isThere(blob)).toBe(true);
  expect(await trashIdsOf(blob)).toHaveLength(1);
  await collect();
  expect(await isThere(blob)).toBe(false);
});

test('a move leaves nothing to bring back, and its bytes alone', async () => {
  const blob = await put('from');
  await new RelocateStore(databases.region).relocate(
    { bucketId: BUCKET, key: 'from' },
    { bucketId: BUCKET, key: 'to' },
    { kind: 'move', force: false },
  );
  const { rows } = await databases.region.pool.query(
    'SELECT reason, object FROM region.trash WHERE blob_id = $1',
    [blob],
  );
  expect(rows).toEqual([{ reason: 'moved', object: null }]);
  await collect();
  expect(await isThere(blob)).toBe(true);
  expect(await trashIdsOf(blob)).toEqual([]);
  // What is deleted on the same connections afterwards is kept as ever.
  await objects().remove(BUCKET, 'to');
  expect(await trashIdsOf(blob)).toHaveLength(1);
});

describe('undelete and the collector', () => {
  const bringBack = (trashId: bigint, key: string) =>
    new UndeleteStore(databases.region).undelete(trashId, key, { force: false, graceMs: HOUR_MS });

  async function deleteTwice(name: string): Promise<{ blob: BlobId; rows: bigint[] }> {
    const blob = await put(name);
    await copy(name, `${name} copy`);
    await objects().remove(BUCKET, name);
    await objects().remove(BUCKET, `${name} copy`);
    return { blob, rows: await trashIdsOf(blob) };
  }

  test('what the collector has begun is refused, whichever of the rows it began with', async () => {
    const { rows } = await deleteTwice('begun');
    const [first = 0n, second = 0n] = rows;
    await databases.region.pool.query('UPDATE region.trash SET collecting = true WHERE trash_id = $1', [
      second,
    ]);
    expect(await bringBack(first, 'begun')).toMatchObject({ collecting: true, written: false });
    expect(await objects().find(BUCKET, 'begun')).toBeUndefined();
  });

  test('a collector that claimed too late, and died before it knew, takes nothing away', async () => {
    const { blob, rows } = await deleteTwice('late');
    const [first = 0n, second = 0n] = rows;
    expect(await bringBack(first, 'late')).toMatchObject({ written: true });
    await databases.region.pool.query('UPDATE region.trash SET collecting = true WHERE trash_id = $1', [
      second,
    ]);
    await collect();
    expect(await isThere(blob)).toBe(true);
    expect(await trashIdsOf(blob)).toEqual([]);
  });

  test('at once: either it is back with its bytes, or it was refused', async () => {
    let back = 0;
    for (let round = 0; round < 40; round++) {
      const { blob, rows } = await deleteTwice(`race ${round}`);
      const pause = new Promise((resolve) => setTimeout(resolve, round % 4));
      const [result] = await Promise.all([
        bringBack(rows[0] ?? 0n, `race ${round}`),
        pause.then(() => collect()),
      ]);
      const row = await objects().find(BUCKET, `race ${round}`);
      expect(row !== undefined).toBe(result?.written ?? false);
      if (row === undefined) continue;
      back++;
      expect(await isThere(blob)).toBe(true);
    }
    expect(back).toBeGreaterThan(0);
  });
});
