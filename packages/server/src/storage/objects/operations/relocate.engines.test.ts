import { newBlobId } from '@millpond/blobs';
import type { Fault } from '@millpond/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { RelocateStore } from './relocate.store.ts';
import type { Relocation } from './relocate-statement.ts';

const databases = useDatabases();
const [ONE, OTHER, CLOSED] = [1n, 2n, 3n];
let store: RelocateStore;

beforeAll(async () => {
  store = new RelocateStore(databases.region);
  await run(`INSERT INTO region.bucket_gate VALUES (1, 'open'), (2, 'open'), (3, 'closing')`);
});

async function run<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await databases.region.pool.query<Row>(text, values)).rows;
}

async function put(key: string, overrides: Record<string, unknown> = {}, bucketId = ONE): Promise<string> {
  const blobId = newBlobId();
  const columns = {
    bucket_id: bucketId,
    key,
    blob_id: blobId,
    fsize: 3,
    hash: `hash of ${key}`,
    mime_type: 'text/x-own',
    detected_type: 'text/plain',
    put_time: 17,
    meta: '{"a":"1"}',
    end_user: 'u',
    status: 1,
    expires_at: '2099-01-01T00:00:00Z',
    to_archive_at: '2098-01-01T00:00:00Z',
    ...overrides,
  };
  const names = Object.keys(columns);
  await run(
    `INSERT INTO region.objects (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(columns),
  );
  return blobId;
}

const row = async (key: string, bucketId = ONE) =>
  (
    await run<Record<string, unknown>>('SELECT * FROM region.objects WHERE bucket_id = $1 AND key = $2', [
      bucketId,
      key,
    ])
  )[0];
const relocate = (from: string, to: string, how: Relocation, toBucket = ONE) =>
  store.relocate({ bucketId: ONE, key: from }, { bucketId: toBucket, key: to }, how);

describe.each([false, true])('with force %s', (force) => {
  test('a copy has the content and description of its source, and neither its end nor its schedule', async () => {
    await put(`copied ${force}`);
    await relocate(`copied ${force}`, `copy ${force}`, { kind: 'copy', force }, OTHER);
    const before = await row(`copied ${force}`);
    const after = await row(`copy ${force}`, OTHER);
    expect(after).toEqual({
      ...before,
      bucket_id: OTHER,
      key: `copy ${force}`,
      put_time: after?.put_time,
      expires_at: null,
      to_archive_at: null,
    });
    expect(after?.put_time).toBeGreaterThan(17n);
  });

  test.each([ONE, OTHER])('a move to bucket %s takes everything along', async (toBucket) => {
    const [from, to] = [`from ${force} ${toBucket}`, `to ${force} ${toBucket}`];
    await put(from);
    const before = await row(from);
    await relocate(from, to, { kind: 'move', force }, toBucket);
    const after = await row(to, toBucket);
    expect(after).toEqual({ ...before, bucket_id: toBucket, key: to, put_time: after?.put_time });
    expect(await row(from)).toBeUndefined();
  });

  test('a missing source, a closing bucket and a frozen source leave everything as it was', async () => {
    const how = { kind: 'move', force } as const;
    expect(await relocate('missing', 'x', how)).toMatchObject({ class: null, written: false });
    await put(`stays ${force}`);
    expect(await relocate(`stays ${force}`, 'x', how, CLOSED)).toMatchObject({ open: false, written: false });
    await put(`frozen ${force}`, { class: 2 });
    expect(await relocate(`frozen ${force}`, 'x', how)).toMatchObject({ readable: false, written: false });
    expect([await row(`stays ${force}`), await row(`frozen ${force}`)]).not.toContain(undefined);
    expect([await row('x'), await row('x', CLOSED)]).toEqual([undefined, undefined]);
  });
});

test('onto an existing object nothing happens without force; with it, the old one goes to the trash', async () => {
  await put('new');
  const old = await put('old', { put_time: 99_000_000_000_000_000n });
  for (const kind of ['copy', 'move'] as const)
    expect(await relocate('new', 'old', { kind, force: false })).toMatchObject({ class: 0, written: false });
  expect(await row('old')).toMatchObject({ blob_id: old });
  await relocate('new', 'old', { kind: 'move', force: true });
  expect(await row('old')).toMatchObject({ hash: 'hash of new', put_time: 99_000_000_000_000_001n });
  expect(await run('SELECT reason FROM region.trash WHERE blob_id = $1', [old])).toEqual([
    { reason: 'replaced' },
  ]);
});

test.each(['copy', 'move'] as const)(
  'into a bucket with as many objects as it may have, a %s goes only over one of them',
  async (kind) => {
    const FULL = kind === 'copy' ? 4n : 5n;
    await run(
      `INSERT INTO region.bucket_gate (bucket_id, state, room_bytes, room_objects) VALUES ($1, 'open', 2, 0)`,
      [FULL],
    );
    await put(`small ${kind}`, { fsize: 2 });
    await put(`large ${kind}`, { fsize: 3 });
    const old = await put('target', {}, FULL);
    const to = (from: string, key: string, force = true) =>
      relocate(`${from} ${kind}`, key, { kind, force }, FULL);
    expect(await to('small', 'new')).toMatchObject({ has_room: false, written: false });
    expect(await to('large', 'target')).toMatchObject({ has_room: false, written: false });
    expect(await to('small', 'target', false)).toMatchObject({ has_room: true, written: false });
    expect(await row('target', FULL)).toMatchObject({ blob_id: old });
    expect(await to('small', 'target')).toMatchObject({ has_room: true, written: true });
    expect(await row('target', FULL)).toMatchObject({ hash: `hash of small ${kind}` });
  },
);

test('moves that exchange the same objects, copies and deletes among them, neither wait for each other nor fail', async () => {
  const keys = ['ring a', 'ring b', 'ring c'];
  for (let round = 0; round < 8; round++) {
    for (const key of keys) if ((await row(key)) === undefined) await put(key);
    const pairs = keys.flatMap((from) => keys.filter((to) => to !== from).map((to) => [from, to] as const));
    const results = await Promise.allSettled(
      pairs.flatMap(([from, to]) => [
        relocate(from, to, { kind: 'move', force: true }),
        relocate(from, to, { kind: 'copy', force: true }),
        relocate(from, to, { kind: 'move', force: false }),
      ]),
    );
    const failed = results
      .filter((result) => result.status === 'rejected')
      .map(({ reason }) => reason as Fault);
    expect(failed.map((fault) => fault.message)).toEqual([]);
    const left = await Promise.all(keys.map((key) => row(key)));
    expect(left.some((each) => each !== undefined)).toBe(true);
  }
});

test('of moves of one object to many keys exactly one succeeds, and of moves of many to one key as well', async () => {
  await put('single');
  const targets = Array.from({ length: 12 }, (_, index) => `target ${index}`);
  const spread = await Promise.all(
    targets.map((to) => relocate('single', to, { kind: 'move', force: false })),
  );
  expect(spread.filter(({ written }) => written)).toHaveLength(1);
  expect((await Promise.all(targets.map((key) => row(key)))).filter(Boolean)).toHaveLength(1);
  const sources = Array.from({ length: 12 }, (_, index) => `many ${index}`);
  for (const key of sources) await put(key);
  const joined = await Promise.all(
    sources.map((from) => relocate(from, 'one', { kind: 'move', force: false })),
  );
  expect(joined.filter(({ written }) => written)).toHaveLength(1);
  expect((await Promise.all(sources.map((key) => row(key)))).filter(Boolean)).toHaveLength(11);
});
