/** The content of a disk store, read from its folders. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { EngineContent } from '../checks/residue.ts';

const TIERS = ['STANDARD', 'COLD'];

export async function diskContent(root: string): Promise<EngineContent> {
  const blobs = new Map<string, number>();
  const cold = new Set<string>();
  for (const tier of TIERS) {
    for (const entry of await readdir(path.join(root, tier), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      blobs.set(entry.name, (await stat(path.join(entry.parentPath, entry.name))).size);
      if (tier === 'COLD') cold.add(entry.name);
    }
  }
  return { blobs, cold, unfinished: await readdir(path.join(root, 'tmp')) };
}
