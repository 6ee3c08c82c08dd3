/**
 * The few file calls of the disk store, as promises over plain descriptors (FileHandle costs several times more per
 * call), and the one place that turns the system's errors into ours.
 */
import * as fs from 'node:fs';
import { promisify } from 'node:util';
import { BlobStoreUnavailableError } from '../errors.ts';

export const open = promisify(fs.open);
export const close = promisify(fs.close);
export const fstat = promisify(fs.fstat);
export const stat = promisify(fs.stat);
export const rename = promisify(fs.rename);
export const unlink = promisify(fs.unlink);
export const rmdir = promisify(fs.rmdir);
export const readdir = promisify(fs.readdir);
export const fsync = promisify(fs.fsync);
export const fdatasync = promisify(fs.fdatasync);
export const makeDirectory = promisify(fs.mkdir);
export const access = promisify(fs.access);
export const copyFile = promisify(fs.copyFile);

export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Reads up to `length` bytes at `position`; fewer only at the end of the file. */
export function readAt(fd: number, buffer: Uint8Array, length: number, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let done = 0;
    const next = (): void => {
      fs.read(fd, buffer, done, length - done, position + done, (error, count) => {
        if (error) return reject(error);
        done += count;
        if (count === 0 || done === length) return resolve(done);
        next();
      });
    };
    next();
  });
}

// IOV_MAX of Linux: a longer vector is refused.
const MAX_VECTORS = 1024;

/** Writes all chunks at `position`, however often the system accepts only a part of them. */
export async function writeAll(fd: number, chunks: readonly Uint8Array[], position: number): Promise<void> {
  let pending = chunks.filter((chunk) => chunk.length > 0);
  while (pending.length > 0) {
    const count = await writeVector(fd, pending.slice(0, MAX_VECTORS), position);
    position += count;
    pending = dropBytes(pending, count);
  }
}

function writeVector(fd: number, chunks: Uint8Array[], position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.writev(fd, chunks, position, (error, count) => (error ? reject(error) : resolve(count)));
  });
}

function dropBytes(chunks: readonly Uint8Array[], count: number): Uint8Array[] {
  let first = 0;
  let chunk = chunks[first];
  while (chunk !== undefined && count >= chunk.length) {
    count -= chunk.length;
    chunk = chunks[++first];
  }
  return chunk === undefined ? [] : [chunk.subarray(count), ...chunks.slice(first + 1)];
}

const TRANSIENT_CODES = new Set([
  'EMFILE',
  'ENFILE',
  'EAGAIN',
  'EBUSY',
  'EINTR',
  'ETIMEDOUT',
  'ENOMEM',
  'ESTALE',
]);

/** Converts an error of the system into ours; any other error passes unchanged. */
export function diskFault(error: unknown, doing: string): unknown {
  const code = codeOf(error);
  if (code === undefined || error instanceof BlobStoreUnavailableError) return error;
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  const detail = full ? `no space left on the blob disk while ${doing}` : `${code} while ${doing}`;
  return new BlobStoreUnavailableError(detail, { retryable: TRANSIENT_CODES.has(code), cause: error });
}
