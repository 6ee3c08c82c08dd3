/** Images that are asked for: each is taken or has failed, whatever happens meanwhile. */
import { openLog } from '@millpond/base';
import { Fault } from '@millpond/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { LeaseStore } from '../../../platform/leases/leases.store.ts';
import { Sealer } from '../../../platform/secrets/sealer.ts';
import type { Engine } from '../engines/index.ts';
import { SessionStore } from '../sessions/stream-sessions.store.ts';
import { Sessions } from '../sessions/stream-sessions.ts';
import { IngestStore } from '../streams/ingest.store.ts';
import { allEnabled, ENGINE, useLive } from '../streams.testing.ts';
import { LiveOwner } from '../upkeep/engine-owner.ts';
import { SnapStore } from './snap.store.ts';
import type { Snapshots } from './snapshots.ts';

const databases = useDatabases();
const live = useLive(databases);
const engine = {
  id: ENGINE,
  client: {
    hls: async (_name, file) => Buffer.from(file === 'index.m3u8' ? '#EXTM3U\n#EXTINF:2,\n1.ts\n' : 'video'),
  },
} as { id: string; client: Partial<Engine['client']> } as Engine;
const engines = new Map([[ENGINE, engine]]);

async function processAll(snapshots: Snapshots, slots: number): Promise<number> {
  const rows = await snapshots.claim(ENGINE, slots, [], live.lease);
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
  expect(await snapshots.claim(ENGINE, 2, [], live.lease)).toHaveLength(2);
  await live.removeStream(gone);
  await processAll(snapshots, 2);
  expect([await codesOf(gone.nsId), await codesOf(stream.nsId)]).toEqual([[3], [3]]);
  expect(await live.told(stream)).toMatchObject([{ type: 'snap', code: 3, errmsg: 'it was interrupted' }]);
});

test('a snapshot has failed, and is told so, when that could not be written at first', async () => {
  const stream = await live.stream();
  class AwaySnaps extends SnapStore {
    override end = async () => {
      throw new Fault('serverFailure', { detail: 'database: connection' });
    };
  }
  const failing = live.snapshots({ engines, store: new AwaySnaps(databases.region) });
  await failing.demand(stream, engine);
  await processAll(failing, 1);
  expect(await codesOf(stream.nsId)).toEqual([2]);
  await processAll(live.snapshots({ engines }), 1);
  expect(await codesOf(stream.nsId)).toEqual([3]);
  expect(await live.told(stream)).toMatchObject([{ type: 'snap', code: 3 }]);
});

test('a snapshot that takes its time is not given up meanwhile', async () => {
  const stream = await live.stream();
  const { region } = databases;
  let claims = 0;
  class CountingSnaps extends SnapStore {
    override claim(...given: Parameters<SnapStore['claim']>) {
      claims++;
      return super.claim(...given);
    }
  }
  const { promise: isDue, resolve } = Promise.withResolvers<void>();
  const slow: Engine = {
    ...engine,
    client: {
      ...engine.client,
      state: async () => ({ boot: '1', publishers: [], ingests: [] }),
      async hls(...given) {
        await isDue;
        return engine.client.hls(...given);
      },
    },
  };
  const snapshots = live.snapshots({ engines: new Map([[ENGINE, slow]]), store: new CountingSnaps(region) });
  const fname = await snapshots.demand(stream, slow);
  const { events } = live;
  const store = new SessionStore(region);
  const sessions = new Sessions({
    store,
    events,
    accounts: allEnabled,
    sealer: new Sealer([{ id: 'k1', key: Buffer.alloc(32, 7) }]),
  });
  const owner = new LiveOwner(
    {
      store,
      events,
      sessions,
      snapshots,
      recordings: live.recordings(),
      leases: new LeaseStore(region),
      engines: [slow],
      ingests: new IngestStore(region),
      log: openLog('silent'),
    },
    { leaseMs: 6000, reconcileMs: 5000, recordSlots: 2, snapSlots: 2 },
  );
  onTestFinished(() => owner.stop());
  owner.start();
  await expect.poll(() => claims).toBeGreaterThanOrEqual(3);
  resolve();
  await expect.poll(() => codesOf(stream.nsId)).toEqual([0]);
  expect(await live.keysOf(stream)).toEqual([fname]);
  expect(await live.told(stream)).toMatchObject([{ type: 'snap', code: 0 }]);
});
