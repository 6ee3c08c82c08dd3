/** Files on this machine: a folder walked as it is read, and safe paths for keys that become files. */
import type { BigIntStats } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../exit.ts';

export interface LocalFile {
  readonly path: string;
  /** Relative to the folder that was named, with `/` between its parts. */
  readonly relative: string;
  readonly size: number;
  /** Changes when the content does. */
  readonly version: string;
  /** When it was changed, in the units of `putTime`: 100 ns since 1970. */
  readonly modified: bigint;
}

export interface FileInfo extends LocalFile {
  /** `file`, `folder`, or what can't be copied: a pipe, a socket, a device. */
  readonly kind: 'file' | 'folder' | 'pipe' | 'socket' | 'device';
  /** The same for every path to the same folder. */
  readonly identity: string;
}

/** Follows links. */
export async function statFile(file: string): Promise<FileInfo> {
  const facts = await stat(file, { bigint: true }).catch((error: unknown) => {
    throw clearer(file, error);
  });
  return {
    path: file,
    relative: path.basename(file),
    size: Number(facts.size),
    version: `${facts.size} ${facts.mtimeNs}`,
    modified: facts.mtimeNs / 100n,
    kind: kindOf(facts),
    identity: `${facts.dev}:${facts.ino}`,
  };
}

function kindOf(facts: BigIntStats): FileInfo['kind'] {
  if (facts.isFile()) return 'file';
  if (facts.isDirectory()) return 'folder';
  if (facts.isFIFO()) return 'pipe';
  return facts.isSocket() ? 'socket' : 'device';
}

/** Node reads names as UTF-8 and puts U+FFFD for invalid bytes; no file has the resulting name. */
function clearer(file: string, error: unknown): unknown {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  if (!isMissing || !file.includes('\ufffd')) return error;
  return new UsageError('this name is not UTF-8, which keys must be: rename the file');
}

/** Something found while walking a folder. */
export interface WalkedPath {
  /** A folder's path ends in `/`, so that a list can tell it from a file. */
  readonly path: string;
  readonly relative: string;
}

export interface Walk {
  readonly followLinks: boolean;
  readonly onFailure: (found: WalkedPath, error: unknown) => void;
  readonly onLeftOut: (found: WalkedPath, reason: string) => void;
}

/** Everything below a folder; what can't be read or is not a file is reported, not thrown. */
export async function* walk(
  folder: string,
  way: Walk,
  prefix = '',
  above: readonly string[] = [],
): AsyncGenerator<LocalFile> {
  try {
    const inside = way.followLinks ? [...above, (await statFile(folder)).identity] : above;
    for await (const entry of await opendir(folder)) {
      const found = { path: path.join(folder, entry.name), relative: `${prefix}${entry.name}` };
      if (entry.isDirectory()) yield* walk(found.path, way, `${found.relative}/`, inside);
      else yield* notFolder(found, way, inside);
    }
  } catch (error) {
    const named = { path: folder.endsWith('/') ? folder : `${folder}/`, relative: prefix };
    way.onFailure(named, clearer(folder, error));
  }
}

/** A file, a link to something, or something without content. */
async function* notFolder(
  found: WalkedPath,
  way: Walk,
  inside: readonly string[],
): AsyncGenerator<LocalFile> {
  let info: FileInfo;
  try {
    info = await statFile(found.path);
  } catch (error) {
    way.onFailure(found, error);
    return;
  }
  const { kind, identity } = info;
  if (kind === 'file') yield { ...info, relative: found.relative };
  else if (kind !== 'folder') way.onLeftOut(found, `it is a ${kind}`);
  else if (!way.followLinks) way.onLeftOut(found, 'it is a link to a folder: --follow-links includes it');
  else if (inside.includes(identity)) way.onLeftOut(found, 'it is a link to a folder that contains it');
  else yield* walk(found.path, way, `${found.relative}/`, inside);
}

/** Keys come from anybody: one that would lead out of the folder, or to no file at all, is refused. */
export function pathInFolder(folder: string, key: string): string {
  const parts = key.split('/');
  const isUnsafe = parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0'));
  if (isUnsafe || (path.sep !== '/' && key.includes(path.sep)))
    throw new UsageError('this key is not a safe file name');
  return path.join(folder, ...parts);
}
