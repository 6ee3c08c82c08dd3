/** One file into a bucket. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import type { Client, OwnUploadOptions } from '@millpond/client/server';
import { UsageError } from '../exit.ts';
import type { LocalFile } from './local-files.ts';

/** Read synchronously: the detour through Node's threads costs more than the reading. */
const READ_CHUNK_BYTES = 256 * 1024;

export interface Copied {
  readonly size: number;
  readonly sent: number;
  readonly received?: number;
  readonly hash: string;
}

export async function uploadFile(
  client: Client,
  file: LocalFile,
  to: { readonly bucket: string; readonly key: string },
  options: OwnUploadOptions,
): Promise<Copied> {
  if (file.size > READ_CHUNK_BYTES) return client.uploadFile(to.bucket, to.key, file.path, options);
  const content = readSteady(file.path);
  const fileName = file.relative.slice(file.relative.lastIndexOf('/') + 1);
  return client.upload(to.bucket, to.key, content, { fileName, ...options });
}

/** A file that somebody is writing to would be stored in a state it never had. */
function readSteady(file: string): Buffer<ArrayBuffer> {
  const handle = openSync(file, 'r');
  try {
    const before = fstatSync(handle, { bigint: true });
    const content = readFileSync(handle);
    const after = fstatSync(handle, { bigint: true });
    if (before.mtimeNs === after.mtimeNs && after.size === BigInt(content.length)) return content;
    throw new UsageError(`${file} changed while it was being read`);
  } finally {
    closeSync(handle);
  }
}
