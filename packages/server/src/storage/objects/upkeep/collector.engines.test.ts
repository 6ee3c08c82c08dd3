import { type BlobId, newBlobId } from '@millpond/blobs';
import { describe, expect, test } from 'vitest';
import { storeNames, useBlobs } from '../../../../test/blobs.ts';
import { useDatabases } from '../../../../test/databases.ts';
import { type NewObject, ObjectStore } from '../objects.store.ts';
import { Collector } from './collector.ts';
import { sweepMetrics } from './objects-upkeep.metrics.ts';
import { TrashStore } from './trash-upkeep.store.ts';

const HOUR_MS = 3_600_000;
const never = new AbortController().signal;

describe.each(storeNames)('on the %s store', (name) => {
  const databases = useDatabases();
  const blobs = useBlobs(name);

  const objects = () => new ObjectStore(databases.region);
  const collector = (options: { trashGraceMs?: number; sweepAgeMs?: number } = {}) =>
    new Collector(new TrashStore(databases.region), blobs.store, {
      trashGraceMs: options.trashGraceMs ?? 0,
      sweepAgeMs: options.sweepAgeMs ?? 0,
    });

  async function putBlob(time = Date.now()): Promise<BlobId> {
    const id = newBlobId(time);
    await blobs.store.put(id, [Buffer.from('abc')], { tier: 'STANDARD' });
    return id;
  }

  async function commit(
    key: string,
    blobId: BlobId,
    segments: NewObject['segments'] = [{ id: blobId, size: 3 }],
  ) {
    await databases.region.pool.query(
      `INSERT INTO region.bucket_gate VALUES (1, 'open') ON CONFLICT DO NOTHING`,
    );
    const types = {
      mimeType: 'text/plain',
      detectedType: 'text/plain',
      storageClass: 0,
      endUser: undefined,
      meta: undefined,
    };
    const times = { deadline: 9_999_999_999, commitWindowMs: 24 * HOUR_MS };
    await objects().commit(
      { bucketId: 1n, key, blobId, segments, fsize: 3, hash: blobId, ...types, ...times },
      'overwrite',
    );
  }

  const isThere = async (id: BlobId) => (await blobs.store.stat(id)) !== undefined;

  test('replaced and deleted bytes stay for the grace period, then go; those in use stay', async () => {
    const [first, second] = [await putBlob(), await putBlob()];
    await commit('k', first);
    await commit('k', second);
    expect(await collector({ trashGraceMs: 60_000 }).collect(never)).toBe(0);
    expect(await isThere(first)).toBe(true);
    expect(await collector().collect(never)).toBe(1);
    expect(await isThere(first)).toBe(false);
    expect(await isThere(second)).toBe(true);
    await objects().remove(1n, 'k');
    expect(await collector().collect(never)).toBe(1);
    expect(await isThere(second)).toBe(false);
  });

  test('bytes that were turned away at their commit go without a grace period', async () => {
    const late = await putBlob(Date.now() - 48 * HOUR_MS);
    await commit('late', late);
    expect(await collector({ trashGraceMs: 7 * 24 * HOUR_MS }).collect(never)).toBe(1);
    expect(await isThere(late)).toBe(false);
  });

  test('bytes that another object shares are kept, and their trash row goes', async () => {
    const shared = await putBlob();
    await commit('original', shared);
    await commit('copy', shared);
    await objects().remove(1n, 'original');
    expect(await collector().collect(never)).toBe(0);
    expect(await isThere(shared)).toBe(true);
    const trash = await databases.region.pool.query('SELECT 1 FROM region.trash WHERE blob_id = $1', [
      shared,
    ]);
    expect(trash.rowCount).toBe(0);
    await objects().remove(1n, 'copy');
    expect(await collector().collect(never)).toBe(1);
    expect(await isThere(shared)).toBe(false);
  });

  test('a blob in parts goes with its segments, but for those that another blob uses', async () => {
    const [own, common] = [await putBlob(), await putBlob()];
    const [one, two] = [newBlobId(), newBlobId()];
    await commit(
      'one',
      one,
      [own, common].map((id) => ({ id, size: 3 })),
    );
    await commit(
      'two',
      two,
      [common, common].map((id) => ({ id, size: 3 })),
    );
    await objects().remove(1n, 'one');
    await collector().collect(never);
    expect([await isThere(own), await isThere(common)]).toEqual([false, true]);
    await objects().remove(1n, 'two');
    await collector().collect(never);
    expect(await isThere(common)).toBe(false);
  });

  test('the sweep removes bytes that no row names and leaves all others, trash and segments included', async () => {
    const old = Date.now() - 3 * HOUR_MS;
    const [orphan, named, trashed, segment] = [
      await putBlob(old),
      await putBlob(old),
      await putBlob(old),
      await putBlob(old),
    ];
    const young = await putBlob();
    await commit('named', named);
    await commit('trashed', trashed);
    await objects().remove(1n, 'trashed');
    await commit(
      'parts',
      newBlobId(),
      [segment, segment].map((id) => ({ id, size: 3 })),
    );
    expect(await collector({ sweepAgeMs: HOUR_MS }).sweep(never)).toBe(1);
    const left = await Promise.all([orphan, named, trashed, segment, young].map(isThere));
    expect(left).toEqual([false, true, true, true, true]);
  });

  test('the sweep goes on from where it ended, and over everything when asked', async () => {
    await collector({ sweepAgeMs: HOUR_MS }).sweep(never);
    const before = await putBlob(Date.now() - 10 * HOUR_MS);
    expect(await collector({ sweepAgeMs: HOUR_MS }).sweep(never)).toBe(0);
    expect(await collector({ sweepAgeMs: HOUR_MS }).sweep(never, { everything: true })).toBe(1);
    expect(await isThere(before)).toBe(false);
  });

  test('a collector that dies between the engine and its record is finished by the next', async () => {
    await collector().collect(never);
    const blob = await putBlob();
    await commit('dying', blob);
    await objects().remove(1n, 'dying');
    await new TrashStore(databases.region).claimDue(0, 500, undefined);
    await blobs.store.remove([blob]);
    expect(await collector().collect(never)).toBe(1);
    const rows = await databases.region.pool.query('SELECT 1 FROM region.trash WHERE blob_id = $1', [blob]);
    expect(rows.rowCount).toBe(0);
  });

  test('how far the sweep is behind is told by what it has compared', async () => {
    await databases.region.pool.query(
      `UPDATE region.sweep_progress SET swept_through = now() - interval '10 hours'`,
    );
    // Asked anew each time: otherwise the answer holds for a minute.
    const behind = async () => {
      const [metric] = sweepMetrics(new TrashStore(databases.region), HOUR_MS);
      return ((await metric?.samples())?.[0]?.value ?? Number.NaN) / 3600;
    };
    await expect.poll(behind).toBeCloseTo(9, 1);
    await collector({ sweepAgeMs: HOUR_MS }).sweep(never);
    await expect.poll(behind).toBeLessThan(0.1);
    await collector({ sweepAgeMs: 0 }).sweep(never);
    await expect.poll(behind).toBe(0);
  });
});
