/** Content that somebody sent, as it is read for inspection or processing: by ranges, into a sink, as a blob store does. */
import { SNIFF_BYTES } from '@millpond/protocol';
import type { BlobSink, ByteRange } from './store.ts';

export interface ContentSource {
  readonly size: number;
  /** All of it is in memory: reading it never fails, and reading ahead gains nothing. */
  readonly inMemory?: true;
  /** Writes exactly these bytes into the sink and leaves it open, or rejects; also when the signal is cancelled. */
  read(range: ByteRange, sink: BlobSink, signal: AbortSignal): Promise<void>;
}

/** Reads a few bytes into memory. */
export async function readBytes(
  source: ContentSource,
  range: ByteRange,
  signal: AbortSignal,
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(range.length);
  let at = 0;
  const sink: BlobSink = {
    write: (chunk) => {
      // A copy: the source may reuse the chunk.
      bytes.set(chunk, at);
      at += chunk.length;
      return true;
    },
    once: () => undefined,
    writableLength: 0,
  };
  await source.read(range, sink, signal);
  if (at !== range.length) throw new Error('the source returned less than its size');
  return bytes;
}

/** The first bytes, which show what it is. */
export function headOf(source: ContentSource, signal: AbortSignal): Promise<Buffer> {
  return readBytes(source, { offset: 0, length: Math.min(SNIFF_BYTES, source.size) }, signal);
}

export interface MediaSource extends ContentSource {
  /** A plain file with the whole content that the sandbox's user can read, if there is one: then nothing is copied. */
  readonly path?: string | undefined;
}
