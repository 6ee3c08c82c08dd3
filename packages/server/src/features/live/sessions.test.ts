/** Who publishes, by what engines say. */
import { afterEach, expect, test, vi } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { Sealer } from '../../platform/secrets/sealer.ts';
import { engineName } from './engine-name.ts';
import { SessionStore } from './session-store.ts';
import { Sessions } from './sessions.ts';
import { allEnabled, ENGINE, useLive } from './testing.ts';

const databases = useDatabases();
const live = useLive(databases);
const HOUR_MS = 3_600_000;

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ['fast', HOUR_MS],
  ['slow', -HOUR_MS],
])(
  'who came before an engine began is gone, and who has just come is not, where our clock is %s',
  async (_, off) => {
    const stream = await live.stream();
    const store = new SessionStore(databases.region);
    const sealer = new Sealer([{ id: 'k1', key: Buffer.alloc(32, 7) }]);
    const sessions = new Sessions({ store, events: live.events, sealer, accounts: allEnabled });
    const name = engineName(stream);
    for (const client of ['before', 'now'])
      await sessions.takeUp(ENGINE, { kind: 'alive', boot: '1', client, name, address: '' });
    // However long the test takes: a minute on both sides of now.
    await databases.region.pool.query(
      `UPDATE region.live_sessions SET began_at = now() + CASE client WHEN 'now' THEN 1 ELSE -1 END * interval '1 minute'`,
    );
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + off });
    await sessions.endEarlier(ENGINE, '1');
    const open = await store.openAt(ENGINE);
    expect(open.filter((session) => session.ns_id === stream.nsId).map(({ client }) => client)).toEqual([
      'now',
    ]);
  },
);
