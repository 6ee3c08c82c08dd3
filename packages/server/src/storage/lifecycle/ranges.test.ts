import { anyText } from '@millpond/testing/any-text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endOfPrefix } from '../objects/index.ts';
import { rangeFrom, rangesOf } from './ranges.ts';

const bytes = (text: string) => Buffer.from(text);
const key = anyText({ maxLength: 4 }).filter((text) => !text.includes('\0'));

test('ranges hold exactly the keys under the prefixes, in order and apart', () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 6 }), fc.array(key, { maxLength: 20 }), (prefixes, keys) => {
      const ranges = rangesOf(prefixes);
      for (const each of [...keys, ...prefixes]) {
        const within = ranges.filter(
          ({ from, until }) =>
            Buffer.compare(bytes(each), bytes(from)) >= 0 && Buffer.compare(bytes(each), bytes(until)) < 0,
        );
        expect(within.length).toBe(prefixes.some((prefix) => each.startsWith(prefix)) ? 1 : 0);
      }
    }),
  );
});

test('a walk goes on in the range where it was, or in the next', () => {
  const ranges = rangesOf(['b/', 'd/', 'b/x', '\u{1f600}']);
  expect(rangeFrom(ranges, '')).toEqual({ from: 'b/', until: 'b0' });
  expect(rangeFrom(ranges, 'b/k')).toEqual({ from: 'b/k', until: 'b0' });
  expect(rangeFrom(ranges, 'b0')).toEqual({ from: 'd/', until: 'd0' });
  // In bytes this comes before the emoji, in UTF-16 after it.
  expect(rangeFrom(ranges, '\ufffd')).toMatchObject({ from: '\u{1f600}' });
  expect(rangeFrom(ranges, '\u{1f601}')).toBeUndefined();
  expect(rangeFrom(rangesOf(['']), 'z')).toEqual({ from: 'z', until: endOfPrefix('') });
  expect(rangeFrom([], '')).toBeUndefined();
});
