import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { median, percentile, rounded, spread } from './statistics.ts';

const samples = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 200 });

describe('percentile', () => {
  test('is one of the values, by nearest rank', () => {
    const values = [40, 10, 30, 20];
    expect(percentile(values, 0.5)).toBe(20);
    expect(percentile(values, 0.51)).toBe(30);
    expect(percentile(values, 0.99)).toBe(40);
    expect(percentile(values, 0)).toBe(10);
  });

  test('splits the values as its share says', () => {
    fc.assert(
      fc.property(samples, fc.double({ min: 0.01, max: 1, noNaN: true }), (values, share) => {
        const cut = percentile(values, share);
        const below = values.filter((value) => value <= cut).length;
        const strictlyBelow = values.filter((value) => value < cut).length;
        expect(below).toBeGreaterThanOrEqual(share * values.length);
        expect(strictlyBelow).toBeLessThan(share * values.length);
      }),
    );
  });

  test('leaves its input alone', () => {
    const values = [3, 1, 2];
    percentile(values, 0.5);
    expect(values).toEqual([3, 1, 2]);
  });

  test('of nothing is not a number', () => {
    expect(percentile([], 0.5)).toBeNaN();
  });
});

describe('median', () => {
  test('is the middle of an odd count and the mean of the middle two of an even one', () => {
    expect(median([5, 1, 3])).toBe(3);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([7])).toBe(7);
    expect(median([])).toBeNaN();
  });
});

test('spread names both ends', () => {
  expect(spread([0.8, 0.7, 0.9])).toEqual({ min: 0.7, max: 0.9 });
});

test('rounded keeps four digits', () => {
  expect(rounded(1234.56)).toBe(1235);
  expect(rounded(0.123456)).toBe(0.1235);
});
