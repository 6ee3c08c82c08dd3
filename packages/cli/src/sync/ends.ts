/** The two ends of a sync: how each is listed, and what its entries are called. */
import { NotFound, UsageFault } from '../exit.ts';
import type { Installations } from '../remote/installation.ts';
import { folderOf, formatRemote, parsePlace, type RemotePlace } from '../remote/place.ts';
import { shown } from '../remote/text.ts';
import { lookAt } from '../transfer/local-files.ts';
import { under } from '../transfer/plan.ts';
import type { Entry } from './entry.ts';
import { localEntries } from './local-list.ts';
import { remoteEntries } from './remote-list.ts';
import type { Rules } from './rules.ts';

export type End = RemotePlace | { readonly kind: 'local'; readonly path: string };

export interface Ends {
  readonly source: End;
  readonly target: End;
}

export interface ListDeps {
  readonly installations: Installations;
  readonly rules: Rules;
  readonly followLinks: boolean;
  readonly signal: AbortSignal;
  /** For what can't be listed: its path, and its name below its end. */
  readonly onFailure: (file: string, name: string, error: unknown) => void;
}

export async function endsOf(source: string, target: string, installations: Installations): Promise<Ends> {
  const ends = { source: parseEnd(source), target: parseEnd(target) };
  if (ends.source.kind === 'local' && ends.target.kind === 'local')
    throw new UsageFault('source or target must be in a bucket: write [alias]:bucket[/folder]');
  if (ends.source.kind === 'remote' && ends.target.kind === 'remote') {
    const { source: from, target: to } = ends as { source: RemotePlace; target: RemotePlace };
    const isOneBucket = from.bucket === to.bucket && installations.isOneAddress(from.alias, to.alias);
    const [one, other] = [folderOf(from.key), folderOf(to.key)];
    if (isOneBucket && (one.startsWith(other) || other.startsWith(one)))
      throw new UsageFault('source and target must not contain each other');
  }
  if (ends.source.kind === 'local' && (await lookAt(ends.source.path)).kind !== 'folder')
    throw new UsageFault(`${source} is not a folder: \`millpond cp\` copies a file`);
  return ends;
}

function parseEnd(text: string): End {
  const place = parsePlace(text);
  if (place.kind === 'pipe') throw new UsageFault('sync takes folders and buckets, not a pipe');
  if (place.kind === 'remote' && place.bucket === '') throw new UsageFault(`${text} names no bucket`);
  return place;
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
  const there = await lookAt(target.path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (there === undefined) return;
  if (there.kind !== 'folder') throw new UsageFault(`${target.path} is not a folder`);
  yield* localEntries(target.path, { ...deps, needsContent: false });
}

/** The name of an entry at its end, as lists and messages show it. */
export function nameAt(end: End, name: string): string {
  if (end.kind === 'remote') return formatRemote(placeAt(end, name));
  return under(end.path, name);
}

export function placeAt(end: RemotePlace, name: string): RemotePlace {
  return { ...end, key: folderOf(end.key) + name };
}

export function nothingIn(end: End): NotFound {
  const text = end.kind === 'local' ? end.path : formatRemote({ ...end, key: folderOf(end.key) });
  return new NotFound(`there is nothing below ${shown(text)}`);
}
