import { decodeListMarker } from '@millpond/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markerBefore } from './start.ts';

/** The server's order: byte by byte. */
const isBefore = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0;

test('a list begins at its top, or at any key', () => {
  expect(markerBefore('')).toBeUndefined();
  expect(decodeListMarker(markerBefore('b') ?? '')).toBe('a\u{10ffff}');
  expect(decodeListMarker(markerBefore('a\u0001') ?? '')).toBe('a');
  expect(decodeListMarker(markerBefore('\ue000') ?? '')).toBe('\ud7ff\u{10ffff}');
});

test('the marker is before its key, and after all that is before it', () => {
  const key = fc
    .string({
      unit: fc.oneof(
        fc.constantFrom('a', 'b', '/', '\u0001', 'é', '😀'),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      ),
      minLength: 1,
      maxLength: 8,
    })
    .filter((text) => !text.includes('\0') && !text.includes('\u{10ffff}'));
  fc.assert(
    fc.property(key, key, (one, other) => {
      const marker = decodeListMarker(markerBefore(one) ?? '') ?? '';
      expect(isBefore(marker, one)).toBe(true);
      if (isBefore(other, one)) expect(isBefore(marker, other)).toBe(false);
    }),
  );
});

test('what is too long for a key is cut', () => {
  for (const long of ['a'.repeat(2000), '世'.repeat(400), '😀'.repeat(400)])
    expect(() => decodeListMarker(markerBefore(long) ?? '')).not.toThrow();
});
