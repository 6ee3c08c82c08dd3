import fc from 'fast-check';
import { expect, test } from 'vitest';
import { equalBytes } from './equal-bytes.ts';

test('equal bytes are equal, and one changed bit is seen wherever it is', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat(), fc.nat(7), (bytes, at, bit) => {
      const changed = Uint8Array.from(bytes);
      expect(equalBytes(bytes, changed)).toBe(true);
      changed[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ (1 << bit);
      expect(equalBytes(bytes, changed)).toBe(false);
    }),
  );
});

test('a prefix is not equal', () => {
  expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2, 0))).toBe(false);
  expect(equalBytes(Uint8Array.of(1, 2, 0), Uint8Array.of(1, 2))).toBe(false);
  expect(equalBytes(new Uint8Array(), new Uint8Array())).toBe(true);
});
