/** Files of this machine: a folder walked as it is read, and safe paths for keys that become files. */
import { opendir, stat } from 'node:fs/promises';
import path from 'node:path';
import { UsageFault } from '../exit.ts';

export interface LocalFile {
  readonly path: string;
  /** Below the folder that was named, with `/` between its parts. */
  readonly relative: string;
  readonly size: number;
  /** Changes when the content does. */
  readonly version: string;
}

export async function lookAt(file: string): Promise<LocalFile & { isFolder: boolean; isFile: boolean }> {
  const facts = await stat(file, { bigint: true });
  return {
    path: file,
    relative: path.basename(file),
    size: Number(facts.size),
    version: `${facts.size} ${facts.mtimeNs}`,
    isFolder: facts.isDirectory(),
    isFile: facts.isFile(),
  };
}

/** Everything below a folder; what can't be read is told, not thrown. Pipes and devices are left out. */
export async function* walk(
  folder: string,
  onFailure: (file: string, error: unknown) => void,
  prefix = '',
): AsyncGenerator<LocalFile> {
  let entries: Awaited<ReturnType<typeof opendir>>;
  try {
    entries = await opendir(folder);
  } catch (error) {
    onFailure(folder, error);
    return;
  }
  for await (const entry of entries) {
    const file = path.join(folder, entry.name);
    const relative = `${prefix}${entry.name}`;
    if (entry.isDirectory()) {
      yield* walk(file, onFailure, `${relative}/`);
      continue;
    }
    try {
      const facts = await lookAt(file);
      if (facts.isFile) yield { ...facts, relative };
    } catch (error) {
      onFailure(file, error);
    }
  }
}

/** Keys are anybody's: one that would lead out of the folder, or to no file at all, is refused. */
export function pathInFolder(folder: string, key: string): string {
  const parts = key.split('/');
  const isUnsafe = parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0'));
  if (isUnsafe || (path.sep !== '/' && key.includes(path.sep)))
    throw new UsageFault('this key is no safe name of a file');
  return path.join(folder, ...parts);
}
