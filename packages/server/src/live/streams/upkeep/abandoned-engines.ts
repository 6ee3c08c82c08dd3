/**
 * Engines without an owner, because no process has them in its settings any more: nobody reports that their publishers are
 * gone, and nobody stores their recordings. Judged by the engine's lease, which every process with the engine asks for and its
 * owner renews. Not to be mistaken for such an engine:
 *
 * - One in this process's own settings: its owner, or this process as the next owner, takes care of it.
 * - One whose owner is being replaced: the next owner takes the lease within the lease time, which is far shorter than a minute.
 * - All of them, after an outage of the database or the whole deployment. No lease was renewed then, not even the clock's: its
 *   owner took it anew, and from then on every owner has a minute to take its own lease again.
 * - A new one: its first publisher may come before its first owner. So whatever is younger than a minute stays.
 *
 * A machine that is the only one with its engine may be away for longer. If its engine kept running, the engine's list brings
 * back its publishers; its recordings, whose files are on that machine, wait for a day.
 */
import { DAY_MS } from '@millpond/protocol';
import type { Lease } from '../../../platform/leases/leases.ts';
import type { Recordings } from '../recordings/recordings.ts';
import type { SessionStore } from '../sessions/stream-sessions.store.ts';
import type { Sessions } from '../sessions/stream-sessions.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';

export interface AbandonedEngineDeps {
  readonly store: SessionStore;
  readonly sessions: Sessions;
  readonly recordings: Recordings;
  readonly snapshots: Snapshots;
  readonly engines: readonly { readonly id: string }[];
}

const ABANDONED_MS = 60_000;
const ABANDONED_RECORDING_MS = DAY_MS;

/** `lease`: the clock's. */
export async function endAbandonedEngines(deps: AbandonedEngineDeps, lease: Lease): Promise<void> {
  const { store, sessions, recordings, snapshots } = deps;
  const now = await store.now();
  if (now.getTime() - lease.takenAt.getTime() < ABANDONED_MS) return;
  const configured = deps.engines.map(({ id }) => id);
  for (const session of await store.ofAbandonedEngines(configured, ABANDONED_MS)) {
    if (lease.signal.aborted) return;
    await sessions.end(session);
  }
  await snapshots.failAbandoned(configured, ABANDONED_MS, lease);
  await recordings.failAbandoned(configured, ABANDONED_RECORDING_MS, lease);
}
