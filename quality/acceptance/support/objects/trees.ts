/** Folders and buckets with something in them, and what is in them afterwards. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { collected, sdkClient } from '../running/sdk.ts';
import { newBucket } from '../target.ts';

export type Files = Readonly<Record<string, Uint8Array | string>>;

export async function treeIn(folder: string, files: Files): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), content);
  }
  return folder;
}

/** Everything below a folder but folders, in order. */
export async function filesIn(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

export async function bucketOf(files: Files): Promise<string> {
  const bucket = await newBucket();
  const client = sdkClient();
  for (const [key, content] of Object.entries(files)) await client.upload(bucket, key, content);
  return bucket;
}

export async function keysOf(bucket: string): Promise<string[]> {
  return (await collected(sdkClient().objects.list(bucket))).map(({ item }) => item.key);
}
