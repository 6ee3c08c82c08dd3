import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatHttpDate, parseHttpDate } from './date.ts';

test("RFC 9110's example in its three forms", () => {
  expect(formatHttpDate(784_111_777)).toBe('Sun, 06 Nov 1994 08:49:37 GMT');
  expect(parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(784_111_777);
  expect(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT')).toBe(784_111_777);
  expect(parseHttpDate('Sun Nov  6 08:49:37 1994')).toBe(784_111_777);
});

test.each([
  '',
  '0',
  '1994-11-06T08:49:37Z',
  'Sun, 06 Nov 1994 08:49:37',
  'Sun, 06 Nov 1994 08:49:37 +0000',
  'Sun, 6 Nov 1994 08:49:37 GMT',
  'Sun, 31 Feb 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 24:00:00 GMT',
  'Sun, 06 Nov 1994 08:60:00 GMT',
  'Sun, 06 Nov 1994 08:49:61 GMT',
  'Sun, 06 nov 1994 08:49:37 GMT',
  'Xxx, 06 Nov 1994 08:49:37 GMT',
])('%j is no date', (text) => expect(parseHttpDate(text)).toBeUndefined());

test('what is written is read', () => {
  fc.assert(
    fc.property(fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }), (seconds) => {
      expect(parseHttpDate(formatHttpDate(seconds))).toBe(seconds);
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(parseHttpDate(text)).toBeUndefined();
    }),
  );
});
