/** Copying by reading and writing, for engines (or sizes) that cannot copy on the server side. */
import type { BlobId } from './blob-id.ts';
import { BlobNotFoundError } from './errors.ts';
import type { BlobSink, BlobStore, BlobWriter, WriteOptions } from './store.ts';

type Source = Pick<BlobStore, 'stat' | 'read' | 'openWriter'>;

export async function copyByStream(
  store: Source,
  from: BlobId,
  to: BlobId,
  options: WriteOptions,
): Promise<void> {
  const found = await store.stat(from, options.signal);
  if (!found) throw new BlobNotFoundError(from);
  const writer = store.openWriter(to, { ...options, freeChunks: true });
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const sink = writerSink(writer, (error) => stop.abort(error));
  try {
    await store.read(from, { offset: 0, length: found.size, whole: true }, sink, signal);
    await writer.finish();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** Passes what is read to a writer. `fail` gets the reason if the writer gave up; it must end the read. */
export function writerSink(writer: Pick<BlobWriter, 'write'>, fail: (error: unknown) => void): BlobSink {
  let onDrain: (() => void) | undefined;
  return {
    write(chunk) {
      // A read reuses its buffers, but the writer keeps what it is given.
      const waiting = writer.write(Buffer.from(chunk));
      waiting?.then(() => onDrain?.(), fail);
      return waiting === undefined;
    },
    once(_event, listener) {
      onDrain = listener;
    },
    writableLength: 0,
  };
}
