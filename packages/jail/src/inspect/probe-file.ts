/**
 * Puts as much of a media file into a job directory as a probe needs: small files whole; of larger ones the head, the tail and
 * the index of an MP4, in a sparse file of the true size.
 */
import { createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { ByteRange, ContentSource } from '@millpond/blobs';
import { findMovieIndex } from './mp4.ts';

export interface MediaReadLimits {
  /** Up to this size the whole file is read. */
  readonly wholeBytes: number;
  readonly headBytes: number;
  readonly tailBytes: number;
  /** A larger index is not read: the file cannot be described. */
  readonly indexBytes: number;
}

/** False: it cannot be done within the limits. `file` must not exist, and nothing may have run in its folder before. */
export async function copyProbeRanges(
  source: ContentSource,
  file: string,
  limits: MediaReadLimits,
  signal: AbortSignal,
): Promise<boolean> {
  const ranges = await rangesToRead(source, limits, signal);
  if (ranges === undefined) return false;
  const handle = await open(file, 'wx', 0o444);
  try {
    await handle.truncate(source.size);
    for (const range of ranges) await copyRange(source, range, handle, signal);
  } finally {
    await handle.close();
  }
  return true;
}

async function rangesToRead(
  source: ContentSource,
  limits: MediaReadLimits,
  signal: AbortSignal,
): Promise<ByteRange[] | undefined> {
  const { size } = source;
  if (size <= limits.wholeBytes) return [{ offset: 0, length: size }];
  const head = { offset: 0, length: Math.min(limits.headBytes, size) };
  const tailBytes = Math.min(limits.tailBytes, size - head.length);
  const tail = { offset: size - tailBytes, length: tailBytes };
  const index = await findMovieIndex(source, signal);
  if (index === undefined || contains(head, index) || contains(tail, index)) return [head, tail];
  return index.length > limits.indexBytes ? undefined : [head, tail, index];
}

function contains(outer: ByteRange, inner: ByteRange): boolean {
  return inner.offset >= outer.offset && inner.offset + inner.length <= outer.offset + outer.length;
}

/** Copies to the same offset in the file as in the source. */
export async function copyRange(
  source: ContentSource,
  range: ByteRange,
  handle: FileHandle,
  signal: AbortSignal,
): Promise<void> {
  const file = createWriteStream('', { fd: handle.fd, start: range.offset, autoClose: false });
  // A full disk ends the reading; nothing else would.
  const broken = new AbortController();
  file.once('error', (error) => broken.abort(error));
  try {
    await source.read(range, file, AbortSignal.any([signal, broken.signal]));
    await new Promise<void>((resolve, reject) => {
      file.end((error?: Error | null) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    file.destroy();
    throw error;
  }
}
