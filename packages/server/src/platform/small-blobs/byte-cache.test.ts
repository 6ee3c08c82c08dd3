import { newSmallBlobId } from '@millpond/blobs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteCache } from './byte-cache.ts';

test('it never holds more than its limit, and gives back what was put', () => {
  fc.assert(
    fc.property(
      fc.nat(5000),
      fc.array(fc.record({ of: fc.nat(9), size: fc.nat(900), isRead: fc.boolean() })),
      (most, uses) => {
        const cache = new ByteCache(most);
        const ids = Array.from({ length: 10 }, () => newSmallBlobId(0));
        const put = new Map<string, Buffer>();
        for (const { of, size, isRead } of uses) {
          const id = ids[of] ?? newSmallBlobId(0);
          const bytes = put.get(id) ?? Buffer.alloc(size, of);
          put.set(id, bytes);
          if (isRead) expect([undefined, bytes]).toContain(cache.get(id));
          else cache.set(id, bytes);
          expect(cache.bytes).toBeLessThanOrEqual(most);
        }
      },
    ),
  );
});

test('the longest unused goes first', () => {
  const cache = new ByteCache(2 * (100 + 200));
  const [one, two, three] = [newSmallBlobId(0), newSmallBlobId(0), newSmallBlobId(0)];
  for (const id of [one, two]) cache.set(id, Buffer.alloc(100));
  expect(cache.get(one)).toBeDefined();
  cache.set(three, Buffer.alloc(100));
  expect([one, two, three].map((id) => cache.get(id) !== undefined)).toEqual([true, false, true]);
});

test('a slice is kept without the memory around it', () => {
  const cache = new ByteCache(100_000);
  const id = newSmallBlobId(0);
  cache.set(id, Buffer.alloc(65_536, 7).subarray(100, 400));
  expect(cache.get(id)).toEqual(Buffer.alloc(300, 7));
  expect(cache.get(id)?.buffer.byteLength).toBe(300);
});
