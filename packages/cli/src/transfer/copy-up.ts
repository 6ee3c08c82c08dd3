/** One file into a bucket. */
import { readFileSync } from 'node:fs';
import type { Client, OwnUploadOptions } from '@millpond/client/server';
import type { LocalFile } from './local-files.ts';

/** Read at once: the detour over Node's threads costs more than the reading. */
const READ_AT_ONCE = 256 * 1024;

export interface Copied {
  readonly size: number;
  readonly sent: number;
  readonly received?: number;
  readonly hash: string;
}

export async function copyUp(
  client: Client,
  file: LocalFile,
  to: { readonly bucket: string; readonly key: string },
  options: OwnUploadOptions,
): Promise<Copied> {
  if (file.size > READ_AT_ONCE) return client.uploadFile(to.bucket, to.key, file.path, options);
  const content = readFileSync(file.path);
  const fileName = file.relative.slice(file.relative.lastIndexOf('/') + 1);
  return client.upload(to.bucket, to.key, content, { fileName, ...options });
}
