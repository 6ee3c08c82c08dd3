import { createHash } from 'node:crypto';
import { openLog } from '@millpond/base';
import { type BlobId, type BlobStore, newBlobId, type Tier } from '@millpond/blobs';
import { etagOf, tierOfClass } from '@millpond/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { storeNames, useBlobs } from '../../../../test/blobs.ts';
import { useDatabases } from '../../../../test/databases.ts';
import { nodeHashing } from '../../../platform/hashing.ts';
import { openQueue } from '../../../platform/queue/queue.ts';
import { type NewObject, ObjectStore } from '../objects.store.ts';
import { ArchiveStore } from '../operations/archive.store.ts';
import { CLASS_MOVE_QUEUE } from '../upkeep-requests.ts';
import { ClassMoveStore } from './class-moves.store.ts';
import { ClassMover, requeueTierMoves } from './class-moves.ts';
import { MergeStore } from './merge.store.ts';
import { Merger } from './merge.ts';

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
  const parts = (store: BlobStore, commitWindowMs: number) => ({
    objects: objects(),
    blobs: store,
    commitWindowMs,
  });
  const mover = (options: { store?: BlobStore; commitWindowMs?: number } = {}) =>
    new ClassMover({
      store: new ClassMoveStore(databases.region),
      swaps: new MergeStore(databases.region),
      ...parts(options.store ?? blobs.store, options.commitWindowMs ?? HOUR_MS),
    });
  const merger = (store: BlobStore) =>
    new Merger({ store: new MergeStore(databases.region), ...parts(store, HOUR_MS) });

  beforeAll(async () => {
    await databases.region.pool.query(`INSERT INTO region.bucket_gate VALUES (${BUCKET}, 'open')`);
  });

  /** An object of these segments; its bytes lie where the class belongs, or where `tier` says. */
  async function create(
    key: string,
    contents: readonly Buffer[],
    storageClass = 0,
    tier: Tier = tierOfClass(storageClass),
  ): Promise<NewObject> {
    const segments = await Promise.all(
      contents.map(async (content) => {
        const id = newBlobId();
        await blobs.store.put(id, [content], { tier });
        return { id, size: content.length };
      }),
    );
    const object: NewObject = {
      bucketId: BUCKET,
      key,
      blobId: segments.length === 1 ? (segments[0]?.id ?? newBlobId()) : newBlobId(),
      segments,
      fsize: Buffer.concat(contents).length,
      hash: etagOf(nodeHashing, Buffer.concat(contents)),
      mimeType: 'text/plain',
      detectedType: 'text/plain',
      storageClass,
      endUser: undefined,
      meta: undefined,
      deadline: 9_999_999_999,
      commitWindowMs: HOUR_MS,
      tier,
    };
    await objects().commit(object, 'overwrite');
    return object;
  }

  async function changeClass(key: string, storageClass: number): Promise<void> {
    const store = new ArchiveStore(databases.region);
    const row = await store.changeClass(BUCKET, key, storageClass, databases.region);
    if (!row?.blob_id) throw new Error(`the class of ${key} was not changed`);
  }

  /** The bytes behind a key as they lie in the engine, and what the row says of them. */
  async function found(key: string) {
    const { rows } = await databases.region.pool.query<{
      blob_id: BlobId;
      segment_count: number;
      cold: boolean;
    }>('SELECT blob_id, segment_count, cold FROM region.objects WHERE bucket_id = $1 AND key = $2', [
      BUCKET,
      key,
    ]);
    const [row] = rows;
    if (row === undefined) throw new Error(`${key} is not there`);
    const at = await blobs.store.stat(row.blob_id);
    return { ...row, tier: at?.tier, bytes: Buffer.from(await blobs.store.readAll(row.blob_id, 1 << 24)) };
  }

  const trashOf = async (blobId: BlobId): Promise<string[]> =>
    (
      await databases.region.pool.query<{ reason: string }>(
        'SELECT reason FROM region.trash WHERE blob_id = $1',
        [blobId],
      )
    ).rows.map((row) => row.reason);

  /** The real store, which does something else when a blob was copied or is about to be finished. */
  function interrupted(meanwhile: () => Promise<unknown>): BlobStore {
    return new Proxy(blobs.store, {
      get(store, property: keyof BlobStore) {
        if (property === 'copy')
          return async (...args: Parameters<BlobStore['copy']>) => {
            await store.copy(...args);
            await meanwhile();
          };
        if (property === 'openWriter')
          return (...args: Parameters<BlobStore['openWriter']>) => {
            const writer = store.openWriter(...args);
            const finish = async () => {
              await meanwhile();
              await writer.finish();
            };
            return { ...writer, write: (chunk: Uint8Array) => writer.write(chunk), finish };
          };
        return store[property];
      },
    });
  }

  test('bytes go to the cold tier and come back, and what they left goes to the trash', async () => {
    const content = noise(9 << 20, 'a');
    const object = await create('there and back', [content]);
    expect(await mover().move(object.blobId, never)).toBe(false);
    await changeClass('there and back', 2);
    expect(await found('there and back')).toMatchObject({ tier: 'STANDARD', cold: false });
    expect(await mover().move(object.blobId, never)).toBe(true);
    const cold = await found('there and back');
    expect(cold).toMatchObject({ tier: 'COLD', cold: true, segment_count: 1 });
    expect(cold.bytes.equals(content)).toBe(true);
    expect(await trashOf(object.blobId)).toEqual(['moved']);

    await databases.region.pool.query(
      `UPDATE region.objects SET restore_ready_at = now() - interval '1 second', restore_ends_at = now() + interval '1 hour'
       WHERE key = 'there and back'`,
    );
    await changeClass('there and back', 1);
    expect(await mover().move(cold.blob_id, never)).toBe(true);
    const back = await found('there and back');
    expect(back).toMatchObject({ tier: 'STANDARD', cold: false });
    expect(back.bytes.equals(content)).toBe(true);
  });

  test('segments become one blob on the way', async () => {
    const contents = [noise(1 << 20, 'b'), Buffer.alloc(0), noise(3, 'c')];
    const object = await create('in parts', contents);
    await changeClass('in parts', 3);
    expect(await mover().move(object.blobId, never)).toBe(true);
    const moved = await found('in parts');
    expect(moved).toMatchObject({ tier: 'COLD', cold: true, segment_count: 1 });
    expect(moved.bytes.equals(Buffer.concat(contents))).toBe(true);
  });

  test('copies that stay in their class keep the old bytes, copies that changed with it go along', async () => {
    const object = await create('shared', [noise(5, 'd')]);
    await databases.region.pool.query(
      `INSERT INTO region.objects (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, put_time, class)
       SELECT bucket_id, copy.key, blob_id, fsize, hash, mime_type, detected_type, put_time, copy.class
       FROM region.objects, (VALUES ('stays', 0), ('goes', 3)) AS copy (key, class) WHERE objects.key = 'shared'`,
    );
    await changeClass('shared', 2);
    expect(await mover().move(object.blobId, never)).toBe(true);
    expect(await found('stays')).toMatchObject({ blob_id: object.blobId, tier: 'STANDARD', cold: false });
    const [shared, goes] = [await found('shared'), await found('goes')];
    expect(shared).toMatchObject({ tier: 'COLD', cold: true });
    expect(goes.blob_id).toBe(shared.blob_id);
  });

  test('a copy made while the bytes are on their way is not forgotten', async () => {
    const object = await create('copied meanwhile', [noise(5, 'e')]);
    await changeClass('copied meanwhile', 2);
    let copied = false;
    const swaps = new MergeStore(databases.region);
    const slow = new Proxy(swaps, {
      get(store, property: keyof MergeStore) {
        if (property !== 'swap') return store[property].bind(store);
        return async (...args: Parameters<MergeStore['swap']>) => {
          const swapped = await store.swap(...args);
          // A copy whose statement began before the swap names the old bytes.
          if (!copied)
            await databases.region.pool.query(
              `INSERT INTO region.objects (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, put_time, class)
               SELECT bucket_id, 'late copy', $1, fsize, hash, mime_type, detected_type, put_time, class
               FROM region.objects WHERE key = 'copied meanwhile'`,
              [object.blobId],
            );
          copied = true;
          return swapped;
        };
      },
    });
    const late = new ClassMover({
      store: new ClassMoveStore(databases.region),
      swaps: slow,
      ...parts(blobs.store, HOUR_MS),
    });
    expect(await late.move(object.blobId, never)).toBe(true);
    expect(await found('late copy')).toMatchObject({ tier: 'COLD', cold: true });
  });

  test('what is overwritten, deleted or changed back meanwhile wins, and the moved bytes are given up', async () => {
    for (const [key, meanwhile] of [
      ['overwritten', () => create('overwritten', [noise(6, 'new')])],
      ['deleted', () => objects().remove(BUCKET, 'deleted')],
      [
        'changed back',
        () => databases.region.pool.query(`UPDATE region.objects SET class = 0 WHERE key = 'changed back'`),
      ],
    ] as const) {
      const object = await create(key, [noise(5, key)]);
      await changeClass(key, 2);
      expect(await mover({ store: interrupted(meanwhile) }).move(object.blobId, never), key).toBe(false);
      const { rows } = await databases.region.pool.query<{ blob_id: BlobId; reason: string }>(
        'SELECT blob_id, reason FROM region.trash ORDER BY trash_id DESC LIMIT 1',
      );
      expect(rows[0]?.reason).toBe('refused');
      if (key === 'changed back') expect((await found(key)).blob_id).toBe(object.blobId);
      if (key === 'overwritten') expect((await found(key)).bytes.equals(noise(6, 'new'))).toBe(true);
    }
  });

  test('a merge that was under way when the class changed puts nothing into the wrong tier', async () => {
    const contents = [noise(5, 'g'), noise(5, 'h')];
    const object = await create('merged meanwhile', contents);
    const store = interrupted(() => changeClass('merged meanwhile', 2));
    expect(await merger(store).merge(object.blobId, never)).toBe(false);
    expect(await mover().move(object.blobId, never)).toBe(true);
    const moved = await found('merged meanwhile');
    expect(moved).toMatchObject({ tier: 'COLD', cold: true, segment_count: 1 });
    expect(moved.bytes.equals(Buffer.concat(contents))).toBe(true);
  });

  test('of several moves of one blob one counts', async () => {
    const object = await create('raced', [noise(5, 'i')]);
    await changeClass('raced', 2);
    const results = await Promise.all([1, 2, 3, 4].map(() => mover().move(object.blobId, never)));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await found('raced')).toMatchObject({ tier: 'COLD', cold: true });
    expect(await trashOf(object.blobId)).toEqual(['moved']);
  });

  test('one that is broken off, or too old to count, leaves the object alone for the next', async () => {
    const object = await create('broken off', [noise(5, 'j')]);
    await changeClass('broken off', 2);
    const stop = new AbortController();
    const store = interrupted(async () => stop.abort(new Error('stopped')));
    await expect(mover({ store }).move(object.blobId, stop.signal)).rejects.toThrow('stopped');
    expect(await mover({ commitWindowMs: 0 }).move(object.blobId, never)).toBe(false);
    expect((await found('broken off')).blob_id).toBe(object.blobId);
    expect(await mover().stragglers(10)).toContain(object.blobId);
    expect(await mover().move(object.blobId, never)).toBe(true);
    expect(await mover().stragglers(10)).not.toContain(object.blobId);
  });

  test('bytes that lie where they belong are left there, whatever the row thought', async () => {
    const object = await create('misjudged', [noise(5, 'k')], 2);
    await databases.region.pool.query(`UPDATE region.objects SET cold = false WHERE key = 'misjudged'`);
    expect(await mover().move(object.blobId, never)).toBe(false);
    expect(await found('misjudged')).toMatchObject({ blob_id: object.blobId, tier: 'COLD', cold: true });
  });

  test('an upload in one part whose class was decided at its end is seen as misplaced', async () => {
    const object = await create('late class', [noise(5, 'l')], 2, 'STANDARD');
    expect(await mover().stragglers(10)).toEqual([object.blobId]);
    expect(await mover().move(object.blobId, never)).toBe(true);
    expect(await found('late class')).toMatchObject({ tier: 'COLD', cold: true });
  });

  test('one that was given up is tried again every hour by the same job, and a new straggler gets one', async () => {
    const region = databases.region;
    const queue = openQueue({ pool: region.pool, log: openLog('silent') });
    const jobs = async () =>
      (await region.pool.query(`SELECT data->>'blobId' AS blob, state FROM queue.jobs ORDER BY blob`)).rows;
    const fail = () => region.pool.query(`UPDATE queue.jobs SET state = 'failed', failed_at = now()`);
    try {
      await queue.define(CLASS_MOVE_QUEUE, { kind: 'normal' });
      const first = await create('refused', [noise(5, 'm')], 2, 'STANDARD');
      for (const _hour of [1, 2, 3]) {
        await requeueTierMoves(region, queue, mover());
        expect(await jobs()).toEqual([{ blob: first.blobId, state: 'ready' }]);
        await fail();
      }
      const second = await create('refused too', [noise(5, 'n')], 2, 'STANDARD');
      await requeueTierMoves(region, queue, mover());
      expect(await jobs()).toEqual([first, second].map(({ blobId }) => ({ blob: blobId, state: 'ready' })));

      // As many as are found in an hour have failed: the engine refuses the class, and more would fail too.
      await region.pool.query(
        `INSERT INTO queue.jobs (id, queue, account, data, state, tag, failed_at)
         SELECT gen_random_uuid(), $1, '', '{}', 'failed', 0, now() FROM generate_series(1, 1000)`,
        [CLASS_MOVE_QUEUE],
      );
      await create('refused as well', [noise(5, 'o')], 2, 'STANDARD');
      await requeueTierMoves(region, queue, mover());
      expect(await jobs()).toHaveLength(1002);
    } finally {
      await queue.close();
    }
  });
});
