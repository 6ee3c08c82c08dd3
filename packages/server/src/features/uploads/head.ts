/** The first bytes of stored content, for the detection of its type. */
import type { BlobId, BlobStore } from '../../platform/blobs/index.ts';

const HEAD_BYTES = 4096;

export async function headOf(
  blobs: BlobStore,
  id: BlobId | undefined,
  size: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const length = Math.min(HEAD_BYTES, size);
  if (id === undefined || length === 0) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  const sink = {
    write(chunk: Uint8Array) {
      chunks.push(Buffer.from(chunk));
      return true;
    },
    once: () => undefined,
  };
  await blobs.read(id, { offset: 0, length }, sink, signal);
  return Buffer.concat(chunks);
}
