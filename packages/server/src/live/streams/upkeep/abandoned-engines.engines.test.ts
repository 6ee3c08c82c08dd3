/** Engines that are in nobody's settings any more: what belongs to them ends, and only that. */
import { setImmediate as turn } from 'node:timers/promises';
import { openLog } from '@millpond/base';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { LeaseStore } from '../../../platform/leases/leases.store.ts';
import type { Lease } from '../../../platform/leases/leases.ts';
import { Sealer } from '../../../platform/secrets/sealer.ts';
import type { Engine } from '../engines/index.ts';
import { emitOfflineEvents } from '../sessions/offline.ts';
import { SessionStore } from '../sessions/stream-sessions.store.ts';
import { Sessions } from '../sessions/stream-sessions.ts';
import { IngestStore } from '../streams/ingest.store.ts';
import { StreamStore } from '../streams/stream.store.ts';
import { allEnabled, type TestStream, useLive } from '../streams.testing.ts';
import { endAbandonedEngines } from './abandoned-engines.ts';
import { LiveOwner } from './engine-owner.ts';

const databases = useDatabases();
const live = useLive(databases);
const MINUTE_MS = 60_000;

const sql = (text: string, values: unknown[] = []) => databases.region.pool.query(text, values);

function setUp() {
  const store = new SessionStore(databases.region);
  const sealer = new Sealer([{ id: 'k1', key: Buffer.alloc(32, 7) }]);
  const sessions = new Sessions({ store, events: live.events, sealer, accounts: allEnabled });
  const [recordings, snapshots] = [live.recordings(), live.snapshots()];
  const parts = { store, sessions, recordings, snapshots, events: live.events };
  const clockSince = (agoMs: number): Lease => ({
    ...live.lease,
    name: 'streams',
    takenAt: new Date(Date.now() - agoMs),
  });
  return { ...parts, parts, clockSince };
}

/** Whose lease ended so long ago; undefined: nobody ever had one. */
async function engineOf(name: string, overMs: number | undefined): Promise<string> {
  if (overMs !== undefined)
    await sql(
      `INSERT INTO region.live_leases VALUES ($1, gen_random_uuid(), now() - interval '1 day',
         clock_timestamp() - $2 * interval '1 millisecond')`,
      [`engine ${name}`, overMs],
    );
  return name;
}

async function publishedAt(engine: string, sinceMs: number): Promise<TestStream> {
  const stream = await live.stream();
  await sql(
    `INSERT INTO region.live_sessions (engine, boot, client, ns_id, stream_id, address, began_at)
     VALUES ($1, '1', $2, $2, $3, '', now() - $4 * interval '1 millisecond')`,
    [engine, stream.nsId, stream.streamId, sinceMs],
  );
  await sql('UPDATE region.live_streams SET is_online = true WHERE ns_id = $1', [stream.nsId]);
  return stream;
}

test('publishers of an engine that nobody has are gone, which is told; the stream can be deleted', async () => {
  const { parts, store, clockSince } = setUp();
  const streams = [
    await publishedAt(await engineOf('never', undefined), 2 * MINUTE_MS),
    await publishedAt(await engineOf('once', 2 * MINUTE_MS), 2 * MINUTE_MS),
  ];
  await sql('UPDATE region.live_namespaces SET offline_delay = 0');
  const clock = clockSince(2 * MINUTE_MS);
  await endAbandonedEngines({ ...parts, engines: [] }, clock);
  while ((await emitOfflineEvents(parts, clock)) > 0);
  for (const stream of streams) {
    expect(await store.openOfStream(stream)).toEqual([]);
    expect(await live.told(stream)).toMatchObject([
      { type: 'stream', streamId: stream.streamId, streamState: 0 },
    ]);
    expect(await new StreamStore(databases.region).delete(stream)).toBe(true);
  }
});

test('publishers stay where somebody may still come for their engine', async () => {
  const { parts, store, clockSince } = setUp();
  const mine = await publishedAt(await engineOf('mine', 2 * MINUTE_MS), 2 * MINUTE_MS);
  const stay = [
    mine,
    await publishedAt(await engineOf('owned', -5000), 2 * MINUTE_MS),
    await publishedAt(await engineOf('between owners', 20_000), 2 * MINUTE_MS),
    await publishedAt(await engineOf('new', undefined), 20_000),
  ];
  const abandoned = await publishedAt('abandoned', 2 * MINUTE_MS);
  const isOpen = async (stream: TestStream) => (await store.openOfStream(stream)).length === 1;
  // After the whole deployment or the database was away: the clock's owner is as new as everybody.
  await endAbandonedEngines({ ...parts, engines: [] }, clockSince(20_000));
  for (const stream of [...stay, abandoned]) expect(await isOpen(stream)).toBe(true);
  await endAbandonedEngines({ ...parts, engines: [{ id: 'mine' }] }, clockSince(2 * MINUTE_MS));
  for (const stream of stay) expect(await isOpen(stream)).toBe(true);
  expect(await isOpen(abandoned)).toBe(false);
});

test('the clock is kept where no engine is configured and a stream is online all the same, and nowhere else', async () => {
  const { parts } = setUp();
  const isKept = async () =>
    (await sql(`SELECT FROM region.live_leases WHERE name = 'streams'`)).rowCount === 1;
  const leases = new LeaseStore(databases.region);
  const newOwner = () =>
    new LiveOwner(
      {
        ...parts,
        leases,
        engines: [],
        ingests: new IngestStore(databases.region),
        log: openLog('silent'),
      },
      { leaseMs: 6000, reconcileMs: 5000, recordSlots: 1, snapSlots: 1 },
    );
  await sql('UPDATE region.live_streams SET is_online = false');
  const idle = newOwner();
  const [looked, took] = [vi.spyOn(parts.store, 'isAnyOnline'), vi.spyOn(leases, 'take')];
  idle.start();
  await expect.poll(() => looked.mock.settledResults).toMatchObject([{ value: false }]);
  await turn();
  expect(took).not.toHaveBeenCalled();
  await idle.stop();
  expect(await isKept()).toBe(false);
  await publishedAt('forgotten', 0);
  const owner = newOwner();
  onTestFinished(() => owner.stop());
  owner.start();
  await expect.poll(isKept).toBe(true);
});

test('its snapshots fail, and a day later its recordings, each told', async () => {
  const { parts, snapshots, recordings, clockSince } = setUp();
  const engine = { id: 'removed' } as Engine;
  const stream = await live.stream();
  await snapshots.demand(stream, engine);
  await recordings.recorded(engine.id, await live.record(stream, 1));
  const run = () => endAbandonedEngines({ ...parts, engines: [] }, clockSince(2 * MINUTE_MS));
  await run();
  expect(await live.told(stream)).toEqual([]);
  await sql(`UPDATE region.live_snaps SET asked_at = now() - interval '2 minutes' WHERE engine = $1`, [
    engine.id,
  ]);
  await sql(`UPDATE region.live_records SET end_at = now() - interval '2 minutes' WHERE engine = $1`, [
    engine.id,
  ]);
  await run();
  const errmsg = 'the engine is no longer configured';
  expect(await live.told(stream)).toMatchObject([{ type: 'snap', code: 3, errmsg }]);
  await sql(`UPDATE region.live_records SET end_at = now() - interval '25 hours' WHERE engine = $1`, [
    engine.id,
  ]);
  await run();
  await run();
  expect(await live.told(stream)).toMatchObject([
    { type: 'snap', code: 3 },
    { type: 'record', code: 3, errmsg },
  ]);
});
