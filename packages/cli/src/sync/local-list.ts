/** The files below a folder, in the order of keys. */
import path from 'node:path';
import { type FileInfo, statFile } from '../transfer/local-files.ts';
import type { Entry, ExcludedEntry } from './entry.ts';
import type { FilterRules } from './rules.ts';
import { sortedNames } from './sorted-names.ts';

export interface LocalList {
  readonly rules: FilterRules;
  readonly followLinks: boolean;
  /** Whether a dangling link is a failure, as it is where its content is needed. */
  readonly needsContent: boolean;
  /** For what can't be read. A folder's name ends in `/`. */
  readonly onFailure: (file: string, name: string, error: unknown) => void;
}

/** What an interrupted download leaves. */
const PARTIAL = /^\.millpond-[0-9a-f]{16}\.part$/;

export async function* localEntries(
  folder: string,
  list: LocalList,
  prefix = '',
  above: readonly string[] = [],
): AsyncGenerator<Entry> {
  try {
    const inside = list.followLinks ? [...above, (await statFile(folder)).identity] : above;
    for await (const { name, isLink } of sortedNames(folder)) {
      const found = { file: path.join(folder, name), name: `${prefix}${name}`, isLink };
      if (name.endsWith('/')) yield* below(found, list, inside);
      else if (!PARTIAL.test(name) && list.rules.takes(found.name)) yield* one(found, list);
    }
  } catch (error) {
    list.onFailure(folder.endsWith('/') ? folder : `${folder}/`, prefix, error);
  }
}

interface ListedFile {
  readonly file: string;
  readonly name: string;
  readonly isLink: boolean;
}

async function* below(
  { file, name, isLink }: ListedFile,
  list: LocalList,
  inside: readonly string[],
): AsyncGenerator<Entry> {
  if (list.rules.bars(name)) return;
  const leftOut = (reason: string): ExcludedEntry => ({ kind: 'leftOut', name, path: file, reason });
  if (isLink && !list.followLinks) yield leftOut('it is a link to a folder: --follow-links includes it');
  else if (isLink && inside.includes((await statFile(file)).identity))
    yield leftOut('it is a link to a folder that contains it');
  else yield* localEntries(file, list, name, inside);
}

/** A file, a link to one, or something without content. */
async function* one({ file, name, isLink }: ListedFile, list: LocalList): AsyncGenerator<Entry> {
  let info: FileInfo;
  try {
    info = await statFile(file);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    // Gone since the folder was read.
    if (isMissing && !isLink) return;
    if (isMissing && !list.needsContent)
      yield { kind: 'leftOut', name, path: file, reason: 'it is a broken link' };
    else list.onFailure(file, name, error);
    return;
  }
  const { kind, size } = info;
  if (kind === 'file') yield { kind: 'file', name, size, file: { ...info, relative: name } };
  else yield { kind: 'leftOut', name, path: file, reason: `it is a ${kind}` };
}
