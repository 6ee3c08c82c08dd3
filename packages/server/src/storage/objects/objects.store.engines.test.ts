import { createHash, randomBytes } from 'node:crypto';
import { newBlobId } from '@millpond/blobs';
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { type CommitMode, type NewObject, ObjectStore } from './objects.store.ts';

const databases = useDatabases();
const BUCKET = 7n;
let store: ObjectStore;

beforeAll(async () => {
  store = new ObjectStore(databases.region);
  await run(`INSERT INTO region.bucket_gate VALUES (${BUCKET}, 'open'), (8, 'closing')`);
});

async function run<Row extends object>(text: string): Promise<Row[]> {
  return (await databases.region.pool.query<Row>(text)).rows;
}

function object(key: string, overrides: Partial<NewObject> = {}): NewObject {
  const blobId = newBlobId();
  return {
    bucketId: BUCKET,
    key,
    blobId,
    segments: [{ id: blobId, size: 3 }],
    fsize: 3,
    hash: randomBytes(8).toString('hex'),
    mimeType: 'text/plain',
    detectedType: 'text/plain',
    storageClass: 0,
    endUser: undefined,
    meta: undefined,
    deadline: Math.floor(Date.now() / 1000) + 60,
    commitWindowMs: 60_000,
    ...overrides,
  };
}

async function trashOf(blobId: string): Promise<string[]> {
  const rows = await run<{ reason: string }>(`SELECT reason FROM region.trash WHERE blob_id = '${blobId}'`);
  return rows.map((row) => row.reason);
}

describe('a quota', () => {
  const [BYTES, COUNT] = [10n, 11n];
  beforeAll(async () => {
    await run(
      `INSERT INTO region.bucket_gate (bucket_id, state, room_bytes, room_objects)
       VALUES (${BYTES}, 'open', 1000, NULL), (${COUNT}, 'open', NULL, 1000)`,
    );
    for (const bucketId of [BYTES, COUNT])
      await store.commit(object('held', { bucketId, hash: 'same', fsize: 5 }), 'insert');
    await run(`UPDATE region.bucket_gate SET room_bytes = 2 WHERE bucket_id = ${BYTES}`);
    await run(`UPDATE region.bucket_gate SET room_objects = 0 WHERE bucket_id = ${COUNT}`);
  });

  /** By itself, and in one statement with others, what comes after the first few. */
  const hasRoom = async (bucketId: bigint, key: string, mode: CommitMode, content: Partial<NewObject>) => {
    const one = await store.transaction((on) =>
      store.commit(object(key, { bucketId, ...content }), mode, on),
    );
    const others = Array.from({ length: 8 }, (_, index) =>
      store.commit(object(`other ${index}`, { bucketId, fsize: 1, hash: 'other' }), mode),
    );
    const joined = await store.commit(object(key, { bucketId, ...content }), mode);
    await Promise.all(others);
    expect(joined.has_room).toBe(one.has_room);
    return joined.has_room;
  };

  test.each([
    ['insert', true],
    ['overwrite', false],
  ] as const)('of bytes lets content come that is there and stays (%s: %s)', async (mode, mayComeAgain) => {
    const same = { hash: 'same', fsize: 5 };
    expect(await hasRoom(BYTES, 'held', mode, same)).toBe(mayComeAgain);
    expect(await hasRoom(BYTES, 'new', mode, same)).toBe(false);
    expect(await hasRoom(BYTES, 'held', mode, { hash: 'different', fsize: 5 })).toBe(false);
    expect(await hasRoom(BYTES, 'held', mode, { hash: 'same', fsize: 6 })).toBe(false);
  });

  test('of objects lets whatever comes to a key that is there', async () => {
    expect(await hasRoom(COUNT, 'held', 'overwrite', { hash: 'different', fsize: 50 })).toBe(true);
    expect(await hasRoom(COUNT, 'new', 'overwrite', { hash: 'different' })).toBe(false);
  });
});

