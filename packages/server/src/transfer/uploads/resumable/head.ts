/** The first bytes of stored content, for type detection. */
import type { BlobId, BlobStore } from '@millpond/blobs';
import { SNIFF_BYTES } from '@millpond/protocol';

/** Content in tiny segments is not worth more engine calls than this. */
const MAX_READS = 8;

export async function headOf(
  blobs: BlobStore,
  segments: readonly { readonly id: BlobId; readonly size: number }[],
  signal: AbortSignal,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const sink = {
    write(chunk: Uint8Array) {
      chunks.push(Buffer.from(chunk));
      return true;
    },
    once: () => undefined,
  };
  let left = SNIFF_BYTES;
  for (const { id, size } of segments.filter((segment) => segment.size > 0).slice(0, MAX_READS)) {
    const length = Math.min(left, size);
    if (length === 0) break;
    await blobs.read(id, { offset: 0, length }, sink, signal);
    left -= length;
  }
  return Buffer.concat(chunks);
}
