/** Snapshots that wait: few of each stream, in turn between tenants, and none for longer than its time. */
import { expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import type { Engine } from '../engines/index.ts';
import { type TestStream, useLive } from '../streams.testing.ts';
import { SnapStore } from './snap.store.ts';
import type { Snapshots } from './snapshots.ts';

const databases = useDatabases();
const live = useLive(databases);

/** One of its own for each test. */
let count = 0;
function newEngine(): Engine {
  const hls = async (_name: string, file: string) =>
    Buffer.from(file === 'index.m3u8' ? '#EXTM3U\n#EXTINF:2,\n1.ts\n' : 'video');
  const client: Partial<Engine['client']> = { hls };
  return { id: `queue-${++count}`, client } as { id: string; client: Partial<Engine['client']> } as Engine;
}

const sql = (text: string, values: unknown[] = []) => databases.region.pool.query(text, values);

/** Published at the engine, and photographed by the clock both ways, one file for each and one for all. */
async function scheduled(engine: Engine): Promise<TestStream> {
  const stream = await live.stream();
  await sql(
    `UPDATE region.live_templates SET snap_interval = 10, jpg_overwrite = true WHERE kind = 1 AND uid = $1`,
    [stream.uid],
  );
  await sql(
    `INSERT INTO region.live_sessions (engine, boot, client, ns_id, stream_id, address) VALUES ($1, '1', $2, $2, $3, '')`,
    [engine.id, stream.nsId, stream.streamId],
  );
  return stream;
}

/** Its next time has come. */
async function ring(stream: TestStream, snapshots: Snapshots): Promise<void> {
  await sql('UPDATE region.live_streams SET next_snap_at = now() WHERE ns_id = $1', [stream.nsId]);
  await snapshots.schedule(live.lease);
}

async function take(engine: Engine, snapshots: Snapshots): Promise<void> {
  for (const row of await snapshots.claim(engine.id, 1, [], live.lease))
    await snapshots.process(row, live.lease);
}

const rowsOf = async (stream: TestStream, columns: string): Promise<unknown[]> =>
  (
    await sql(`SELECT ${columns} FROM region.live_snaps WHERE ns_id = $1 ORDER BY taken_at, fname`, [
      stream.nsId,
    ])
  ).rows;

test('a snapshot that nobody came to within its time has failed, and is told so; it is not taken later', async () => {
  const engine = newEngine();
  const stream = await live.stream();
  const snapshots = live.snapshots({ engines: new Map([[engine.id, engine]]) });
  const late = await snapshots.demand(stream, engine);
  await sql(`UPDATE region.live_snaps SET asked_at = now() - interval '1 hour' WHERE ns_id = $1`, [
    stream.nsId,
  ]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const fname = await snapshots.demand(stream, engine);
  await take(engine, snapshots);
  expect(await rowsOf(stream, 'fname, code')).toEqual([
    { fname: late, code: 3 },
    { fname, code: 0 },
  ]);
  expect(await live.keysOf(stream)).toEqual([fname]);
  expect(await live.told(stream)).toMatchObject([
    { type: 'snap', fname: late, code: 3, errmsg: 'no image in time' },
    { type: 'snap', fname, code: 0 },
  ]);
});

test('while a snapshot by the clock waits, its stream gets no other of that kind', async () => {
  const engine = newEngine();
  const stream = await scheduled(engine);
  const snapshots = live.snapshots({ engines: new Map([[engine.id, engine]]) });
  for (let times = 0; times < 3; times++) await ring(stream, snapshots);
  expect(await rowsOf(stream, 'is_overwritten, code')).toEqual([
    { is_overwritten: true, code: 1 },
    { is_overwritten: false, code: 1 },
  ]);
  // On demand is another kind.
  await snapshots.demand(stream, engine);
  expect(await rowsOf(stream, 'code')).toHaveLength(3);
});

test('a few snapshots on demand may wait, also where all are asked for at once; more are too many', async () => {
  const engine = newEngine();
  const [stream, other] = [await live.stream(), await live.stream()];
  const snapshots = live.snapshots({ engines: new Map([[engine.id, engine]]) });
  const asked = await Promise.allSettled(Array.from({ length: 9 }, () => snapshots.demand(stream, engine)));
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  expect(asked.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { fault: 'tooManyRequests', hint: '4 snapshots of the stream are already waiting' },
  });
  await snapshots.demand(other, engine);
  await take(engine, snapshots);
  await snapshots.demand(stream, engine);
});

test('of a stream one snapshot is under way, and tenants take turns whoever has asked for more', async () => {
  const engine = newEngine();
  const [many, few] = [await live.stream(), await live.stream()];
  const snapshots = live.snapshots({ engines: new Map([[engine.id, engine]]) });
  for (let times = 0; times < 3; times++) await snapshots.demand(many, engine);
  // A stream of a child of the account that has many.
  const second = await live.stream();
  await sql(`UPDATE region.live_namespaces SET tenant = $2 WHERE ns_id = $1`, [second.nsId, many.uid]);
  for (let times = 0; times < 3; times++) await snapshots.demand(second, engine);
  for (let times = 0; times < 2; times++) await snapshots.demand(few, engine);
  const names = new Map([
    [many.nsId, 'many'],
    [second.nsId, 'second'],
    [few.nsId, 'few'],
  ]);
  const store = new SnapStore(databases.region);
  const next = async (slots: number, busy: readonly string[]) =>
    (await snapshots.claim(engine.id, slots, busy, live.lease)).map((row) => ({
      name: names.get(row.ns_id),
      id: row.snap_id,
    }));
  // With four slots there is a place for each stream, and none for a second one of any.
  const first = await next(4, []);
  expect(new Set(first.map(({ name }) => name))).toEqual(new Set(['few', 'many', 'second']));
  const busy = first.map(({ id }) => id);
  expect(await next(4, busy)).toEqual([]);
  for (const id of busy) await store.end(databases.region, id, 3, '');
  // With one slot: each tenant once, then again.
  const order: (string | undefined)[] = [];
  for (let times = 0; times < 4; times++) {
    const [one] = await next(1, []);
    order.push(one?.name);
    await store.end(databases.region, one?.id ?? '', 3, '');
  }
  expect(order.indexOf('few')).toBeLessThan(2);
  expect(order.filter((name) => name === 'few')).toHaveLength(1);
});

test('an image that replaces the one before is listed once', async () => {
  const engine = newEngine();
  const stream = await scheduled(engine);
  const snapshots = live.snapshots({ engines: new Map([[engine.id, engine]]) });
  for (let times = 0; times < 3; times++) {
    await ring(stream, snapshots);
    await take(engine, snapshots);
    await take(engine, snapshots);
  }
  const beginning = new Date(0);
  const range = {
    start: beginning,
    end: new Date(Date.now() + 60_000),
    after: undefined,
    isNewestFirst: false,
  };
  const listed = await new SnapStore(databases.region).page(stream, range, 100);
  const one = `snapshot/jpg/${stream.nsId}/${stream.streamId}.jpg`;
  expect(listed.filter(({ fname }) => fname === one)).toHaveLength(1);
  expect(listed).toHaveLength(4);
  expect(await live.keysOf(stream)).toHaveLength(4);
});
