import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteBuffer } from './byte-buffer.ts';

test('gives back what was appended, whatever the pieces', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.integer({ min: 1, max: 150_000 }).map((length) => new Uint8Array(length).fill(length)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const held = new ByteBuffer();
      for (const bytes of pieces) held.append(bytes);
      const whole = Buffer.concat(pieces);
      expect(held.length).toBe(whole.length);
      expect(Buffer.concat(held.chunks()).equals(whole)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('crumbs share blocks, and no block is larger than 64 KiB', () => {
  const held = new ByteBuffer();
  for (let index = 0; index < 300_000; index++) held.append(Buffer.from([index]));
  const chunks = held.chunks();
  expect(chunks.length).toBeLessThan(20);
  expect(Math.max(...chunks.map(({ length }) => length))).toBe(64 * 1024);
});

test('does not keep the memory that a piece is a slice of', () => {
  const packet = Buffer.alloc(1000, 'a');
  const held = new ByteBuffer();
  held.append(packet.subarray(0, 3));
  packet.fill('b');
  expect(Buffer.concat(held.chunks()).toString()).toBe('aaa');
});
