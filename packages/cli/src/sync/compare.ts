/** Whether source and target, which have the same size, have the same content. */
import type { Routes } from '../transfer/routes.ts';
import type { Content } from './decide.ts';
import { type Ends, placeAt } from './ends.ts';
import { hasContentOf, hasTimeOf, isCut, isNoNewer } from './same-content.ts';

export interface CompareDeps {
  readonly routes: Routes;
  readonly signal: AbortSignal;
  /** Whether times suffice, so that contents need not be read. */
  readonly byTime: boolean;
  readonly partSize: number | undefined;
}

export async function isSame(
  ends: Ends,
  source: Content,
  target: Content,
  deps: CompareDeps,
): Promise<boolean> {
  const { byTime, partSize, signal } = deps;
  if (source.kind === 'file' && target.kind === 'object') {
    const [{ file }, { object }] = [source, target];
    if (byTime && isNoNewer(file, object)) return true;
    if (await hasContentOf({ file, object, partSize, signal })) return true;
    return isCut(object.hash) && isNoNewer(file, object);
  }
  if (source.kind === 'object' && target.kind === 'file') {
    const [{ object }, { file }] = [source, target];
    if ((byTime || isCut(object.hash)) && hasTimeOf(file, object)) return true;
    return hasContentOf({ file, object, partSize, signal });
  }
  if (source.kind === 'file' || target.kind === 'file') return false;
  const [{ hash, putTime }, copy] = [source.object, target.object];
  if (hash === copy.hash) return true;
  if (!isCut(hash) && !isCut(copy.hash)) return false;
  // A copy by the server would have the same hash, and redoing it costs nothing; bytes that pass through here get another hash.
  const { source: from, target: to } = ends;
  if (from.kind === 'local' || to.kind === 'local') return false;
  const server = await deps.routes.serverFor(
    placeAt(from, source.name),
    placeAt(to, target.name),
    source.object,
  );
  return server === undefined && copy.putTime > putTime;
}
