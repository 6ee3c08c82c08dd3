/** Makes a folder and its parents. Not by Node's own `recursive`, which tries for ever below /proc, where nothing can be made. */
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  for (const missing of await missingOf(path.resolve(folder))) {
    await mkdir(missing, { mode }).catch(async (error: unknown) => {
      // Somebody else may have been faster.
      if (!(await isFolder(missing))) throw error;
    });
  }
}

/** From the top. The last is always among them, so that what is no folder is told. */
async function missingOf(folder: string): Promise<string[]> {
  const missing = [folder];
  for (let parent = path.dirname(folder); parent !== missing[0]; parent = path.dirname(parent)) {
    if (await isFolder(parent)) break;
    missing.unshift(parent);
  }
  return missing;
}

async function isFolder(folder: string): Promise<boolean> {
  return (await stat(folder).catch(() => undefined))?.isDirectory() ?? false;
}
