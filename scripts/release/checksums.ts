/** What is in a folder, and whether two folders are the same. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** SHA-256 of every file, sorted by name. */
export async function checksumsOf(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted();
  const sums = new Map<string, string>();
  for (const file of files) sums.set(file, await sha256(path.join(folder, file)));
  return sums;
}

/** As `sha256sum --check` takes them. */
export function checksumFile(sums: ReadonlyMap<string, string>): string {
  return [...sums].map(([file, sum]) => `${sum}  ${file}\n`).join('');
}

/** Files that are not the same in both. */
export async function differences(one: string, other: string): Promise<string[]> {
  const [ours, theirs] = [await checksumsOf(one), await checksumsOf(other)];
  return [...new Set([...ours.keys(), ...theirs.keys()])].filter(
    (file) => ours.get(file) !== theirs.get(file),
  );
}

export async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
