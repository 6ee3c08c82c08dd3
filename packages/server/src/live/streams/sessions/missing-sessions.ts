/** Which sessions an engine no longer has. */
import type { EngineState } from '../engines/nginx-stat.ts';
import type { SessionRow } from '../streams.rows.ts';

/** The most time between the answer to a publisher's hook and its appearance in the engine's list. */
const ENTERING_MS = 3_000;

/** Sessions that the engine does not list, or that belong to an earlier process of it. */
export function missingSessions(
  open: readonly SessionRow[],
  state: EngineState,
  asked: Date,
): readonly SessionRow[] {
  const publishing = new Set(state.publishers.map(({ client }) => client));
  const entered = asked.getTime() - ENTERING_MS;
  return open.filter(
    (session) =>
      session.began_at.getTime() < entered &&
      (session.boot !== state.boot || !publishing.has(session.client)),
  );
}
