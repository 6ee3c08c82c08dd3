import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printDuration, readDuration } from '../option-readers.ts';

test('times are read and printed in the largest unit that they fill', () => {
  expect(['90s', '10m', '2h', '7d', '3600s'].map(readDuration)).toEqual([90, 600, 7200, 604_800, 3600]);
  expect([90, 600, 3600, 86_400].map(printDuration)).toEqual(['90s', '10m', '1h', '1d']);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9_999_999 }),
      (seconds) => readDuration(printDuration(seconds)) === seconds,
    ),
  );
});

test.each(['', '0s', '10', '1.5h', '-1s', '1w', '1 h', '12345678s'])('%j is no time', (text) => {
  expect(() => readDuration(text)).toThrow('such as 90s');
});
