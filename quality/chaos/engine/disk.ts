/** The content of a disk store, read from its folders. */
import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { EngineContent } from '../checks/residue.ts';

const TIERS = ['STANDARD', 'COLD'];

export async function diskContent(root: string): Promise<EngineContent> {
  const blobs = new Map<string, number>();
  const cold = new Set<string>();
  for (const tier of TIERS) {
    for (const entry of await readdir(path.join(root, tier), { recursive: true, withFileTypes: true })) {
      // What a collector has removed since the folder was read is not there.
      const file = entry.isFile() ? await statIfThere(path.join(entry.parentPath, entry.name)) : undefined;
      if (file === undefined) continue;
      blobs.set(entry.name, file.size);
      if (tier === 'COLD') cold.add(entry.name);
    }
  }
  return { blobs, cold, unfinished: await readdir(path.join(root, 'tmp')) };
}

async function statIfThere(file: string): Promise<Stats | undefined> {
  try {
    return await stat(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
