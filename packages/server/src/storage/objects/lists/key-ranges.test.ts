import { checkKey, MAX_KEY_BYTES } from '@millpond/protocol';
import { anyText } from '@millpond/testing/any-text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AFTER_EVERY_KEY, endOfPrefix, firstAfterPrefix } from './key-ranges.ts';

const inBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
const key = anyText().filter((text) => !text.includes('\0') && Buffer.byteLength(text) <= MAX_KEY_BYTES);

test('the first text after a prefix is greater than everything that begins with it, and nothing is between', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.string({ unit: 'grapheme' }),
      (prefix, rest) => {
        const after = firstAfterPrefix(prefix);
        if (after === undefined) return;
        expect(inBytes(prefix + rest, after)).toBeLessThan(0);
        expect(after.startsWith(prefix)).toBe(false);
      },
    ),
  );
  expect(firstAfterPrefix('\u{10ffff}')).toBeUndefined();
  expect(firstAfterPrefix('a\u{10ffff}')).toBe('b');
  expect(firstAfterPrefix('\u{d7ff}')).toBe('\u{e000}');
});

test('the range of a prefix holds exactly the keys that begin with it', () => {
  const last = fc.nat({ max: 187 }).map((count) => '\u{10ffff}'.repeat(count));
  fc.assert(
    fc.property(fc.oneof(key, last), fc.oneof(key, last), (prefix, each) => {
      const isWithin = inBytes(each, prefix) >= 0 && inBytes(each, endOfPrefix(prefix)) < 0;
      expect(isWithin).toBe(each.startsWith(prefix));
    }),
  );
});

test('the end of all keys comes after the greatest one', () => {
  const greatest = `${'\u{10ffff}'.repeat(Math.floor(MAX_KEY_BYTES / 4))}\u{7ff}`;
  expect(() => checkKey(greatest)).not.toThrow();
  expect(Buffer.byteLength(greatest)).toBe(MAX_KEY_BYTES);
  expect(inBytes(greatest, AFTER_EVERY_KEY)).toBeLessThan(0);
});
