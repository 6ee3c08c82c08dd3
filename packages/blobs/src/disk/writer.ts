/**
 * A body that goes to a temporary file as it arrives. One write is under way at a time; chunks that arrive during it go out
 * together in the next. The file gets its final name only after its bytes are synced, so that a crash at any point leaves a
 * temporary file or a whole blob.
 */
import { MIB } from '@millpond/protocol';
import type { BlobId } from '../blob-id.ts';
import type { BlobWriter, WriteOptions } from '../store.ts';
import { close, diskFault, fdatasync, open, unlink, writeAll } from './files.ts';
import type { HourFolders } from './folders.ts';
import { blobPath, folderOf, temporaryPath } from './layout.ts';

/** Bytes that may wait behind the write under way before the caller is told to wait. */
const WAITING_LIMIT = MIB;
/** Many tiny chunks cost more than their bytes: their number is bounded too. */
const WAITING_CHUNKS = 1024;

export function openDiskWriter(
  root: string,
  hourFolders: HourFolders,
  id: BlobId,
  { tier, signal }: WriteOptions,
): BlobWriter {
  const temporary = temporaryPath(root, id);
  const opened = open(temporary, 'wx', 0o640);
  opened.catch(() => undefined);

  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let position = 0;
  let writing: Promise<void> | undefined;
  let failure: { reason: unknown } | undefined;
  let cleaning: Promise<void> | undefined;
  let ended = false;

  const onAbort = (): void => fail(signal?.reason);
  if (signal?.aborted) fail(signal.reason);
  else signal?.addEventListener('abort', onAbort, { once: true });

  function fail(reason: unknown): void {
    if (failure || ended) return;
    failure = { reason };
    cleaning = clean();
  }

  async function clean(): Promise<void> {
    signal?.removeEventListener('abort', onAbort);
    waiting = [];
    waitingBytes = 0;
    await writing?.catch(() => undefined);
    const fd = await opened.catch(() => undefined);
    if (fd === undefined) return;
    await close(fd).catch(() => undefined);
    await unlink(temporary).catch(() => undefined);
  }

  async function writeWaiting(): Promise<void> {
    const fd = await opened;
    while (waiting.length > 0 && !failure) {
      const chunks = waiting;
      const bytes = waitingBytes;
      waiting = [];
      waitingBytes = 0;
      await writeAll(fd, chunks, position);
      position += bytes;
    }
  }

  // Every use of the descriptor runs through here, so that cleaning up never closes it during a call.
  function run(work: () => Promise<void>): void {
    writing = work().then(
      () => {
        writing = undefined;
      },
      (error: unknown) => {
        writing = undefined;
        fail(diskFault(error, 'writing a blob'));
      },
    );
  }

  async function drained(): Promise<void> {
    await writing;
    if (failure) await rejectWith(failure);
  }

  async function rejectWith({ reason }: { reason: unknown }): Promise<never> {
    await cleaning;
    throw reason;
  }

  return {
    write(chunk) {
      if (failure) return rejectWith(failure);
      if (ended) throw new Error('blob writer used after its end');
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (!writing) run(writeWaiting);
      return waitingBytes > WAITING_LIMIT || waiting.length > WAITING_CHUNKS ? drained() : undefined;
    },

    async finish() {
      await drained();
      if (ended) throw new Error('blob writer used after its end');
      run(async () => fdatasync(await opened));
      await drained();
      // From here on the blob gets its name, which is quick: the signal no longer stops it.
      ended = true;
      signal?.removeEventListener('abort', onAbort);
      try {
        await close(await opened);
        await hourFolders.place(temporary, folderOf(root, tier, id), blobPath(root, tier, id));
      } catch (error) {
        await unlink(temporary).catch(() => undefined);
        throw diskFault(error, 'naming a blob');
      }
    },

    async abort() {
      fail(new Error('blob writer aborted'));
      await cleaning;
    },
  };
}
