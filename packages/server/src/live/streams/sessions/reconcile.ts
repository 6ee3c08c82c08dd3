/**
 * Reconciles sessions with what an engine reports: hooks are lost while nobody listens, and an engine that dies sends
 * none. An unknown publisher gets a session, a missing one is gone, and one of a disabled account is dropped.
 */
import type { Engine } from '../engines/index.ts';
import type { EngineState } from '../engines/nginx-stat.ts';
import { missingSessions } from './missing-sessions.ts';
import type { SessionStore } from './stream-sessions.store.ts';
import type { Sessions } from './stream-sessions.ts';

export interface ReconcileDeps {
  readonly store: SessionStore;
  readonly sessions: Sessions;
}

export async function reconcile(
  { store, sessions }: ReconcileDeps,
  engine: Engine,
  signal: AbortSignal,
): Promise<EngineState> {
  // By the database's clock, before the engine is queried: any later change is newer than its answer.
  const asked = await store.now();
  const state = await engine.client.state();
  const open = await store.openOfEngine(engine.id);
  for (const session of missingSessions(open, state, asked)) {
    signal.throwIfAborted();
    await sessions.end(session);
  }
  const known = new Map(
    open.filter(({ boot }) => boot === state.boot).map((session) => [session.client, session]),
  );
  const disabled = await sessions.disabledAmong(open);
  for (const { client, name, address } of state.publishers) {
    signal.throwIfAborted();
    const before = known.get(client);
    if (before !== undefined) {
      if (disabled.has(before)) await engine.client.drop(name);
      continue;
    }
    const session = await store.find(engine.id, state.boot, client);
    // Ended after the engine was queried.
    if (session?.ended_at != null && session.ended_at >= asked) continue;
    const mayGoOn = await sessions.adoptSession(engine.id, {
      kind: 'alive',
      boot: state.boot,
      client,
      name,
      address,
    });
    if (!mayGoOn) await engine.client.drop(name);
  }
  await sessions.settleAbandoned();
  return state;
}
