/** Who may publish in a namespace of devices: the server itself, while it means to, and nobody else. */
import { expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { Sealer } from '../../../platform/secrets/sealer.ts';
import { readNew } from '../../../platform/web/resources/index.ts';
import type { LiveEvents } from '../events.ts';
import { newLiveId } from '../ids.ts';
import { namespaceFields } from '../namespaces/namespace-fields.ts';
import { NamespaceStore } from '../namespaces/namespace-store.ts';
import { SessionStore } from '../sessions/session-store.ts';
import { Sessions } from '../sessions/sessions.ts';
import { allEnabled } from '../testing.ts';
import { FeedStore } from './feed-store.ts';
import { Feeds } from './feeds.ts';
import { StreamStore } from './stream-store.ts';
import { openStreamKey } from './streams.ts';

const databases = useDatabases();
const sealer = new Sealer([{ id: 'k1', key: Buffer.alloc(32, 7) }]);
let clients = 0;

async function made(accessType: 'rtmp' | 'gb28181') {
  const { region } = databases;
  const nsId = newLiveId();
  const values = readNew(namespaceFields, { name: nsId, accessType });
  await new NamespaceStore(region).insert(nsId, { uid: 1n, tenant: 1n }, values, 100);
  const feeds = new Feeds({ store: new FeedStore(region), sealer, rtmpUrl: 'rtmp://engine/live' });
  const events = { tell: async () => undefined } as Partial<LiveEvents> as LiveEvents;
  const sessions = new Sessions({ store: new SessionStore(region), events, sealer, accounts: allEnabled });
  const address = { nsId, streamId: 'camera' };
  const name = `${nsId}_camera`;
  return {
    ...{ feeds, address },
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
      sessions.alive('main', { kind: 'alive', boot: '1', client: String(clients), name, address: '' }),
    key: async () => {
      const row = await new StreamStore(region).find(address);
      return row === undefined ? '' : openStreamKey(sealer, row);
    },
  };
}

const proofOf = (url: string) => new URL(url).searchParams.get('key') ?? '';

test('only what was opened last is let in, and nothing once it is closed', async () => {
  const { feeds, address, letsIn, alive, key } = await made('gb28181');
  await feeds.make(address.nsId, ['camera']);
  const own = await key();
  expect(own).not.toBe('');
  expect(await letsIn(own)).toBe(false);
  const first = await feeds.open(address);
  expect(first.url.startsWith(`rtmp://engine/live/${address.nsId}_camera?key=`)).toBe(true);
  for (const shown of ['', own, `${proofOf(first.url)}x`]) expect(await letsIn(shown)).toBe(false);
  expect(await letsIn(proofOf(first.url))).toBe(true);
  expect(await alive()).toBe(true);
  const second = await feeds.open(address);
  expect(await letsIn(proofOf(first.url))).toBe(false);
  // Another process has opened it anew: who had it before does not close it.
  await first.close();
  expect(await letsIn(proofOf(second.url))).toBe(true);
  await second.close();
  expect(await letsIn(proofOf(second.url))).toBe(false);
  expect(await alive()).toBe(false);
  // The stream and its key are as they were.
  expect(await key()).toBe(own);
});

test('a stream is made by opening it, but not in a namespace of streams', async () => {
  const { feeds, address, key } = await made('gb28181');
  await feeds.open(address);
  expect(await key()).not.toBe('');
  const streams = await made('rtmp');
  await expect(streams.feeds.open(streams.address)).rejects.toThrow('not for devices');
  expect(await streams.key()).toBe('');
});