describe('a commit', () => {
  test('creates the object and puts nothing into the trash', async () => {
    const created = object('new');
    const row = await store.commit(created, 'insert');
    expect(row).toMatchObject({ open: true, in_time: true, fresh: true, blob_id: created.blobId });
    expect(await trashOf(created.blobId)).toEqual([]);
  });

  test('that overwrites keeps the replaced bytes in the trash, with the record they had', async () => {
    const [first, second] = [object('twice'), object('twice')];
    const before = await store.commit(first, 'overwrite');
    const after = await store.commit(second, 'overwrite');
    expect(after.blob_id).toBe(second.blobId);
    expect(after.put_time).toBeGreaterThan(before.put_time ?? 0n);
    expect(await trashOf(first.blobId)).toEqual(['replaced']);
    const [kept] = await run<{ object: { key: string; hash: string } }>(
      `SELECT object FROM region.trash WHERE blob_id = '${first.blobId}'`,
    );
    expect(kept?.object).toMatchObject({ key: 'twice', hash: first.hash });
  });

  test('that may not overwrite leaves the object alone and gives its own bytes up', async () => {
    const [first, second] = [object('once'), object('once')];
    const before = await store.commit(first, 'insert');
    const after = await store.commit(second, 'insert');
    expect(after).toMatchObject({ blob_id: first.blobId, hash: first.hash, put_time: before.put_time });
    expect(await trashOf(second.blobId)).toEqual(['refused']);
    expect(await trashOf(first.blobId)).toEqual([]);
  });

  test.each([
    ['into a bucket that is being dropped', { bucketId: 8n }, 'open'],
    ['into a bucket that is not there', { bucketId: 9n }, 'open'],
    ['after the deadline', { deadline: Math.floor(Date.now() / 1000) - 1 }, 'in_time'],
    ['of bytes older than the commit window', { commitWindowMs: 0 }, 'fresh'],
  ] as const)('%s writes nothing', async (_, overrides, judgement) => {
    const refused = object('refused', overrides);
    const row = await store.commit(refused, 'overwrite');
    expect(row[judgement]).toBe(false);
    expect(row.blob_id).toBeNull();
    expect(await store.find(refused.bucketId, 'refused')).toBeUndefined();
    expect(await trashOf(refused.blobId)).toEqual(['refused']);
  });

  test.each([
    ['after the deadline', 'after', { deadline: 0 }],
    ['over another object', 'taken', {}],
  ] as const)('that is refused %s gives up no bytes that other rows name', async (_, key, overrides) => {
    await store.commit(object('taken'), 'overwrite');
    const segments = [1, 2].map((size) => ({ id: newBlobId(), size }));
    for (const parts of [segments, segments.slice(1)]) {
      const blobId = parts.length === 1 ? (parts[0]?.id ?? newBlobId()) : newBlobId();
      const refused = object(key, { blobId, segments: parts, rowsNameBytes: true, ...overrides });
      expect((await store.commit(refused, 'insert')).blob_id).not.toBe(blobId);
      for (const id of [blobId, ...parts.map((part) => part.id)]) expect(await trashOf(id)).toEqual([]);
      expect(await store.segments(blobId)).toEqual([]);
    }
  });

  test('of a blob in parts records its segments', async () => {
    const parts = [5, 4].map((size) => ({ id: newBlobId(), size }));
    const whole = object('parts', { segments: parts, fsize: 9 });
    await store.commit(whole, 'insert');
    expect(await store.segments(whole.blobId)).toEqual(
      parts.map((part) => ({ segment_id: part.id, size: BigInt(part.size) })),
    );
  });

  test('is one of many at the same time: one wins, every other blob is given up', async () => {
    for (const mode of ['insert', 'overwrite'] as const) {
      const key = `race ${mode}`;
      const objects = Array.from({ length: 16 }, () => object(key));
      await Promise.all(objects.map((each) => store.commit(each, mode)));
      const winner = await store.find(BUCKET, key);
      const trashed = await Promise.all(objects.map(async (each) => (await trashOf(each.blobId)).length));
      // Whatever the order was, each blob is either the object's or in the trash, once: none is lost.
      expect(trashed.filter((count) => count === 1)).toHaveLength(15);
      expect(trashed[objects.findIndex((each) => each.blobId === winner?.blob_id)]).toBe(0);
    }
  });

  test('gives put times that strictly increase, even within one clock tick', async () => {
    const times: bigint[] = [];
    for (let i = 0; i < 50; i++)
      times.push((await store.commit(object('ticks'), 'overwrite')).put_time ?? 0n);
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => (a < b ? -1 : 1)));
  });
});

