/** Files out of what was dropped or chosen, folders included, with the keys that they get below a prefix. */
import type { NewFile } from './uploads.ts';

/** So many files of a folder are taken at once; more belong to a command. */
const MOST_FILES = 10_000;

/** Must be called while the event runs: browsers empty it afterwards. */
export async function droppedFiles(transfer: DataTransfer, prefix: string): Promise<NewFile[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
  const files: NewFile[] = [];
  for (const entry of entries) if (entry !== null) await walk(entry, prefix, files);
  return files;
}

export function chosenFiles(list: Iterable<File>, prefix: string): NewFile[] {
  return [...list].slice(0, MOST_FILES).map((file) => ({
    file,
    key: prefix + (file.webkitRelativePath === '' ? file.name : file.webkitRelativePath),
  }));
}

async function walk(entry: FileSystemEntry, prefix: string, files: NewFile[]): Promise<void> {
  if (files.length >= MOST_FILES) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => {
      (entry as FileSystemFileEntry).file(resolve, reject);
    });
    files.push({ file, key: prefix + file.name });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // It gives a hundred or so at a time, and nothing at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) return;
    for (const each of some) await walk(each, `${prefix}${entry.name}/`, files);
  }
}
