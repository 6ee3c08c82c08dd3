/** Files out of what was dropped or chosen, folders included, with the keys that they get below a prefix. */
import type { NewFile } from './uploads.ts';

/** So many files are taken at once; more belong to a command. */
export const MOST_FILES = 10_000;

export interface PickedFiles {
  readonly files: readonly NewFile[];
  /** There are more than are taken. */
  readonly isCut: boolean;
  /** Names that the browser could not read: they are gone, or not allowed. */
  readonly unread: readonly string[];
}

interface Finding {
  files: NewFile[];
  isCut: boolean;
  unread: string[];
}

/** Must be called while the event runs: browsers empty it afterwards. Folders are read one after another, a hundred entries at a time. */
export async function droppedFiles(transfer: DataTransfer, prefix: string): Promise<PickedFiles> {
  // What comes from another page instead of the desktop is in no folder, and has no entry.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const found: Finding = { files: [], isCut: false, unread: [] };
  for (const entry of entries) {
    if (entry instanceof File) found.files.push({ file: entry, key: prefix + entry.name });
    else if (entry !== null) await walk(entry, prefix, found);
  }
  return found;
}

export function chosenFiles(list: Iterable<File>, prefix: string): PickedFiles {
  const all = [...list];
  const files = all.slice(0, MOST_FILES).map((file) => ({
    file,
    key: prefix + (file.webkitRelativePath === '' ? file.name : file.webkitRelativePath),
  }));
  return { files, isCut: all.length > MOST_FILES, unread: [] };
}

async function walk(entry: FileSystemEntry, prefix: string, found: Finding): Promise<void> {
  if (found.files.length >= MOST_FILES) found.isCut = true;
  if (found.isCut) return;
  try {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => {
        (entry as FileSystemFileEntry).file(resolve, reject);
      });
      found.files.push({ file, key: prefix + file.name });
      return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      // It gives a hundred or so at a time, and nothing at the end.
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
        reader.readEntries(resolve, reject);
      });
      if (some.length === 0 || found.isCut) return;
      for (const each of some) await walk(each, `${prefix}${entry.name}/`, found);
    }
  } catch {
    found.unread.push(entry.name);
  }
}
