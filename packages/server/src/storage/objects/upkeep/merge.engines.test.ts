import { createHash } from 'node:crypto';
import { openLog } from '@millpond/base';
import { type BlobId, type BlobStore, newBlobId } from '@millpond/blobs';
import { dialects, etagOf, etagOfParts } from '@millpond/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { storeNames, useBlobs } from '../../../../test/blobs.ts';
import { useDatabases } from '../../../../test/databases.ts';
import { nodeHashing } from '../../../platform/hashing.ts';
import { openQueue } from '../../../platform/queue/queue.ts';
import { Objects } from '../objects.service.ts';
import { type NewObject, type ObjectRow, ObjectStore } from '../objects.store.ts';
import { Collector } from './collector.ts';
import { MergeStore } from './merge.store.ts';
import { Merger } from './merge.ts';
import { TrashStore } from './trash-upkeep.store.ts';

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;
const BUCKET = 1n;
const never = new AbortController().signal;

function noise(size: number, seed: string): Buffer {
  return createHash('shake256', { outputLength: size }).update(seed).digest();
}

describe.each(storeNames)('on the %s store', (name) => {
  const databases = useDatabases();
  const blobs = useBlobs(name);
  const objects = () => new ObjectStore(databases.region);

  beforeAll(async () => {
    await databases.region.pool.query(`INSERT INTO region.bucket_gate VALUES (${BUCKET}, 'open')`);
  });

  const merger = (options: { store?: BlobStore; commitWindowMs?: number } = {}) =>
    new Merger({
      store: new MergeStore(databases.region),
      objects: objects(),
      blobs: options.store ?? blobs.store,
      commitWindowMs: options.commitWindowMs ?? HOUR_MS,
    });

  /** An object of these segments, as completing an upload leaves it. */
  async function prepare(key: string, contents: readonly Buffer[], hash?: string): Promise<NewObject> {
    const segments = await Promise.all(
      contents.map(async (content) => {
        const id = newBlobId();
        await blobs.store.put(id, [content], { tier: 'STANDARD' });
        return { id, size: content.length };
      }),
    );
    return {
      bucketId: BUCKET,
      key,
      blobId: newBlobId(),
      segments,
      fsize: Buffer.concat(contents).length,
      hash: hash ?? etagOf(nodeHashing, Buffer.concat(contents)),
      mimeType: 'text/plain',
      detectedType: 'text/plain',
      storageClass: 0,
      endUser: undefined,
      meta: undefined,
      deadline: 9_999_999_999,
      commitWindowMs: HOUR_MS,
    };
  }

  async function segmented(key: string, contents: readonly Buffer[], hash?: string): Promise<NewObject> {
    const object = await prepare(key, contents, hash);
    await objects().commit(object, 'overwrite');
    return object;
  }

  async function rowOf(key: string): Promise<ObjectRow> {
    const row = await objects().find(BUCKET, key);
    if (row === undefined) throw new Error(`${key} is not there`);
    return row;
  }

  const isThere = async (id: BlobId) => (await blobs.store.stat(id)) !== undefined;

  /** Reasons by which blobs went to the trash that were not there before. */
  async function newInTrash(work: () => Promise<unknown>): Promise<string[]> {
    const read = async () =>
      (
        await databases.region.pool.query<{ trash_id: bigint; blob_id: BlobId; reason: string }>(
          'SELECT trash_id, blob_id, reason FROM region.trash ORDER BY trash_id',
        )
      ).rows;
    const before = new Set((await read()).map((row) => row.trash_id));
    await work();
    return (await read()).filter((row) => !before.has(row.trash_id)).map((row) => row.reason);
  }

  /** The real store, which does something else first when a blob is about to be finished. */
  function interrupted(meanwhile: () => Promise<unknown>): BlobStore {
    return new Proxy(blobs.store, {
      get(store, property: keyof BlobStore) {
        if (property !== 'openWriter') return store[property];
        return (...args: Parameters<BlobStore['openWriter']>) => {
          const writer = store.openWriter(...args);
          const finish = async () => {
            await meanwhile();
            await writer.finish();
          };
          return { ...writer, write: (chunk: Uint8Array) => writer.write(chunk), finish };
        };
      },
    });
  }

  test('segments become one blob; the record stays, and the segments go with the trash', async () => {
    const contents = [noise(9 * MIB, 'a'), Buffer.alloc(0), noise(3, 'b'), noise(MIB, 'c')];
    const object = await segmented('whole', contents);
    const before = await rowOf('whole');
    const trashed = await newInTrash(async () => {
      expect(await merger().merge(object.blobId, never)).toBe(true);
    });
    expect(trashed).toEqual(['moved']);
    const after = await rowOf('whole');
    expect(after).toEqual({ ...before, blob_id: after.blob_id, segment_count: 1 });
    const bytes = await blobs.store.readAll(after.blob_id, object.fsize);
    expect(Buffer.concat(contents).equals(bytes)).toBe(true);

    const collector = new Collector(new TrashStore(databases.region), blobs.store, {
      trashGraceMs: 0,
      sweepAgeMs: HOUR_MS,
    });
    await collector.collect(never);
    expect(await Promise.all(object.segments.map(({ id }) => isThere(id)))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(await isThere(after.blob_id)).toBe(true);
    expect(await objects().segments(object.blobId)).toEqual([]);
  });

  test('a hash that goes by the parts is checked by the parts', async () => {
    const contents = [noise(2 * MIB, 'p'), noise(100, 'q')];
    const hash = etagOfParts(
      nodeHashing,
      contents.map((content) => ({ size: content.length, etag: etagOf(nodeHashing, content) })),
    );
    expect(hash).toMatch(/^n/);
    const object = await segmented('by parts', contents, hash);
    expect(await merger().merge(object.blobId, never)).toBe(true);
    expect((await rowOf('by parts')).segment_count).toBe(1);
  });

  test('bytes that are not what the hash says are left as they are', async () => {
    const object = await segmented(
      'damaged',
      [noise(5, 'd'), noise(5, 'e')],
      etagOf(nodeHashing, noise(5, 'f')),
    );
    const trashed = await newInTrash(() =>
      expect(merger().merge(object.blobId, never)).rejects.toThrow('hash'),
    );
    expect(trashed).toEqual([]);
    expect((await rowOf('damaged')).blob_id).toBe(object.blobId);
  });

  test('an object in the cold tier stays there', async () => {
    const object = { ...(await prepare('cold', [noise(5, 'x'), noise(5, 'y')])), storageClass: 2 };
    await objects().commit(object, 'overwrite');
    await merger().merge(object.blobId, never);
    expect(await blobs.store.stat((await rowOf('cold')).blob_id)).toEqual({ size: 10, tier: 'COLD' });
  });

  test('what is overwritten meanwhile stays overwritten, and the merged bytes are given up', async () => {
    const object = await segmented('overwritten', [noise(5, '1'), noise(5, '2')]);
    const next = await prepare('overwritten', [noise(5, '3'), noise(5, '4')]);
    const store = interrupted(() => objects().commit(next, 'overwrite'));
    const trashed = await newInTrash(async () => {
      expect(await merger({ store }).merge(object.blobId, never)).toBe(false);
    });
    expect(trashed).toEqual(['replaced', 'refused']);
    expect(await rowOf('overwritten')).toMatchObject({ blob_id: next.blobId, segment_count: 2 });
  });

  test('what is deleted meanwhile stays deleted', async () => {
    const object = await segmented('deleted', [noise(5, '1'), noise(5, '2')]);
    const store = interrupted(() => objects().remove(BUCKET, 'deleted'));
    const trashed = await newInTrash(async () => {
      expect(await merger({ store }).merge(object.blobId, never)).toBe(false);
    });
    expect(trashed).toEqual(['deleted', 'refused']);
    expect(await objects().find(BUCKET, 'deleted')).toBeUndefined();
  });

  test('of several merges of one blob one counts, and the others leave nothing', async () => {
    const contents = [noise(5, '5'), noise(5, '6')];
    const object = await segmented('raced', contents);
    let results: boolean[] = [];
    const trashed = await newInTrash(async () => {
      results = await Promise.all([1, 2, 3, 4].map(() => merger().merge(object.blobId, never)));
    });
    const losers = results.filter((result) => !result).length;
    expect(losers).toBe(3);
    expect(trashed.filter((reason) => reason === 'moved')).toHaveLength(1);
    // One that came late found nothing to merge, and wrote nothing.
    expect(trashed.length).toBeLessThanOrEqual(1 + losers);
    const { blob_id } = await rowOf('raced');
    expect(Buffer.concat(contents).equals(await blobs.store.readAll(blob_id, 10))).toBe(true);
  });

  test('one that is broken off leaves the object alone, and the next one does it', async () => {
    const object = await segmented('broken off', [noise(5, '7'), noise(5, '8')]);
    const stop = new AbortController();
    const store = interrupted(async () => stop.abort(new Error('stopped')));
    const trashed = await newInTrash(() =>
      expect(merger({ store }).merge(object.blobId, stop.signal)).rejects.toThrow('stopped'),
    );
    expect(trashed).toEqual([]);
    expect((await rowOf('broken off')).blob_id).toBe(object.blobId);
    expect(await merger().merge(object.blobId, never)).toBe(true);
    expect(await merger().merge(object.blobId, never)).toBe(false);
  });

  test('one that took longer than the commit window gives its bytes up: the sweep may have had them', async () => {
    const object = await segmented('late', [noise(5, '9'), noise(5, '0')]);
    const trashed = await newInTrash(async () => {
      expect(await merger({ commitWindowMs: 0 }).merge(object.blobId, never)).toBe(false);
    });
    expect(trashed).toEqual(['refused']);
    expect((await rowOf('late')).blob_id).toBe(object.blobId);
  });

  test('a commit asks for the merge in its own transaction, once, and only where there are segments', async () => {
    const queue = openQueue({ pool: databases.region.pool, log: openLog('silent') });
    await queue.define('merge-test', { kind: 'normal' });
    const service = new Objects(objects(), undefined as never, {
      commitWindowMs: HOUR_MS,
      dialect: dialects.svc,
      requestMerge: ({ client }, blobId) => queue.enqueue(client, 'merge-test', { blobId }),
    });
    const asked: unknown[] = [];
    const several = await prepare('asked', [noise(5, 'r'), noise(5, 's')]);
    const rolledBack = await prepare('rolled back', [noise(5, 't'), noise(5, 'u')]);
    const one = await prepare('one', [noise(5, 'v')]);
    const also = async () => {
      throw new Error('change of mind');
    };
    await expect(service.commit(rolledBack, 'overwrite', also)).rejects.toThrow();
    await service.commit(several, 'overwrite');
    // The same content once more: nothing is written, so there is nothing to merge.
    const again = await prepare('asked', [noise(5, 'r'), noise(5, 's')]);
    expect((await service.commit({ ...again, rowsNameBytes: true }, 'insert')).written).toBe(false);
    await service.commit({ ...one, blobId: one.segments[0]?.id ?? one.blobId }, 'overwrite');
    await queue.work({ 'merge-test': async (job) => void asked.push(job.data) }, { slots: 1 });
    await expect.poll(() => asked).toEqual([{ blobId: several.blobId }]);
    await queue.close();
    expect(asked).toHaveLength(1);
  });
});
