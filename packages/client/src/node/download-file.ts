/**
 * Downloads an object into a file: first beside it, then renamed into place when everything has arrived and its hash is
 * right. Continues what a killed process left, if the object is still the same.
 */
import { createHash } from 'node:crypto';
import { createReadStream, lstatSync, renameSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { createEtagStream } from '@millpond/protocol';
import { MillpondError } from '../core/error.ts';
import type { Download, DownloadOptions } from '../downloads/download.ts';
import { hashing } from './hashing.ts';
import { makeFolder } from './make-folder.ts';

/** Bytes in the file; `received` counts those of this call, the rest was there before. */
export interface DownloadProgress {
  readonly done: number;
  readonly total: number;
  readonly received: number;
}

export interface DownloadFileOptions extends Pick<DownloadOptions, 'headers' | 'signal' | 'retry'> {
  /** Whether to continue what an earlier call left; default true. */
  readonly resume?: boolean | undefined;
  /** Whether to replace an existing file; default true. */
  readonly replace?: boolean | undefined;
  /** The modification time of the file; default: now. */
  readonly modified?: Date | undefined;
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

export interface DownloadedFile {
  readonly size: number;
  readonly hash: string;
  readonly mimeType: string;
  /** Bytes that this call received; less than `size` if a download was resumed. */
  readonly received: number;
  readonly reqid: string;
}

/** Creates missing folders. */
export async function downloadFile(
  download: (options: Pick<DownloadOptions, 'start' | 'hash'>) => Promise<Download>,
  file: string,
  { resume = true, replace = true, modified, onProgress }: DownloadFileOptions = {},
): Promise<DownloadedFile> {
  await makeFolder(path.dirname(file));
  const first = await download({});
  const { size, hash, mimeType, reqid } = first;
  const beside = besideOf(file, hash);
  const there = resume && hash !== '' ? await sizeOf(beside) : 0;
  const start = there < size ? there : 0;
  if (start > 0) first.discard();
  const { content } = start > 0 ? await download({ start, hash }) : first;
  let at = start;
  const handle = await open(beside, start > 0 ? 'r+' : 'w');
  try {
    for await (const chunk of content) {
      await handle.write(chunk, 0, chunk.length, at);
      at += chunk.length;
      onProgress?.({ done: at, total: size, received: at - start });
    }
    if (modified !== undefined) await handle.utimes(modified, modified);
  } finally {
    await handle.close();
  }
  // What came in one piece was checked on arrival; what came in two is read again.
  if (start > 0 && /^[Fl]/.test(hash) && (await etagOfFile(beside)) !== hash) {
    await rm(beside, { force: true });
    throw new MillpondError('integrity', 'the downloaded content differs from what is stored', { reqid });
  }
  try {
    putInPlace(beside, file, replace);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  return { size: at, hash, mimeType, received: at - start, reqid };
}

/** Synchronously: if this process writes two names that the file system considers equal, the second write finds the first. */
function putInPlace(beside: string, file: string, replace: boolean): void {
  const there = replace ? undefined : lstatSync(file, { throwIfNoEntry: false });
  if (there !== undefined && !there.isDirectory())
    throw new MillpondError('fileExists', `the file already exists: ${file}`);
  renameSync(beside, file);
}

/** Short, whatever the file is called: its name may already be as long as the file system allows. */
function besideOf(file: string, hash: string): string {
  const name = createHash('sha1')
    .update(`${path.basename(file)}\n${hash}`)
    .digest('hex')
    .slice(0, 16);
  return path.join(path.dirname(file), `.millpond-${name}.part`);
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

async function etagOfFile(file: string): Promise<string> {
  const running = createEtagStream(hashing);
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) running.update(chunk);
  return running.digest().etag;
}