test('a deleted object is gone, its bytes are in the trash', async () => {
  const created = object('gone');
  await store.commit(created, 'insert');
  expect(await store.remove(BUCKET, 'gone')).toBe(true);
  expect(await store.remove(BUCKET, 'gone')).toBe(false);
  expect(await store.find(BUCKET, 'gone')).toBeUndefined();
  expect(await trashOf(created.blobId)).toEqual(['deleted']);
});

test('every lookup touches one partition, whatever the number of buckets', async () => {
  const { rows } = await databases.region.transaction(async ({ client }) => {
    // What autovacuum has found to be empty it would rather read as a whole.
    await client.query('SET LOCAL enable_seqscan = off');
    return client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT 1 FROM region.objects WHERE bucket_id = 7 AND key = 'a'`,
    );
  });
  const partitions = rows.filter((row) => row['QUERY PLAN'].includes('objects_'));
  expect(partitions).toHaveLength(1);
  expect(partitions[0]?.['QUERY PLAN']).toContain('Index');
});

describe('a condition on the object that is there', () => {
  const md5 = (text: string) => createHash('md5').update(text).digest();
  const versioned = (key: string, text: string, overrides: Partial<NewObject> = {}) =>
    object(key, { s3: { md5: md5(text), md5Parts: 0 }, ...overrides });

  test('holds for its ETag, and for any object where any will do', async () => {
    await store.commit(versioned('conditional', 'one'), 'overwrite');
    const ifOne = { ifMatch: [md5('one').toString('hex')] };
    const other = await store.commit(
      versioned('conditional', 'two', { condition: { ifMatch: ['x'] } }),
      'overwrite',
    );
    expect(other).toMatchObject({ was_there: true, matches: false, blob_id: null });
    const same = await store.commit(versioned('conditional', 'two', { condition: ifOne }), 'overwrite');
    expect(same).toMatchObject({ was_there: true, matches: true });
    const any = versioned('conditional', 'three', { condition: { ifMatch: 'any' } });
    expect((await store.commit(any, 'overwrite')).blob_id).toBe(any.blobId);
  });

  test('fails for a missing object, whose bytes go to the trash', async () => {
    for (const ifMatch of ['any', ['x']] as const) {
      const none = versioned('missing', 'one', { condition: { ifMatch } });
      expect(await store.commit(none, 'overwrite')).toMatchObject({ was_there: false, matches: false });
      expect(await trashOf(none.blobId)).toEqual(['refused']);
    }
  });

  test('may name ETags that it must not have', async () => {
    const first = versioned('unless', 'one', { condition: { ifNoneMatch: ['x'] } });
    expect((await store.commit(first, 'overwrite')).blob_id).toBe(first.blobId);
    const unlessOne = { ifNoneMatch: ['x', md5('one').toString('hex')] };
    const refused = await store.commit(versioned('unless', 'two', { condition: unlessOne }), 'overwrite');
    expect(refused).toMatchObject({ matches: false, blob_id: null });
  });

  test('an object of another protocol has an ETag that is no MD5', async () => {
    await store.commit(object('native', { hash: 'FmDZwqadA4-ib_15hYfQpb7UXUYR' }), 'overwrite');
    const etag = `${createHash('md5').update('FmDZwqadA4-ib_15hYfQpb7UXUYR').digest('hex')}-1`;
    const next = versioned('native', 'one', { condition: { ifMatch: [etag] } });
    expect((await store.commit(next, 'overwrite')).blob_id).toBe(next.blobId);
  });

  test('lets exactly one of many win that expect the same object', async () => {
    await store.commit(versioned('contended', 'start'), 'overwrite');
    const condition = { ifMatch: [md5('start').toString('hex')] };
    const rows = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        store.commit(versioned('contended', `writer ${at}`, { condition }), 'overwrite'),
      ),
    );
    expect(rows.filter((row) => row.blob_id !== null)).toHaveLength(1);
  });
});
