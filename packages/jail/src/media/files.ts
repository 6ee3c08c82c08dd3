/** Files of a job. What an engine left is hostile: only a plain file with a single hard link counts as a result. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import type { BlobSink, MediaSource } from '@millpond/blobs';
import { ProcessingError } from './failure.ts';
import type { MediaOutput } from './types.ts';

/** undefined: there is no such file, or it is empty. */
export async function findOutput(
  folder: string,
  name: string,
  mimeType: string,
): Promise<MediaOutput | undefined> {
  const file = path.join(folder, name);
  const handle = await openPlain(file);
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    return size === 0 ? undefined : { path: file, size, mimeType };
  } finally {
    await handle.close();
  }
}

/** A symbolic link in its place, or a file with a second hard link, is an attack. */
async function openPlain(file: string): Promise<FileHandle | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new ProcessingError('source', `the result is not a plain file (${codeOf(error)})`);
  }
  const stat = await handle.stat();
  if (stat.isFile() && stat.nlink === 1) return handle;
  await handle.close();
  throw new ProcessingError('source', 'the result is not a plain file');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

export async function takeOutput(folder: string, name: string, mimeType: string): Promise<MediaOutput> {
  const output = await findOutput(folder, name, mimeType);
  if (output === undefined) throw new ProcessingError('source', 'the engine made no result');
  return output;
}

/** A result as the source of the next command. */
export function sourceOfFile({ path: file, size }: Pick<MediaOutput, 'path' | 'size'>): MediaSource {
  return {
    size,
    path: file,
    async read({ offset, length }, sink, signal) {
      if (length === 0) return;
      const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
      const stream = handle.createReadStream({ start: offset, end: offset + length - 1, signal });
      let bytes = 0;
      stream.on('data', (chunk) => {
        bytes += chunk.length;
        if (!sink.write(chunk as Buffer)) {
          stream.pause();
          sink.once('drain', () => stream.resume());
        }
      });
      await finished(stream);
      if (bytes !== length) throw new Error('the file became shorter');
    },
  };
}

/** Content that is in memory already. */
export function sourceOfBytes(bytes: Uint8Array): MediaSource {
  return {
    size: bytes.length,
    inMemory: true,
    async read({ offset, length }, sink) {
      sink.write(bytes.subarray(offset, offset + length));
    },
  };
}

/** Reads all of a source, piece by piece, and waits for what `take` returns. */
export async function eachPiece(
  source: MediaSource,
  signal: AbortSignal,
  take: (piece: Uint8Array) => void | Promise<void>,
): Promise<void> {
  const broken = new AbortController();
  let waiting: Promise<void> = Promise.resolve();
  let pending = 0;
  let drained: (() => void)[] = [];
  const settle = (): void => {
    if (--pending > 0) return;
    const listeners = drained;
    drained = [];
    for (const listener of listeners) listener();
  };
  const sink: BlobSink = {
    write(chunk) {
      // A copy: the source may reuse the chunk once drained.
      const piece = Buffer.from(chunk);
      pending++;
      waiting = waiting
        .then(() => take(piece))
        .catch((error: unknown) => broken.abort(error))
        .finally(settle);
      return false;
    },
    once(_event, listener) {
      if (pending === 0) queueMicrotask(listener);
      else drained.push(listener);
    },
  };
  await source.read({ offset: 0, length: source.size }, sink, AbortSignal.any([signal, broken.signal]));
  await waiting;
  broken.signal.throwIfAborted();
}
