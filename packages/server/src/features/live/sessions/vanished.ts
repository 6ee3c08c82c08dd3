/** Which sessions an engine no longer has. */
import type { EngineState } from '../engines/nginx-stat.ts';
import type { SessionRow } from '../rows.ts';

/** Between the answer to its hook and its place among the engine's publishers. */
const ENTERING_MS = 3_000;

/** Sessions of which the engine knows nothing, or which it had in an earlier life. */
export function vanished(
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
