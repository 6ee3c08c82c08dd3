/**
 * Whoever publishes a stream keeps it: a second one who comes to the same engine is refused. The engine itself would notice
 * only after it has begun to record the second, and to pass the first one on twice. But one who has left may still be known here,
 * because word of it is on its way or was lost; so before somebody is refused, the engine is asked.
 */
import { engineName, type StreamAddress } from '../engine-name.ts';
import type { SessionKey } from '../engines/fact.ts';
import type { Engine } from '../engines/index.ts';
import type { SessionRow } from '../rows.ts';
import type { SessionStore } from './session-store.ts';
import { vanished } from './vanished.ts';

export interface AskedEngine {
  readonly id: Engine['id'];
  readonly client: Pick<Engine['client'], 'state'>;
}

/** Longer in all than a publisher may be on its way in, and shorter than an engine waits for its hook. */
export const EARLIER_PUBLISHER_PAUSES_MS = [25, 50, 100, 200, 400, 800, 800, 800] as const;

/** `there`: somebody publishes it. Else sessions that are over; none: one is on its way in or out, and it will soon be known. */
export async function earlierPublishers(
  { boot, client }: SessionKey,
  stream: StreamAddress,
  engine: AskedEngine,
  store: SessionStore,
): Promise<'there' | readonly SessionRow[]> {
  const asked = await store.now();
  const state = await engine.client.state();
  const name = engineName(stream);
  const isThere = state.publishers.some((each) => each.name === name && each.client !== client);
  if (isThere && state.boot === boot) return 'there';
  const open = await store.openOf(stream);
  return vanished(
    open.filter((session) => session.engine === engine.id && session.client !== client),
    state,
    asked,
  );
}
