/** Tells of streams that nobody publishes any more, once their namespace's delay is over. */

import type { Lease } from '../../../platform/leases/leases.ts';
import type { LiveEvents } from '../events.ts';
import type { SessionStore } from './session-store.ts';

export interface OfflineDeps {
  readonly store: SessionStore;
  readonly events: LiveEvents;
}

const MOST_AT_ONCE = 100;

/**
 * The delay is counted from when this owner began at the earliest: what happened while nobody listened may have been
 * mended already. The event has the time at which the last publisher went, not the time at which it is sent. Returns how many there were.
 */
export async function tellOffline({ store, events }: OfflineDeps, lease: Lease): Promise<number> {
  return store.transaction(async (transaction) => {
    const gone = await store.due(transaction, lease.takenAt, MOST_AT_ONCE);
    if (gone.length === 0) return 0;
    await lease.hold(transaction);
    await store.tellGone(transaction, gone);
    for (const { ns_id, stream_id, gone_at } of gone) {
      await events.tell(transaction, ns_id, gone_at, { type: 'stream', streamId: stream_id, streamState: 0 });
    }
    return gone.length;
  });
}
