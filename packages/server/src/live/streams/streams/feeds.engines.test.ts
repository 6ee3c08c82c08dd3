/** Who may publish in a namespace of devices: the server itself, while it means to, and nobody else. */
import { expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { statement } from '../../../platform/db/database.ts';
import { Sealer } from '../../../platform/secrets/sealer.ts';
import { parseCreate } from '../../../platform/web/resources/index.ts';
import type { LiveEvents } from '../events.ts';
import { newLiveId } from '../ids.ts';
import { NamespaceStore } from '../namespaces/namespace.store.ts';
import { namespaceFields } from '../namespaces/namespace-fields.ts';
import { SessionStore } from '../sessions/stream-sessions.store.ts';
import { Sessions } from '../sessions/stream-sessions.ts';
import { allEnabled } from '../streams.testing.ts';
import { FeedStore } from './feed.store.ts';
import { Feeds, type InternalPublish } from './internal-publish.ts';
import { StreamStore } from './stream.store.ts';
import { openStreamKey } from './streams.ts';

const databases = useDatabases();
const sealer = new Sealer([{ id: 'k1', key: Buffer.alloc(32, 7) }]);
let clients = 0;

async function made(accessType: 'rtmp' | 'gb28181') {
  const { region } = databases;
  const nsId = newLiveId();
  const values = parseCreate(namespaceFields, { name: nsId, accessType });
  const namespaces = new NamespaceStore(region);
  await namespaces.insert(nsId, { uid: 1n, tenant: 1n }, values, 100);
  const makeDevice = () =>
    region.pool.query(
      `INSERT INTO region.devices (ns_id, gbid, name, description, kind, username, sealed_password, master_key)
       VALUES ($1, 'camera', '', '', 1, $1, '', 'k1')`,
      [nsId],
    );
  if (accessType === 'gb28181') await makeDevice();
  const store = new FeedStore(region);
  const feeds = new Feeds({ store, sealer, rtmpUrl: 'rtmp://engine/live' });
  const events = { enqueue: async () => undefined } as Partial<LiveEvents> as LiveEvents;
  const sessions = new Sessions({ store: new SessionStore(region), events, sealer, accounts: allEnabled });
  const address = { nsId, streamId: 'camera' };
  const name = `${nsId}_camera`;
  return {
    feeds,
    address,
    store,
    streams: async () =>
      (await new StreamStore(region).page(nsId, { offset: 0, line: 10, sortBy: 'asc' } as never, 'all', ''))
        .rows,
    removeDevice: () =>
      region.transaction(async (transaction) => {
        await transaction.query(lockDevice, [nsId]);
        await transaction.query(deleteDevice, [nsId]);
        await feeds.end(transaction, nsId, 'camera');
      }),
    remake: makeDevice,
    removeNamespace: () => namespaces.delete(1n, nsId),
    /** Whether the engine lets somebody in who shows this, once the last one has left. */
    letsIn: async (key: string) => {
      await sessions.gone('main', { boot: '1', client: String(clients) });
      const who = { boot: '1', client: String(++clients), name, address: '192.0.2.1' };
      const engine = {
        id: 'main',
        client: { state: async () => ({ boot: '1', publishers: [], ingests: [] }) },
      };
      return sessions.publish(engine, { kind: 'publish', ...who, proof: { key, end: '', token: '' } });
    },
    alive: () =>
      sessions.onAlive('main', { kind: 'alive', boot: '1', client: String(clients), name, address: '' }),
    key: async () => {
      const row = await new StreamStore(region).find(address);
      return row === undefined ? '' : openStreamKey(sealer, row);
    },
  };
}

const lockDevice = statement('test-lock-device', 'SELECT FROM region.devices WHERE ns_id = $1 FOR UPDATE');
const deleteDevice = statement('test-delete-device', 'DELETE FROM region.devices WHERE ns_id = $1');
const proofOf = (internalPublish: InternalPublish | undefined) =>
  new URL(internalPublish?.url ?? '').searchParams.get('key') ?? '';

test('only what was opened last is let in, and nothing once it is closed', async () => {
  const { feeds, address, letsIn, alive, key } = await made('gb28181');
  await feeds.make(address.nsId, ['camera']);
  const own = await key();
  expect(own).not.toBe('');
  expect(await letsIn(own)).toBe(false);
  const first = await feeds.open(address);
  expect(first?.url.startsWith(`rtmp://engine/live/${address.nsId}_camera?key=`)).toBe(true);
  for (const shown of ['', own, `${proofOf(first)}x`]) expect(await letsIn(shown)).toBe(false);
  expect(await letsIn(proofOf(first))).toBe(true);
  expect(await alive()).toBe(true);
  const second = await feeds.open(address);
  expect(await letsIn(proofOf(first))).toBe(false);
  // Another process has opened it anew: who had it before does not close it.
  await first?.close();
  expect(await letsIn(proofOf(second))).toBe(true);
  await second?.close();
  expect(await letsIn(proofOf(second))).toBe(false);
  expect(await alive()).toBe(false);
  // The stream and its key are as they were.
  expect(await key()).toBe(own);
});

test('a stream is made by opening it, but for a device that is there only', async () => {
  const { feeds, address, key } = await made('gb28181');
  await feeds.open(address);
  expect(await key()).not.toBe('');
  const streams = await made('rtmp');
  expect(await streams.feeds.open(streams.address)).toBeUndefined();
  expect(await streams.key()).toBe('');
});

test('streams go with their device: at once if they are offline, else when they are told to be, and a namespace waits for none', async () => {
  const { feeds, address, store, streams, removeDevice, removeNamespace, letsIn, alive } =
    await made('gb28181');
  const others = ['camera_34020000001310000001', 'camera2'];
  await feeds.make(address.nsId, ['camera', ...others]);
  expect((await streams()).map(({ stream_id }) => stream_id)).toEqual(['camera', others[0]]);
  expect(await letsIn(proofOf(await feeds.open(address)))).toBe(true);
  await removeDevice();
  expect(await streams()).toMatchObject([{ stream_id: 'camera', is_online: true }]);
  expect(await alive()).toBe(false);
  expect(await feeds.open(address)).toBeUndefined();
  expect(await store.forgetEnded(0)).toBe(0);
  const { pool } = databases.region;
  await pool.query('UPDATE region.live_streams SET is_online = false, changed_at = now() WHERE ns_id = $1', [
    address.nsId,
  ]);
  expect(await store.forgetEnded(60)).toBe(0);
  expect(await removeNamespace()).toBe(true);
  expect(await streams()).toEqual([]);
});

test('a stream whose device is made again is kept, and one that is over for a minute goes', async () => {
  const [again, over] = [await made('gb28181'), await made('gb28181')];
  for (const { feeds, address, removeDevice } of [again, over]) {
    await feeds.open(address);
    await databases.region.pool.query(
      `UPDATE region.live_streams SET is_online = true, changed_at = now() - interval '61 seconds' WHERE ns_id = $1`,
      [address.nsId],
    );
    await removeDevice();
    await databases.region.pool.query('UPDATE region.live_streams SET is_online = false WHERE ns_id = $1', [
      address.nsId,
    ]);
  }
  await again.remake();
  await again.feeds.make(again.address.nsId, ['camera']);
  expect(await again.store.forgetEnded(60)).toBe(1);
  expect([await again.streams(), await over.streams()]).toMatchObject([[{ stream_id: 'camera' }], []]);
  expect(await again.removeNamespace()).toBe(false);
});
