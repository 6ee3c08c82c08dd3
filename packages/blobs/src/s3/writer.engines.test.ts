// @module-tag ceph
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBlobId } from '../blob-id.ts';
import { createWriteBudget, PART_BYTES, SLAB_BYTES, type WriteBudget } from '../budget.ts';
import { engineOptions, removeEngineBucket } from '../testing/engine.ts';
import { digest, pattern, writeInChunks } from '../testing/sinks.ts';
import type { S3BlobOptions } from './options.ts';
import { createS3BlobStore } from './store.ts';

const STANDARD = { tier: 'STANDARD' } as const;

let options: S3BlobOptions;
beforeAll(async () => {
  options = engineOptions();
  const store = createS3BlobStore(options);
  await store.ensureReady();
  await store.close();
});
afterAll(async () => {
  if (options) await removeEngineBucket(options);
});

/** A budget that also counts the slabs in use. */
function countingBudget(bytes: number): WriteBudget & { slabs: number; maxSlabs: number; maxParts: number } {
  const inner = createWriteBudget(bytes);
  return {
    slabs: 0,
    maxSlabs: 0,
    maxParts: 0,
    takeSlab() {
      this.slabs++;
      this.maxSlabs = Math.max(this.maxSlabs, this.slabs);
      return inner.takeSlab();
    },
    giveSlab(slab) {
      this.slabs--;
      inner.giveSlab(slab);
    },
    tryReserve() {
      const granted = inner.tryReserve();
      this.maxParts = Math.max(this.maxParts, inner.reservedParts);
      return granted;
    },
    release: () => inner.release(),
    get reservedParts() {
      return inner.reservedParts;
    },
  };
}

test.each([
  [0, 1, 8],
  [1, 1, 16],
  [8, 1, 48],
  [0, 4, 32],
  [2, 4, 48],
])('a budget of %i parts and %i writers: at most %i slabs, all given back', async (parts, writers, most) => {
  const budget = countingBudget(parts * PART_BYTES);
  const store = createS3BlobStore({ ...options, budget });
  const bytes = pattern(5 * PART_BYTES + 3, parts + 60);
  await Promise.all(
    Array.from({ length: writers }, async () => {
      const id = newBlobId();
      const writer = store.openWriter(id, STANDARD);
      await writeInChunks(writer, bytes, 20_001);
      await writer.finish();
      expect(digest(await store.readAll(id, bytes.length))).toBe(digest(bytes));
    }),
  );
  expect(budget.maxSlabs).toBeGreaterThanOrEqual(writers * 8);
  expect(budget.maxSlabs).toBeLessThanOrEqual(most);
  expect(budget.maxParts).toBeLessThanOrEqual(parts);
  expect(budget.slabs).toBe(0);
  expect(budget.reservedParts).toBe(0);
  await store.close();
});

test('aborted and cancelled writers give everything back', async () => {
  const budget = countingBudget(4 * PART_BYTES);
  const store = createS3BlobStore({ ...options, budget });
  const aborted = store.openWriter(newBlobId(), STANDARD);
  await writeInChunks(aborted, pattern(20 * SLAB_BYTES), 10_000);
  await aborted.abort();
  const cancel = new AbortController();
  const cancelled = store.openWriter(newBlobId(), { ...STANDARD, signal: cancel.signal });
  await writeInChunks(cancelled, pattern(20 * SLAB_BYTES), 10_000);
  cancel.abort(new Error('gone'));
  await expect(cancelled.finish()).rejects.toThrow('gone');
  expect(budget.slabs).toBe(0);
  expect(budget.reservedParts).toBe(0);
  await store.close();
});

test('verified parts arrive too', async () => {
  const store = createS3BlobStore({ ...options, verifyWrites: 'always' });
  const id = newBlobId();
  const bytes = pattern(2 * PART_BYTES + 9, 70);
  const writer = store.openWriter(id, STANDARD);
  await writeInChunks(writer, bytes, 1_000_000);
  await writer.finish();
  expect(digest(await store.readAll(id, bytes.length))).toBe(digest(bytes));
  await store.close();
});
