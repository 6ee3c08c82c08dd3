import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BlobId, newBlobId } from './blob-id.ts';
import { readSegments } from './segments.ts';
import type { BlobSink, ByteRange } from './store.ts';

const signal = new AbortController().signal;

/** What is read of these segments, and how often the engine was asked. */
async function reading(
  segments: readonly Buffer[],
  range: ByteRange,
): Promise<{ bytes: Buffer; reads: number }> {
  const stored = new Map<BlobId, Buffer>();
  const list = segments.map((bytes) => {
    const id = newBlobId();
    stored.set(id, bytes);
    return { id, size: bytes.length };
  });
  const chunks: Uint8Array[] = [];
  let reads = 0;
  const sink: BlobSink = { write: (chunk) => chunks.push(chunk) > 0, once: () => undefined };
  const read = async (id: BlobId, { offset, length, whole }: ByteRange, into: BlobSink) => {
    reads++;
    expect(whole).toBe(length === stored.get(id)?.length);
    into.write(stored.get(id)?.subarray(offset, offset + length) ?? Buffer.alloc(0));
  };
  await readSegments({ read }, list, range, sink, signal);
  return { bytes: Buffer.concat(chunks), reads };
}

test('any range of any segments is the same range of their bytes, and no more is asked for', async () => {
  const lists = fc.array(
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
    { minLength: 1, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(lists, fc.nat(200), fc.nat(200), async (segments, from, to) => {
      const whole = Buffer.concat(segments);
      const [offset, end] = [Math.min(from, to) % (whole.length + 1), Math.max(from, to)];
      const length = Math.max(0, Math.min(end, whole.length) - offset);
      const { bytes, reads } = await reading(segments, { offset, length });
      expect(bytes).toEqual(whole.subarray(offset, offset + length));
      expect(reads).toBeLessThanOrEqual(length === 0 ? 0 : segments.length);
    }),
  );
});

test('more than is there is a fault', async () => {
  await expect(reading([Buffer.from('abc')], { offset: 2, length: 2 })).rejects.toThrow(/shorter/);
});
