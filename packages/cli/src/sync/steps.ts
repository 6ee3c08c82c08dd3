/** A copy from source to target, as `cp` performs it; or why there can't be one. */
import type { ListedObject } from '@millpond/client/server';
import { UsageError } from '../exit.ts';
import { pathInFolder } from '../transfer/local-files.ts';
import type { TransferStep } from '../transfer/plan.ts';
import { type Content, isMarker } from './decide.ts';
import { type Ends, placeAt } from './sides.ts';

/** Left out rather than refused: nothing is lost. */
export class UnsupportedFileError extends Error {}

const ARCHIVE = 2;
const RESTORED = 2;

export function stepOf({ source: from, target: to }: Ends, source: Content, isNew: boolean): TransferStep {
  if (source.kind === 'file') {
    if (to.kind === 'local') throw new UsageError('source or target must be in a bucket');
    return { kind: 'up', file: source.file, to: placeAt(to, source.name) };
  }
  if (from.kind === 'local') throw new UsageError('a folder has no objects');
  const { object } = source;
  const place = placeAt(from, source.name);
  if (to.kind === 'local' && isMarker(source)) throw new UnsupportedFileError('it is only a folder marker');
  if (isFrozen(object))
    throw new UsageError('it is archived: `millpond restore` makes it readable, then it can be copied');
  if (to.kind === 'remote') return { kind: 'between', from: place, to: placeAt(to, source.name), object };
  const file = pathInFolder(to.path, source.name);
  return { kind: 'down', from: place, file, object, isMirror: true, isNew };
}

function isFrozen({ type, restoreStatus }: ListedObject): boolean {
  return type >= ARCHIVE && restoreStatus !== RESTORED;
}
