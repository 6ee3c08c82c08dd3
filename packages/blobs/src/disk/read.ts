/**
 * Reads a blob from the disk into a sink: pread into two buffers in turn, so that the disk reads on while the sink drains. A
 * buffer is reused once the sink holds nothing any more; until then it may hold that one.
 */
import type { BlobId } from '../blob-id.ts';
import { BlobCorruptError } from '../errors.ts';
import type { BlobSink, ByteRange } from '../store.ts';
import { readAt } from './files.ts';

/** Larger than the high-water mark of a socket: every full chunk ends in 'drain', so buffers do come back. */
const CHUNK = 256 * 1024;

/** For the next reads: allocated anew for each, they would keep the garbage collector busy. */
const idle: Buffer[] = [];
const MAX_IDLE_BUFFERS = 16;

export async function pumpFile(
  fd: number,
  id: BlobId,
  { offset, length }: ByteRange,
  sink: BlobSink,
  signal: AbortSignal | undefined,
): Promise<void> {
  const end = offset + length;
  let spare: Buffer | undefined;
  let position = offset;

  const fill = async (buffer: Buffer): Promise<Buffer> => {
    const want = Math.min(buffer.length, end - position);
    const count = await readAt(fd, buffer, want, position);
    if (count < want)
      throw new BlobCorruptError(id, `ends at byte ${position + count}, requested up to ${end}`);
    position += count;
    return count === buffer.length ? buffer : buffer.subarray(0, count);
  };
  const bufferFor = (): Buffer => {
    const wanted = Math.min(CHUNK, end - position);
    const buffer = spare ?? (wanted === CHUNK ? idle.pop() : undefined) ?? Buffer.allocUnsafeSlow(wanted);
    spare = undefined;
    return buffer;
  };

  let ahead = fill(bufferFor());
  try {
    for (;;) {
      const chunk = await ahead;
      signal?.throwIfAborted();
      const goOn = sink.write(chunk);
      if (position === end) {
        if (sink.writableLength === 0) giveBack(chunk);
        return;
      }
      if (sink.writableLength === 0 && chunk.length === CHUNK) spare = chunk;
      ahead = fill(bufferFor());
      if (!goOn) {
        // A failed read-ahead is reported in the next turn; it must not count as unhandled until then.
        ahead.catch(() => undefined);
        await drain(sink, signal);
        if (chunk.length === CHUNK) spare = chunk;
      }
    }
  } finally {
    // The caller closes the file next, which must not happen under a read.
    await ahead.catch(() => undefined);
    if (spare !== undefined) giveBack(spare);
  }
}

/** Returns the whole pooled buffer, even of a short chunk. */
function giveBack({ buffer }: Buffer): void {
  if (buffer.byteLength === CHUNK && idle.length < MAX_IDLE_BUFFERS) idle.push(Buffer.from(buffer));
}

function drain(sink: BlobSink, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal?.reason);
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    sink.once('drain', () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
  });
}
