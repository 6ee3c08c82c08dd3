import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newBlobId } from '../blob-id.ts';
import type { BlobSink } from '../store.ts';
import { collectingSink, pattern, slowSink } from '../testing/sinks.ts';
import { createDiskBlobStore } from './store.ts';

const MIB = 1024 * 1024;

/** Holds nothing: copies each chunk at once. */
function copyingSink(): BlobSink & { bytes(): Buffer; readonly memories: Set<unknown> } {
  const chunks: Buffer[] = [];
  const memories = new Set<unknown>();
  return {
    write(chunk) {
      memories.add(chunk.buffer);
      return chunks.push(Buffer.from(chunk)) > 0;
    },
    once: () => undefined,
    writableLength: 0,
    bytes: () => Buffer.concat(chunks),
    memories,
  };
}

test('buffers are shared by reads one after the other, and never by two at a time or with a sink that still holds them', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'read-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const store = createDiskBlobStore({ root });
  await store.ensureReady();
  const blobs = Array.from({ length: 4 }, (_, seed) => ({
    id: newBlobId(),
    bytes: pattern(3 * MIB + 7, seed),
  }));
  for (const { id, bytes } of blobs) await store.put(id, [bytes], { tier: 'STANDARD' });
  const held = collectingSink();
  const whole = { offset: 0, length: 3 * MIB + 7 };
  await store.read(blobs[0]?.id ?? newBlobId(), whole, held);
  const memories = new Set<unknown>();
  for (let round = 0; round < 5; round++)
    await Promise.all(
      blobs.map(async ({ id, bytes }, number) => {
        const sink = number === 3 ? slowSink(() => 0) : copyingSink();
        await store.read(id, whole, sink);
        if ('memories' in sink) for (const memory of sink.memories) memories.add(memory);
        expect(sink.bytes().equals(bytes.subarray(0, sink.bytes().length))).toBe(true);
        expect(sink.bytes().length).toBeGreaterThan(2 * MIB);
      }),
    );
  expect(memories.size).toBeLessThan(16);
  expect(held.bytes().equals(blobs[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
  await store.close();
});
