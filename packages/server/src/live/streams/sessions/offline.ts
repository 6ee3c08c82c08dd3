/** Reports streams that are no longer published, once their namespace's delay is over. */
import type { Lease } from '../../../platform/leases/leases.ts';
import type { LiveEvents } from '../events.ts';
import type { SessionStore } from './stream-sessions.store.ts';

export interface OfflineDeps {
  readonly store: SessionStore;
  readonly events: LiveEvents;
}

const OFFLINE_BATCH = 100;

/**
 * The delay starts no earlier than this owner did: what happened while nobody listened may have recovered already. The
 * event carries the time at which the last publisher left, not the time at which it is sent. Returns the number of
 * streams.
 */
export async function emitOfflineEvents({ store, events }: OfflineDeps, lease: Lease): Promise<number> {
  return store.transaction(async (transaction) => {
    const gone = await store.due(transaction, lease.takenAt, OFFLINE_BATCH);
    if (gone.length === 0) return 0;
    await lease.hold(transaction);
    await store.markOffline(transaction, gone);
    for (const { ns_id, stream_id, gone_at } of gone) {
      await events.enqueue(transaction, ns_id, gone_at, {
        type: 'stream',
        streamId: stream_id,
        streamState: 0,
      });
    }
    return gone.length;
  });
}
