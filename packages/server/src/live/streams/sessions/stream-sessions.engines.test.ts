/** Who publishes, by what engines say. */
import { describe, expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { Sealer } from '../../../platform/secrets/sealer.ts';
import { engineName } from '../engine-name.ts';
import { newSealedKey, openStreamKey } from '../streams/streams.ts';
import { allEnabled, ENGINE, useLive } from '../streams.testing.ts';
import { SessionStore } from './stream-sessions.store.ts';
import { Sessions } from './stream-sessions.ts';

const databases = useDatabases();
const live = useLive(databases);

function setUp() {
  const store = new SessionStore(databases.region);
  const sealer = new Sealer([{ id: 'k1', key: Buffer.alloc(32, 7) }]);
  return {
    store,
    sealer,
    sessions: new Sessions({ store, events: live.events, sealer, accounts: allEnabled }),
  };
}

/** A stream with its key, and an engine that has the publishers that it is given. */
async function published() {
  const { store, sealer, sessions } = setUp();
  const stream = await live.stream();
  const sealed = newSealedKey(sealer, stream);
  await databases.region.pool.query(
    'UPDATE region.live_streams SET sealed_key = $2, master_key = $3 WHERE ns_id = $1',
    [stream.nsId, sealed.sealed_key, sealed.master_key],
  );
  const own = openStreamKey(sealer, { ...sealed, ns_id: stream.nsId, stream_id: stream.streamId });
  const name = engineName(stream);
  const publishers: string[] = [];
  const state = async () => ({
    boot: '1',
    publishers: publishers.map((client) => ({ client, name, address: '' })),
    ingests: [],
  });
  const letsIn = (client: string, { key = own, boot = '1', engine = ENGINE } = {}) =>
    sessions.publish(
      { id: engine, client: { state } },
      { kind: 'publish', boot, client, name, address: '', proof: { key, end: '', token: '' } },
    );
  const open = async () => (await store.openOfStream(stream)).map(({ client }) => client).sort();
  return { stream, sessions, publishers, letsIn, open };
}

describe('a second publisher of a stream', () => {
  test('is refused while the first is at the same engine, and changes nothing', async () => {
    const { publishers, letsIn, open } = await published();
    expect(await letsIn('first', { key: 'wrong' })).toBe(false);
    expect(await letsIn('first')).toBe(true);
    publishers.push('first');
    expect(await letsIn('second')).toBe(false);
    expect(await open()).toEqual(['first']);
  });

  test('is refused where both come at once', async () => {
    const { publishers, letsIn, open } = await published();
    // Whoever was let in is in.
    const come = async (client: string) => {
      const isIn = await letsIn(client);
      if (isIn) publishers.push(client);
      return isIn;
    };
    const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map(come));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(await open()).toEqual(publishers);
  });

  test('is let in at once where the first has left and nobody has told it', async () => {
    const { stream, letsIn, open } = await published();
    expect(await letsIn('first')).toBe(true);
    await databases.region.pool.query(
      `UPDATE region.live_sessions SET began_at = began_at - interval '1 hour' WHERE ns_id = $1`,
      [stream.nsId],
    );
    expect(await letsIn('second')).toBe(true);
    expect(await open()).toEqual(['second']);
  });

  test('waits for word of the first where that one has just left', async () => {
    const { sessions, letsIn, open } = await published();
    expect(await letsIn('first')).toBe(true);
    const second = letsIn('second');
    await sessions.gone(ENGINE, { boot: '1', client: 'first' });
    expect(await second).toBe(true);
    expect(await open()).toEqual(['second']);
  });

  test('is let in at another engine, and after the engine began anew', async () => {
    const { publishers, letsIn } = await published();
    expect(await letsIn('first')).toBe(true);
    publishers.push('first');
    expect(await letsIn('second', { engine: 'other' })).toBe(true);
    expect(await letsIn('second', { boot: '2' })).toBe(true);
  });
});
