/** What a copy is made of: pairs of source and target, found as they are needed. */
import path from 'node:path';
import type { ListedObject } from '@millpond/client/server';
import { NotFoundError, UsageError } from '../exit.ts';
import type { Installations } from '../remote/installation.ts';
import {
  folderPrefix,
  formatRemote,
  type Location,
  parseLocation,
  type RemoteLocation,
} from '../remote/location.ts';
import { escapeForTerminal } from '../remote/text.ts';
import { prefixNotFound } from '../report.ts';
import { type LocalFile, pathInFolder, statFile, type Walk, type WalkedPath, walk } from './local-files.ts';
import { NestingCheck } from './nested.ts';

export type TransferStep =
  | { readonly kind: 'up'; readonly file: LocalFile; readonly to: RemoteLocation }
  | {
      readonly kind: 'down';
      readonly from: RemoteLocation;
      readonly file: string;
      readonly object?: ListedObject | undefined;
      /** Whether the file gets the time of its object, and must not exist yet; default: neither. */
      readonly isMirror?: boolean | undefined;
      readonly isNew?: boolean | undefined;
    }
  | {
      readonly kind: 'between';
      readonly from: RemoteLocation;
      readonly to: RemoteLocation;
      readonly object?: ListedObject | undefined;
    }
  | { readonly kind: 'in'; readonly to: RemoteLocation }
  | { readonly kind: 'out'; readonly from: RemoteLocation };

export interface PlanParts {
  readonly installations: Installations;
  readonly recursive: boolean;
  readonly signal: AbortSignal;
  /** Links to folders count as folders. */
  readonly followLinks: boolean;
  /** Reports what `--from` needs to retry just that; without a target there is no retry. */
  readonly onFailure: (source: string, target: string | undefined, error: unknown) => void;
  readonly onLeftOut: (source: string, target: string, reason: string) => void;
}

export async function* planOf(
  parts: PlanParts,
  sources: readonly string[],
  target: string,
): AsyncGenerator<TransferStep> {
  const to = parseLocation(target);
  for (const source of sources) {
    try {
      yield* stepsOf(parts, source, to, { target, isSeveral: sources.length > 1 });
    } catch (error) {
      // One unreadable source doesn't hold up the others; a fault in the command itself does.
      if (error instanceof UsageError || sources.length === 1) throw error;
      // Each of several keeps its own name below the target; a single one does so if the target ends in a slash.
      parts.onFailure(source, target.endsWith('/') ? target : `${target}/`, error);
    }
  }
}

interface Aim {
  readonly target: string;
  readonly isSeveral: boolean;
}

async function* stepsOf(
  parts: PlanParts,
  source: string,
  to: Location,
  aim: Aim,
): AsyncGenerator<TransferStep> {
  const from = parseLocation(source);
  if (from.kind === 'remote' && from.bucket === '') throw new UsageError(`${source} names no bucket`);
  if (to.kind === 'remote') {
    if (to.bucket === '') throw new UsageError(`${aim.target} names no bucket`);
    if (from.kind === 'pipe') yield { kind: 'in', to: named(to, aim) };
    else if (from.kind === 'local') yield* up(parts, from.path, to, aim);
    else yield* between(parts, from, to, aim);
    return;
  }
  if (from.kind !== 'remote')
    throw new UsageError('source or target must be in a bucket: write [alias]:bucket/key');
  if (to.kind === 'pipe') {
    if (from.key === '' || parts.recursive) throw new UsageError('standard output takes only one object');
    yield { kind: 'out', from };
  } else yield* down(parts, from, to.path, aim);
}

