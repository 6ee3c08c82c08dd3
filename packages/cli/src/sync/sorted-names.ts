/**
 * The contents of a folder, in the order of keys. A folder with millions of entries is sorted in pieces that are kept
 * outside memory.
 */
import { opendir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Spill } from '../transfer/spill.ts';
import { compareKeys } from './order.ts';

export interface FolderEntry {
  /** The name of a folder, or of a link to one, ends in `/`, so that the keys below it sort correctly. */
  readonly name: string;
  readonly isLink: boolean;
}

const MOST_HELD = 50_000;

/** `mostHeld`: how many are sorted in memory. */
export async function* sortedNames(folder: string, mostHeld = MOST_HELD): AsyncGenerator<FolderEntry> {
  const pieces: Spill[] = [];
  let held: FolderEntry[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      const isLink = entry.isSymbolicLink();
      const isFolder =
        entry.isDirectory() || (!entry.isFile() && (await leadsToFolder(path.join(folder, entry.name))));
      held.push({ name: isFolder ? `${entry.name}/` : entry.name, isLink });
      if (held.length < mostHeld) continue;
      pieces.push(spilled(held));
      held = [];
    }
    held.sort((one, other) => compareKeys(one.name, other.name));
    if (pieces.length === 0) yield* held;
    else yield* joined([...pieces.map(entriesOf), fromMemory(held)]);
  } finally {
    for (const piece of pieces) piece.close();
  }
}

/** Some file systems don't give the types of entries in a list; a link is whatever it leads to. */
async function leadsToFolder(file: string): Promise<boolean> {
  return stat(file).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}

function spilled(entries: FolderEntry[]): Spill {
  const piece = new Spill();
  entries.sort((one, other) => compareKeys(one.name, other.name));
  for (const { name, isLink } of entries) piece.add([name, isLink ? 'link' : '']);
  return piece;
}

async function* entriesOf(piece: Spill): AsyncGenerator<FolderEntry> {
  for await (const [name = '', link] of piece.lines()) yield { name, isLink: link === 'link' };
}

async function* fromMemory(entries: readonly FolderEntry[]): AsyncGenerator<FolderEntry> {
  yield* entries;
}

async function* joined(pieces: readonly AsyncGenerator<FolderEntry>[]): AsyncGenerator<FolderEntry> {
  const heads: { piece: AsyncGenerator<FolderEntry>; entry: FolderEntry }[] = [];
  for (const piece of pieces) {
    const { done, value } = await piece.next();
    if (!done) heads.push({ piece, entry: value });
  }
  while (heads.length > 0) {
    let least = 0;
    for (let at = 1; at < heads.length; at++)
      if (compareKeys(nameAt(heads, at), nameAt(heads, least)) < 0) least = at;
    const head = heads[least];
    if (head === undefined) return;
    yield head.entry;
    const { done, value } = await head.piece.next();
    if (done) heads.splice(least, 1);
    else head.entry = value;
  }
}

function nameAt(heads: readonly { entry: FolderEntry }[], at: number): string {
  return heads[at]?.entry.name ?? '';
}
