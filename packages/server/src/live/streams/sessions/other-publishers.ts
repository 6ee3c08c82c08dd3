/**
 * The first publisher of a stream keeps it: a second one at the same engine is refused. The engine itself would notice
 * only after it has begun to record the second, and to relay the first one twice. But a publisher that has left may still
 * be known here, because its hook is on the way or was lost. So the engine is queried before anybody is refused.
 */
import { engineName, type StreamAddress } from '../engine-name.ts';
import type { SessionKey } from '../engines/engine-report.ts';
import type { Engine } from '../engines/index.ts';
import type { SessionRow } from '../streams.rows.ts';
import { missingSessions } from './missing-sessions.ts';
import type { SessionStore } from './stream-sessions.store.ts';

export interface EngineRef {
  readonly id: Engine['id'];
  readonly client: Pick<Engine['client'], 'state'>;
}

/** In total longer than a publisher takes to appear in the engine's list, and shorter than the engine waits for its hook. */
export const EARLIER_PUBLISHER_PAUSES_MS = [25, 50, 100, 200, 400, 800, 800, 800] as const;

/**
 * `there`: another client publishes it. Otherwise the sessions that are over; none: one is just coming or going, so ask
 * again soon.
 */
export async function findOtherPublishers(
  { boot, client }: SessionKey,
  stream: StreamAddress,
  engine: EngineRef,
  store: SessionStore,
): Promise<'there' | readonly SessionRow[]> {
  const asked = await store.now();
  const state = await engine.client.state();
  const name = engineName(stream);
  const isThere = state.publishers.some((each) => each.name === name && each.client !== client);
  if (isThere && state.boot === boot) return 'there';
  const open = await store.openOfStream(stream);
  return missingSessions(
    open.filter((session) => session.engine === engine.id && session.client !== client),
    state,
    asked,
  );
}
