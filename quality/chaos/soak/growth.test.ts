import { expect, test } from 'vitest';
import { growthOf, MAX_GROWTH } from './growth.ts';

const samples = (of: (number: number) => number) => Array.from({ length: 720 }, (_, number) => of(number));

test('a run whose memory rises only while it warms up has not grown', () => {
  expect(growthOf(samples((n) => Math.min(300, 100 + n * 2)))).toEqual({ before: 300, after: 300, share: 0 });
});

test('programs that run for a moment are no growth', () => {
  expect(growthOf(samples((n) => (n % 3 === 0 ? 500 : 300)))?.share).toBe(0);
});

test('a slow leak is growth', () => {
  expect(growthOf(samples((n) => 300 + n / 20))?.share).toBeGreaterThan(MAX_GROWTH);
});

test('a short run says nothing', () => {
  expect(growthOf([1, 2, 3])).toBeUndefined();
});
