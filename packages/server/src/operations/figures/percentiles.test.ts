import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Bucket, percentile } from './figures.service.ts';

const BOUNDS = [0.1, 1, 10, Infinity];
const bucketsOf = (counts: readonly number[]): Bucket[] => {
  const upTo = (at: number) => counts.slice(0, at + 1).reduce((sum, count) => sum + count, 0);
  return BOUNDS.map((le, at) => ({ le, count: upTo(at) }));
};

test('linear within a bucket, as Prometheus has it', () => {
  expect(percentile(bucketsOf([10, 0, 0, 0]), 0.5)).toBeCloseTo(0.05);
  expect(percentile(bucketsOf([0, 10, 0, 0]), 0.5)).toBeCloseTo(0.55);
  expect(percentile(bucketsOf([50, 0, 50, 0]), 0.99)).toBeCloseTo(1 + 9 * 0.98);
});

test('nothing was counted, or all is beyond the last bound', () => {
  expect(percentile(bucketsOf([0, 0, 0, 0]), 0.5)).toBeUndefined();
  expect(percentile([], 0.5)).toBeUndefined();
  expect(percentile(bucketsOf([0, 0, 0, 3]), 0.5)).toBe(10);
});

test('it lies in the bucket that has the value of this rank', () => {
  const seconds = fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(seconds, fc.constantFrom(0.5, 0.95, 0.99), (values, share) => {
      const counts = BOUNDS.map(
        (le, at) => values.filter((value) => value <= le && value > (BOUNDS[at - 1] ?? -1)).length,
      );
      const exact = values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? 0;
      const at = BOUNDS.findIndex((le) => exact <= le);
      const told = percentile(bucketsOf(counts), share) ?? -1;
      expect(told).toBeLessThanOrEqual(BOUNDS[at] ?? 0);
      expect(told).toBeGreaterThanOrEqual(BOUNDS[at - 1] ?? 0);
    }),
  );
});