async function* up(
  parts: PlanParts,
  source: string,
  to: RemoteLocation,
  aim: Aim,
): AsyncGenerator<TransferStep> {
  const file = await statFile(source);
  if (file.kind !== 'folder') {
    yield { kind: 'up', file, to: into(to, file.relative, aim) };
    return;
  }
  if (!parts.recursive) throw new UsageError(`${source} is a folder: give --recursive`);
  const own = ({ relative }: WalkedPath) => ({ ...to, key: under(to.key, relative) });
  const way: Walk = {
    followLinks: parts.followLinks,
    onFailure: (found, error) => parts.onFailure(found.path, formatRemote(own(found)), error),
    onLeftOut: (found, reason) => parts.onLeftOut(found.path, formatRemote(own(found)), reason),
  };
  for await (const file of walk(source, way)) yield { kind: 'up', file, to: own(file) };
}

async function* down(
  parts: PlanParts,
  from: RemoteLocation,
  target: string,
  aim: Aim,
): AsyncGenerator<TransferStep> {
  if (!parts.recursive) {
    if (from.key === '' || from.key.endsWith('/'))
      throw new UsageError(
        `${formatRemote(from)} is not an object: give --recursive for everything below it`,
      );
    const isFolder = aim.isSeveral || target.endsWith('/') || (await isFolderThere(target));
    yield { kind: 'down', from, file: isFolder ? pathInFolder(target, lastPart(from.key)) : target };
    return;
  }
  for await (const { key, object } of objectsUnder(parts, from)) {
    const source = { ...from, key };
    try {
      yield { kind: 'down', from: source, file: pathInFolder(target, relativeTo(from.key, key)), object };
    } catch (error) {
      parts.onFailure(formatRemote(source), undefined, error);
    }
  }
}

async function* between(
  parts: PlanParts,
  from: RemoteLocation,
  to: RemoteLocation,
  aim: Aim,
): AsyncGenerator<TransferStep> {
  if (!parts.recursive) {
    if (from.key === '') throw new UsageError(`${formatRemote(from)} is not an object: give --recursive`);
    yield { kind: 'between', from, to: into(to, lastPart(from.key), aim) };
    return;
  }
  const check = new NestingCheck(parts, from, to);
  for await (const { key, object } of objectsUnder(parts, from)) {
    await check.look(key, object);
    yield {
      kind: 'between',
      from: { ...from, key },
      to: { ...to, key: under(to.key, relativeTo(from.key, key)) },
      object,
    };
  }
}

/** Every object below a prefix; a prefix names a folder, so `a` does not include `ab`. */
export async function* objectsUnder(
  { installations, signal }: Pick<PlanParts, 'installations' | 'signal'>,
  { alias, bucket, key }: RemoteLocation,
): AsyncGenerator<{ key: string; object: ListedObject }> {
  const prefix = folderPrefix(key);
  let isEmpty = true;
  try {
    for await (const { item } of installations.client(alias).objects.list(bucket, { prefix, signal })) {
      isEmpty = false;
      if (item !== undefined) yield { key: item.key, object: item };
    }
  } catch (error) {
    throw prefixNotFound(formatRemote({ alias, bucket, key: '' }), error);
  }
  // A typing error must not look like success; a bucket may be empty.
  if (isEmpty && prefix !== '')
    throw new NotFoundError(
      `there is nothing below ${escapeForTerminal(formatRemote({ alias, bucket, key: prefix }))}`,
    );
}

/** A target that ends in `/`, or several sources: the source keeps its own name. */
function into(to: RemoteLocation, name: string, { isSeveral }: Aim): RemoteLocation {
  return to.key === '' || to.key.endsWith('/') || isSeveral ? { ...to, key: under(to.key, name) } : to;
}

function named(to: RemoteLocation, { target }: Aim): RemoteLocation {
  if (to.key === '' || to.key.endsWith('/'))
    throw new UsageError(`standard input has no name: add one to ${target}`);
  return to;
}

export function under(prefix: string, relative: string): string {
  return folderPrefix(prefix) + relative;
}

export function relativeTo(prefix: string, key: string): string {
  return key.slice(folderPrefix(prefix).length);
}

function lastPart(key: string): string {
  return path.posix.basename(key);
}

async function isFolderThere(target: string): Promise<boolean> {
  return statFile(target).then(
    ({ kind }) => kind === 'folder',
    () => false,
  );
}
