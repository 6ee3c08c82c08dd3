/** The kept results on real engines: found, touched, let go in order, purged with their source, swept by nobody. */
import { createHash } from 'node:crypto';
import { openLog } from '@millpond/base';
import { type BlobId, newBlobId } from '@millpond/blobs';
import { describe, expect, test } from 'vitest';
import { storeNames, useBlobs } from '../../../test/blobs.ts';
import { useDatabases } from '../../../test/databases.ts';
import { Collector, TrashStore } from '../../storage/objects/objects.testing.ts';
import { Eviction } from './eviction.ts';
import { type ImageCacheKey, ImageStore } from './image.store.ts';
import { ImageCache } from './images.cache.ts';

const HOUR_MS = 3_600_000;
const KIB = 1024;
const never = new AbortController().signal;

describe.each(storeNames)('on the %s store', (name) => {
  const databases = useDatabases();
  const blobs = useBlobs(name);
  const store = () => new ImageStore(databases.region);
  const cache = (maxBytes = 1024 * KIB, commitWindowMs = HOUR_MS) =>
    new ImageCache({
      store: store(),
      blobs: blobs.store,
      log: openLog('silent'),
      maxBytes,
      commitWindowMs,
    });
  const evict = (maxBytes: number, leftoverMs = 0) =>
    new Eviction(store(), blobs.store, { maxBytes, leftoverMs }).run(never);

  const newName = (sourceBlob = newBlobId()): ImageCacheKey => ({
    sourceBlob,
    work: createHash('sha256').update(newBlobId()).digest(),
  });
  const result = (bytes: number) => ({ bytes: Buffer.alloc(bytes, 1), mimeType: 'image/png' });
  const isThere = async (id: BlobId) => (await blobs.store.stat(id)) !== undefined;

  /** Kept by a gateway that has forgotten it since. */
  async function keep(image: ImageCacheKey, bytes: number): Promise<BlobId> {
    const { blob_id } = await cache().keep(image, result(bytes));
    if (blob_id === null) throw new Error('it was not kept');
    return blob_id;
  }

  async function age(image: ImageCacheKey, minutes: number): Promise<void> {
    await databases.region.pool.query(
      "UPDATE region.pictures SET used_at = clock_timestamp() - $3 * interval '1 minute' WHERE source_blob = $1 AND work = $2",
      [image.sourceBlob, image.work, minutes],
    );
  }

  test('what is kept is found by every gateway, with its bytes', async () => {
    const image = newName();
    const id = await keep(image, 100);
    expect(await cache().find(image, never)).toMatchObject({
      blob_id: id,
      size: 100n,
      mime_type: 'image/png',
    });
    expect(Buffer.from(await blobs.store.readAll(id, 1000)).equals(result(100).bytes)).toBe(true);
    expect(await cache().find({ ...newName(), sourceBlob: image.sourceBlob }, never)).toBeUndefined();
    expect(await cache().find({ ...image, sourceBlob: newBlobId() }, never)).toBeUndefined();
  });

  test('of two that made the same, one is kept and the other leaves no bytes', async () => {
    const image = newName();
    const rows = await Promise.all([1, 2].map(() => cache().keep(image, result(10))));
    expect(new Set(rows.map(({ blob_id }) => blob_id)).size).toBe(1);
    let found = 0;
    for (const hour of await blobs.store.listHours())
      for await (const page of blobs.store.list(hour)) found += page.filter(({ size }) => size === 10).length;
    expect(found).toBe(1);
  });

  test('a source that is its own result has a row and no bytes', async () => {
    const image = newName();
    await cache().keep(image, 'original');
    expect(await cache().find(image, never)).toMatchObject({ blob_id: null, hash: '' });
  });

  test('a result that would take much of all room is not kept', async () => {
    const small = cache(80 * KIB);
    const image = newName();
    expect(await small.keep(image, result(11 * KIB))).toMatchObject({
      blob_id: null,
      size: BigInt(11 * KIB),
    });
    expect(await small.find(image, never)).toBeUndefined();
  });

  test('a result whose bytes the sweep may have removed is answered and not kept, and leaves no bytes', async () => {
    const image = newName();
    expect(await cache(1024 * KIB, 0).keep(image, result(13))).toMatchObject({ blob_id: null, size: 13n });
    expect(await cache().find(image, never)).toBeUndefined();
    const left = async () => {
      const sizes: number[] = [];
      for (const hour of await blobs.store.listHours())
        for await (const page of blobs.store.list(hour)) sizes.push(...page.map(({ size }) => size));
      return sizes.filter((size) => size === 13);
    };
    expect(await left()).toEqual([13]);
    await evict(1024 * KIB);
    expect(await left()).toEqual([]);
    expect(await cache(1024 * KIB, 0).keep(image, 'original')).toMatchObject({ blob_id: null });
    expect(await cache().find(image, never)).toBeDefined();
  });

  test('past the bound those go that were used longest ago, rows and bytes', async () => {
    await evict(0);
    const images = [newName(), newName(), newName(), newName()];
    const ids: BlobId[] = [];
    for (const [index, image] of images.entries()) {
      ids.push(await keep(image, 9 * KIB));
      await age(image, 100 - index);
    }
    expect(await evict(40 * KIB)).toBe(0);
    // The oldest is used: told once by all uses together.
    const used = cache();
    await used.find(images[0] as ImageCacheKey, never);
    await used.flush();
    expect(await evict(25 * KIB)).toBe(2);
    const left = await Promise.all(images.map((image) => cache().find(image, never)));
    expect(left.map((row) => row !== undefined)).toEqual([true, false, false, true]);
    expect(await Promise.all(ids.map(isThere))).toEqual([true, false, false, true]);
  });

  test('bytes that are let go stay for those who read them', async () => {
    const id = await keep(newName(), 100);
    await evict(0, HOUR_MS);
    expect(await isThere(id)).toBe(true);
    await evict(0);
    expect(await isThere(id)).toBe(false);
  });

  test('what was made of replaced or deleted bytes goes with them; the rest stays', async () => {
    const [gone, stays] = [newName(), newName()];
    const ids = [await keep(gone, 100), await keep(stays, 100)];
    await databases.region.pool.query(`INSERT INTO region.trash (blob_id, reason) VALUES ($1, 'replaced')`, [
      gone.sourceBlob,
    ]);
    expect(await evict(1024 * KIB)).toBe(1);
    expect(await Promise.all(ids.map(isThere))).toEqual([false, true]);
    expect(await evict(1024 * KIB)).toBe(0);
  });

  test('the sweep leaves kept results alone, however old', async () => {
    const [image, id] = [newName(), newBlobId(Date.now() - 3 * HOUR_MS)];
    const nobodys = newBlobId(Date.now() - 3 * HOUR_MS);
    for (const blob of [id, nobodys]) await blobs.store.put(blob, [Buffer.from('abc')], { tier: 'STANDARD' });
    const row = { blob_id: id, size: 3n, hash: 'h', mime_type: 'image/png' };
    await store().insert(image, row, 4 * HOUR_MS);
    const options = { trashGraceMs: 0, sweepAgeMs: HOUR_MS };
    const collector = new Collector(new TrashStore(databases.region), blobs.store, options);
    await collector.sweep(never, { everything: true });
    expect([await isThere(id), await isThere(nobodys)]).toEqual([true, false]);
  });
});
