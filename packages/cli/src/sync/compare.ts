/** Whether source and target, which have the same size, have the same content. */
import type { ServerCopyRoutes } from '../transfer/routes.ts';
import type { Content } from './decide.ts';
import { hasTimeOf, isMultipartHash, isNoNewer, isSameContent } from './same-content.ts';
import { type Ends, placeAt } from './sides.ts';

export interface CompareDeps {
  readonly serverCopyRoutes: ServerCopyRoutes;
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
    if (await isSameContent({ file, object, partSize, signal })) return true;
    return isMultipartHash(object.hash) && isNoNewer(file, object);
  }
  if (source.kind === 'object' && target.kind === 'file') {
    const [{ object }, { file }] = [source, target];
    if ((byTime || isMultipartHash(object.hash)) && hasTimeOf(file, object)) return true;
    return isSameContent({ file, object, partSize, signal });
  }
  if (source.kind === 'file' || target.kind === 'file') return false;
  const [{ hash, putTime }, copy] = [source.object, target.object];
  if (hash === copy.hash) return true;
  if (!isMultipartHash(hash) && !isMultipartHash(copy.hash)) return false;
  // A copy by the server would have the same hash, and redoing it costs nothing; bytes that pass through here get another hash.
  const { source: from, target: to } = ends;
  if (from.kind === 'local' || to.kind === 'local') return false;
  const server = await deps.serverCopyRoutes.serverFor(
    placeAt(from, source.name),
    placeAt(to, target.name),
    source.object,
  );
  return server === undefined && copy.putTime > putTime;
}
