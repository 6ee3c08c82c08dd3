/** The contents of a folder, in the order of keys; it may have millions of entries. */
import { opendir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Row, type RowOrder, sortedRows } from '../transfer/sorted.ts';
import { compareKeys } from './order.ts';

export interface FolderEntry {
  /** The name of a folder, or of a link to one, ends in `/`, so that the keys below it sort correctly. */
  readonly name: string;
  readonly isLink: boolean;
}

/** `maxInMemory`: how many are sorted in memory. */
export async function* sortedNames(folder: string, maxInMemory?: number): AsyncGenerator<FolderEntry> {
  const byName: RowOrder = ([one = ''], [other = '']) => compareKeys(one, other);
  for await (const [name = '', link] of sortedRows(rowsOf(folder), byName, maxInMemory))
    yield { name, isLink: link === 'link' };
}

async function* rowsOf(folder: string): AsyncGenerator<Row> {
  for await (const entry of await opendir(folder)) {
    const isFolder =
      entry.isDirectory() || (!entry.isFile() && (await leadsToFolder(path.join(folder, entry.name))));
    yield [isFolder ? `${entry.name}/` : entry.name, entry.isSymbolicLink() ? 'link' : ''];
  }
}

/** Some file systems don't give the types of entries in a list; a link is whatever it leads to. */
async function leadsToFolder(file: string): Promise<boolean> {
  return stat(file).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}
