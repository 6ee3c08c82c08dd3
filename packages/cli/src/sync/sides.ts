/** The two ends of a sync: how each is listed, and what its entries are called. */
import { NotFoundError, UsageError } from '../exit.ts';
import type { Installations } from '../remote/installation.ts';
import { folderPrefix, formatRemote, parseLocation, type RemoteLocation } from '../remote/location.ts';
import { escapeForTerminal } from '../remote/text.ts';
import { statFile } from '../transfer/local-files.ts';
import { under } from '../transfer/plan.ts';
import type { Entry } from './entry.ts';
import { localEntries } from './local-list.ts';
import { remoteEntries } from './remote-list.ts';
import type { FilterRules } from './rules.ts';

export type SyncSide = RemoteLocation | { readonly kind: 'local'; readonly path: string };

export interface Ends {
  readonly source: SyncSide;
  readonly target: SyncSide;
}

export interface ListDeps {
  readonly installations: Installations;
  readonly rules: FilterRules;
  readonly followLinks: boolean;
  readonly signal: AbortSignal;
  /** For what can't be listed: its path, and its name below its end. */
  readonly onFailure: (file: string, name: string, error: unknown) => void;
}

export async function parseSyncSides(
  source: string,
  target: string,
  installations: Installations,
): Promise<Ends> {
  const ends = { source: parseSyncSide(source), target: parseSyncSide(target) };
  if (ends.source.kind === 'local' && ends.target.kind === 'local')
    throw new UsageError('source or target must be in a bucket: write [alias]:bucket[/folder]');
  if (ends.source.kind === 'remote' && ends.target.kind === 'remote') {
    const { source: from, target: to } = ends as { source: RemoteLocation; target: RemoteLocation };
    const isOneBucket = from.bucket === to.bucket && installations.isOneAddress(from.alias, to.alias);
    const [one, other] = [folderPrefix(from.key), folderPrefix(to.key)];
    if (isOneBucket && (one.startsWith(other) || other.startsWith(one)))
      throw new UsageError('source and target must not contain each other');
  }
  if (ends.source.kind === 'local' && (await statFile(ends.source.path)).kind !== 'folder')
    throw new UsageError(`${source} is not a folder: \`millpond cp\` copies a file`);
  return ends;
}

function parseSyncSide(text: string): SyncSide {
  const location = parseLocation(text);
  if (location.kind === 'pipe') throw new UsageError('sync takes folders and buckets, not a pipe');
  if (location.kind === 'remote' && location.bucket === '') throw new UsageError(`${text} names no bucket`);
  return location;
}

export function sourceEntries({ source }: Ends, deps: ListDeps): AsyncIterable<Entry> {
  if (source.kind === 'remote') return remoteEntries(deps.installations.client(source.alias), source, deps);
  return localEntries(source.path, { ...deps, needsContent: true });
}

/** A folder that does not exist yet is empty. */
export async function* targetEntries({ target }: Ends, deps: ListDeps): AsyncGenerator<Entry> {
  if (target.kind === 'remote') {
    yield* remoteEntries(deps.installations.client(target.alias), target, deps);
    return;
  }
  const there = await statFile(target.path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (there === undefined) return;
  if (there.kind !== 'folder') throw new UsageError(`${target.path} is not a folder`);
  yield* localEntries(target.path, { ...deps, needsContent: false });
}

/** The name of an entry at its end, as lists and messages show it. */
export function nameAt(side: SyncSide, name: string): string {
  if (side.kind === 'remote') return formatRemote(placeAt(side, name));
  return under(side.path, name);
}

export function placeAt(end: RemoteLocation, name: string): RemoteLocation {
  return { ...end, key: folderPrefix(end.key) + name };
}

export function nothingIn(side: SyncSide): NotFoundError {
  const text = side.kind === 'local' ? side.path : formatRemote({ ...side, key: folderPrefix(side.key) });
  return new NotFoundError(`there is nothing below ${escapeForTerminal(text)}`);
}
