/** What the owner of an engine says about it. */
import type { Log } from '@millpond/base';
import { openLog } from '@millpond/base';
import { expect, test, vi } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { LeaseStore } from '../../../platform/leases/leases.store.ts';
import { Sealer } from '../../../platform/secrets/sealer.ts';
import { type Engine, OUTDATED_ENGINE } from '../engines/index.ts';
import { SessionStore } from '../sessions/stream-sessions.store.ts';
import { Sessions } from '../sessions/stream-sessions.ts';
import { IngestStore } from '../streams/ingest.store.ts';
import { allEnabled, ENGINE, useLive } from '../streams.testing.ts';
import { LiveOwner } from './engine-owner.ts';

const databases = useDatabases();
const live = useLive(databases);

test.each([
  ['once that its configuration is an old one', true, 1],
  ['nothing about one that is not', false, 0],
])(
  'an engine that answers: %s',
  async (_what, isOutdated, times) => {
    const warn = vi.fn();
    const log: Log = Object.assign(Object.create(openLog('silent')), { warn });
    const state = vi.fn(async () => ({ boot: '1', publishers: [], ingests: [] }));
    const client = { state, isOutdated: async () => isOutdated } as Partial<
      Engine['client']
    > as Engine['client'];
    const store = new SessionStore(databases.region);
    const sealer = new Sealer([{ id: 'k1', key: Buffer.alloc(32, 7) }]);
    const sessions = new Sessions({ store, events: live.events, sealer, accounts: allEnabled });
    const [recordings, snapshots, leases] = [
      live.recordings(),
      live.snapshots(),
      new LeaseStore(databases.region),
    ];
    const engines = [{ id: ENGINE, client } as Partial<Engine> as Engine];
    const ingests = new IngestStore(databases.region);
    const owner = new LiveOwner(
      { store, sessions, recordings, snapshots, events: live.events, leases, engines, ingests, log },
      { leaseMs: 2000, reconcileMs: 20, recordSlots: 0, snapSlots: 0 },
    );
    owner.start();
    await vi.waitUntil(() => state.mock.calls.length > 2, { timeout: 300_000 });
    await owner.stop();
    expect(warn.mock.calls.filter(([, said]) => said === OUTDATED_ENGINE)).toEqual(
      Array.from({ length: times }, () => [{ engine: ENGINE }, OUTDATED_ENGINE]),
    );
  },
  120_000,
);
