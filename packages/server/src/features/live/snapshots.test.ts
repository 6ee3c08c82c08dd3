/** Pictures that are asked for: each is taken or has failed, whatever happens meanwhile. */
import { expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import type { Engine } from './engines/index.ts';
import type { Snapshots } from './snapshots.ts';
import { ENGINE, useLive } from './testing.ts';

const databases = useDatabases();
const live = useLive(databases);
const engine = {
  id: ENGINE,
  client: {
    hls: async (_name, file) => Buffer.from(file === 'index.m3u8' ? '#EXTM3U\n#EXTINF:2,\n1.ts\n' : 'film'),
  },
} as { id: string; client: Partial<Engine['client']> } as Engine;
const engines = new Map([[ENGINE, engine]]);

async function processAll(snapshots: Snapshots, slots: number): Promise<number> {
  const rows = await snapshots.claim(ENGINE, slots, live.lease);
  for (const row of rows) await snapshots.process(row, live.lease);
  return rows.length;
}

async function codesOf(nsId: string): Promise<number[]> {
  const { rows } = await databases.region.pool.query<{ code: number }>(
    'SELECT code FROM region.live_snaps WHERE ns_id = $1 ORDER BY taken_at',
    [nsId],
  );
  return rows.map((row) => row.code);
}

test('snapshots of a namespace that is gone have failed, and hold up nobody else’s', async () => {
  const [gone, stream] = [await live.stream(), await live.stream()];
  const snapshots = live.snapshots({ engines });
  for (let count = 0; count < 2; count++) await snapshots.demand(gone, engine);
  const fname = await snapshots.demand(stream, engine);
  await live.removeStream(gone);
  // As many of the gone one as there are slots come first.
  while ((await processAll(snapshots, 2)) > 0);
  expect(await live.keysOf(stream)).toEqual([fname]);
  expect(await live.told(stream)).toMatchObject([{ type: 'snap', code: 0, fname }]);
  expect(await codesOf(gone.nsId)).toEqual([3, 3]);
  expect(await live.told(gone)).toEqual([]);
});

test('snapshots that the last owner had under way have failed, also where their namespace is gone', async () => {
  const [gone, stream] = [await live.stream(), await live.stream()];
  const snapshots = live.snapshots({ engines });
  for (const each of [gone, stream]) await snapshots.demand(each, engine);
  expect(await snapshots.claim(ENGINE, 2, live.lease)).toHaveLength(2);
  await live.removeStream(gone);
  await snapshots.abandon(ENGINE, live.lease);
  expect([await codesOf(gone.nsId), await codesOf(stream.nsId)]).toEqual([[3], [3]]);
  expect(await live.told(stream)).toMatchObject([{ type: 'snap', code: 3 }]);
});
