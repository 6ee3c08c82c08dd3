/** Small objects from their commit to their end: no step of it loses, tears or keeps bytes. */
import { type BlobStore, isSmallBlob } from '@millpond/blobs';
import { beforeAll, describe, expect, test } from 'vitest';
import { storeNames, useBlobs } from '../../../../test/blobs.ts';
import { useDatabases } from '../../../../test/databases.ts';
import { ClassMoveStore } from '../upkeep/class-moves.store.ts';
import { ClassMover } from '../upkeep/class-moves.ts';
import { MergeStore } from '../upkeep/merge.store.ts';
import { PackStore } from './pack.store.ts';
import { BUCKET, type SmallHouse, smallHouse } from './testing/small-house.ts';

const never = new AbortController().signal;
const KIB = 1024;

describe.each(storeNames)('on the %s store', (name) => {
  const databases = useDatabases();
  const engine = useBlobs(name);
  let house: SmallHouse;

  beforeAll(async () => {
    await databases.region.pool.query(`INSERT INTO region.bucket_gate VALUES (${BUCKET}, 'open')`);
    house = smallHouse(databases.region, engine.store);
  });

  const bytesOf = (key: string, size = 2 * KIB) => Buffer.alloc(size, `${key} `);
  const putSmall = (key: string, size?: number) => house.putSmall(key, bytesOf(key, size));
  async function isRight(key: string, size?: number): Promise<boolean> {
    return (await house.read(key))?.equals(bytesOf(key, size)) ?? false;
  }
  const count = async (table: string) =>
    Number((await databases.region.pool.query(`SELECT count(*) FROM region.${table}`)).rows[0].count);
  async function removeAll(): Promise<void> {
    const { rows } = await databases.region.pool.query('SELECT key FROM region.objects');
    for (const { key } of rows) await house.remove(key);
    await house.packer().run(never);
    await house.collector().collect(never);
    await house.compactor().run(never);
    await house.collector().collect(never);
  }

  test('bytes are there from the commit on, and as they were after they are packed; the engine has one blob for all', async () => {
    const before = await house.stored();
    const sizes = { empty: 0, one: 1, page: 4 * KIB, large: 100 * KIB };
    for (const [key, size] of Object.entries(sizes)) await putSmall(key, size);
    expect(await house.stored()).toEqual(before);
    for (const [key, size] of Object.entries(sizes)) expect(await isRight(key, size)).toBe(true);
    expect(await house.packer().run(never)).toEqual({ packs: 1, blobs: 4 });
    expect(await house.stored()).toHaveLength(before.length + 1);
    expect(await count('inbox')).toBe(0);
    for (const [key, size] of Object.entries(sizes)) expect(await isRight(key, size)).toBe(true);
    await removeAll();
    expect([await house.stored(), await count('packs'), await count('packed')]).toEqual([before, 0, 0]);
  });

  test('a part of a blob is read like the whole', async () => {
    const id = await house.putSmall('part', Buffer.from('0123456789'));
    const part = async () => {
      const chunks: Buffer[] = [];
      const sink = {
        write: (chunk: Uint8Array) => chunks.push(Buffer.from(chunk)) > 0,
        once: () => undefined,
      };
      await house.blobs.read(id, { offset: 3, length: 4 }, sink);
      return Buffer.concat(chunks).toString();
    };
    expect([await part(), await house.blobs.stat(id)]).toEqual(['3456', { size: 10, tier: 'STANDARD' }]);
    await house.packer().run(never);
    expect([await part(), await house.blobs.stat(id)]).toEqual(['3456', { size: 10, tier: 'STANDARD' }]);
  });

  test('what comes late to a closed slot stays, and is packed with the next ones', async () => {
    const { inbox } = house;
    await putSmall('early');
    const open = (await inbox.slots()).find((slot) => slot.is_open)?.slot ?? 0;
    await inbox.turn(open, (open + 1) % 8);
    const late = new Proxy(inbox, {
      get: (store, name) =>
        name === 'empty'
          ? async (slot: number, packedForMs: number) => {
              await house.put('late', bytesOf('late'), slot);
              return store.empty(slot, packedForMs);
            }
          : (Reflect.get(store, name, store) as () => unknown).bind(store),
    });
    await house.packer({ inbox: late }).run(never);
    expect([await isRight('early'), await isRight('late')]).toEqual([true, true]);
    await house.packer().run(never);
    expect([await isRight('early'), await isRight('late')]).toEqual([true, true]);
    expect(await count('inbox')).toBe(0);
  });

  test('a slot that a backup reads is left alone, and nobody waits for it', async () => {
    await putSmall('held');
    const client = await databases.region.pool.connect();
    await client.query('BEGIN; LOCK TABLE region.inbox IN ACCESS SHARE MODE');
    const begun = performance.now();
    await house.packer().run(never);
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(await isRight('held')).toBe(true);
    await client.query('ROLLBACK');
    client.release();
    expect(await count('inbox')).toBeGreaterThan(0);
    await house.packer().run(never);
    expect([await count('inbox'), await isRight('held')]).toEqual([0, true]);
  });

  test('two packers at once place every blob once', async () => {
    await removeAll();
    const keys = Array.from({ length: 60 }, (_, n) => `both-${n}`);
    for (const key of keys) await putSmall(key);
    const packBytes = 20 * KIB;
    await Promise.all([house.packer({ packBytes }).run(never), house.packer({ packBytes }).run(never)]);
    await house.packer().run(never);
    for (const key of keys) expect(await isRight(key)).toBe(true);
    const { rows } = await databases.region.pool.query(
      `SELECT pack_id, k.live_bytes = sum(p.size) AND k.live_blobs = count(*) AS agree
       FROM region.packs k JOIN region.packed p USING (pack) GROUP BY pack_id, k.live_bytes, k.live_blobs`,
    );
    expect(rows.every(({ agree }) => agree)).toBe(true);
    await house.sweep();
    expect(new Set(await house.stored())).toEqual(new Set(rows.map(({ pack_id }) => pack_id)));
  });

  test('deleted bytes can be had back for the grace period, in the inbox and in a pack, and go after it', async () => {
    const id = await putSmall('gone');
    await house.remove('gone');
    expect(await house.collector().collect(never)).toBe(0);
    expect(await house.blobs.stat(id)).toBeDefined();
    await house.packer().run(never);
    expect(await house.collector(60_000).collect(never)).toBe(0);
    expect(await house.blobs.stat(id)).toBeDefined();
    await house.collector().collect(never);
    expect(await house.blobs.stat(id)).toBeUndefined();
    await expect(house.blobs.readAll(id, 10 * KIB)).rejects.toThrow('not in the store');
  });

  test('a pack with more than 30 % garbage is rewritten; one with less is not', async () => {
    await removeAll();
    const keys = Array.from({ length: 10 }, (_, n) => `hole-${n}`);
    for (const key of keys) await putSmall(key);
    await house.packer().run(never);
    const before = await house.stored();
    for (const key of keys.slice(0, 3)) await house.remove(key);
    await house.collector().collect(never);
    expect(await house.compactor().run(never)).toBe(0);
    await house.remove('hole-3');
    await house.collector().collect(never);
    expect(await house.compactor().run(never)).toBe(1);
    for (const key of keys.slice(4)) expect(await isRight(key)).toBe(true);
    // Readers may be on their way to it.
    expect(await house.stored()).toEqual(expect.arrayContaining(before));
    await house.collector().collect(never);
    expect(await house.stored()).toHaveLength(1);
    expect(await house.stored()).not.toEqual(before);
    for (const key of keys.slice(4)) expect(await isRight(key)).toBe(true);
    const [row] = (await databases.region.pool.query('SELECT size, live_bytes, live_blobs FROM region.packs'))
      .rows;
    expect(row).toEqual({ size: 12 * KIB, live_bytes: 12 * KIB, live_blobs: 6 });
  });

  test('what cannot be placed, because clocks disagree, is left for the next run and tried once', async () => {
    await removeAll();
    for (const key of ['one', 'other']) await putSmall(key);
    let puts = 0;
    const counted: Pick<BlobStore, 'put' | 'remove' | 'readAll'> = {
      ...house.blobs,
      async put(...which) {
        puts++;
        return house.blobs.put(...which);
      },
    };
    const packs = new PackStore(databases.region, -60_000);
    expect(await house.packer({ packs, blobs: counted }).run(never)).toEqual({ packs: 0, blobs: 0 });
    expect([puts, await isRight('one'), await count('packed')]).toEqual([1, true, 0]);
    await house.packer().run(never);
    await house.remove('other');
    await house.collector().collect(never);
    expect(await house.compactor({ packs, blobs: counted }).run(never)).toBe(0);
    expect([puts, await isRight('one'), await count('packs')]).toEqual([2, true, 1]);
    expect(await house.compactor().run(never)).toBe(1);
    expect(await isRight('one')).toBe(true);
  });

  test('many small packs become one', async () => {
    await removeAll();
    const keys = Array.from({ length: 33 }, (_, n) => `few-${n}`);
    for (const key of keys.slice(0, 31)) {
      await putSmall(key);
      await house.packer().run(never);
    }
    expect([await house.compactor().run(never), await count('packs')]).toEqual([0, 31]);
    for (const key of keys.slice(31)) {
      await putSmall(key);
      await house.packer().run(never);
    }
    expect([await house.compactor().run(never), await count('packs')]).toEqual([33, 1]);
    for (const key of keys) expect(await isRight(key)).toBe(true);
    await house.collector().collect(never);
    expect(await house.stored()).toHaveLength(1);
  });

  test('a reader that was sent to a pack which is gone by now finds the bytes in the next', async () => {
    await removeAll();
    for (const key of ['stays', 'goes']) await putSmall(key);
    await house.packer().run(never);
    await house.remove('goes');
    await house.collector().collect(never);
    let isFirst = true;
    const read: BlobStore['read'] = async (...which) => {
      if (isFirst) {
        isFirst = false;
        await house.compactor().run(never);
        await house.collector().collect(never);
      }
      return engine.store.read(...which);
    };
    const slow = smallHouse(
      databases.region,
      new Proxy(engine.store, {
        get: (target, key) => (key === 'read' ? read : Reflect.get(target, key, target)),
      }),
    );
    expect((await slow.read('stays'))?.equals(bytesOf('stays'))).toBe(true);
    expect(isFirst).toBe(false);
  });

  test('an object that moves to an archive class has bytes of its own there', async () => {
    const id = await putSmall('cold');
    await databases.region.pool.query(`UPDATE region.objects SET class = 2 WHERE key = 'cold'`);
    const mover = new ClassMover({
      store: new ClassMoveStore(databases.region),
      swaps: new MergeStore(databases.region),
      objects: house.objects,
      blobs: house.blobs,
      commitWindowMs: 3_600_000,
    });
    expect(await mover.move(id, never)).toBe(true);
    const row = await house.objects.find(BUCKET, 'cold');
    expect(row && isSmallBlob(row.blob_id)).toBe(false);
    expect(row && (await engine.store.stat(row.blob_id))).toEqual({ size: 2 * KIB, tier: 'COLD' });
    expect(await isRight('cold')).toBe(true);
  });
});
