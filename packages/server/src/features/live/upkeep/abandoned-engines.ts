/**
 * Engines that nobody looks after any more, because no process has them in its settings: nobody tells that their
 * publishers are gone, and nobody stores what they recorded. Judged by the engine's lease, which every process with the engine
 * asks for and whose owner renews it. What must not be taken for such an engine:
 *
 * - One that this process has itself: its owner, or this process as the next one, sees to it.
 * - One whose owner is being replaced: the next one takes the lease within its time, which is far shorter than a minute.
 * - All of them, after the database or the whole deployment was away. No lease was renewed then, the clock's neither: its owner
 *   took it anew, and from then on everybody has a minute to take theirs, too.
 * - One that is new: its first publisher may come before its first owner. So whatever is younger than a minute stays.
 *
 * A machine that is the only one with its engine may be away for longer. If its engine went on meanwhile, the engine's list
 * brings back its publishers; its recordings, of which the files lie there, wait for a day.
 */

import { DAY_MS } from '@millpond/protocol';
import type { Lease } from '../../../platform/leases/leases.ts';
import type { Recordings } from '../recordings/recordings.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { Sessions } from '../sessions/sessions.ts';
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

/** `lease`: that of the clock. */
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
