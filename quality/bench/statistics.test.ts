import { createRandom } from '@millpond/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { meanRatio, median, percentile, rounded, spread, studentQuantile } from './statistics.ts';

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

describe('meanRatio', () => {
  const rate = fc.double({ min: 0.1, max: 1e6, noNaN: true });
  const manyPairs = fc.array(fc.tuple(rate, rate), { minLength: 2, maxLength: 100 });

  test('of pairs of one ratio is that ratio, with nothing on either side', () => {
    const scale = fc.double({ min: 0.01, max: 100, noNaN: true });
    fc.assert(
      fc.property(fc.array(rate, { minLength: 2, maxLength: 100 }), scale, (rates, factor) => {
        const { ratio, low, high } = meanRatio(rates.map((other) => [other * factor, other]));
        for (const value of [ratio, low, high]) expect(value / factor).toBeCloseTo(1, 6);
      }),
    );
  });

  test('lies within its interval', () => {
    fc.assert(
      fc.property(manyPairs, (pairs) => {
        const { ratio, low, high } = meanRatio(pairs);
        expect(low).toBeLessThanOrEqual(ratio);
        expect(high).toBeGreaterThanOrEqual(ratio);
      }),
    );
  });

  test('is turned over where the sides change places', () => {
    fc.assert(
      fc.property(manyPairs, (pairs) => {
        const one = meanRatio(pairs);
        const other = meanRatio(pairs.map(([first, second]) => [second, first]));
        expect(Math.log(other.ratio)).toBeCloseTo(-Math.log(one.ratio), 6);
        // The interval of two pairs far apart reaches from nothing to more than a number holds.
        if (one.low > 1e-300 && one.high < 1e300)
          expect(Math.log(other.low)).toBeCloseTo(-Math.log(one.high), 6);
      }),
    );
  });

  test('does not care how fast the machine was in a round', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(rate, rate, rate), { minLength: 2, maxLength: 50 }), (rounds) => {
        const quiet = meanRatio(rounds.map(([one, other]) => [one, other]));
        const busy = meanRatio(rounds.map(([one, other, speed]) => [one * speed, other * speed]));
        expect(Math.log(busy.ratio)).toBeCloseTo(Math.log(quiet.ratio), 6);
      }),
    );
  });

  test('has the true ratio in its interval 19 times of 20', () => {
    const random = createRandom('intervals');
    const noise = () => Array.from({ length: 12 }, () => random.next()).reduce((sum, one) => sum + one, -6);
    const runs = Array.from({ length: 2000 }, () => {
      const rounds = Array.from({ length: 8 }, () => [0.97 * Math.exp(0.2 * noise()), 1] as const);
      const { low, high } = meanRatio(rounds);
      return low <= 0.97 && 0.97 <= high;
    });
    const share = runs.filter(Boolean).length / runs.length;
    expect(share).toBeGreaterThan(0.93);
    expect(share).toBeLessThan(0.97);
  });

  test('of one pair has no interval, and of none is not a number', () => {
    expect(meanRatio([[2, 1]])).toEqual({ ratio: 2, low: Number.NaN, high: Number.NaN });
    expect(meanRatio([]).ratio).toBeNaN();
  });
});

test.each([
  [1, 12.706],
  [2, 4.303],
  [3, 3.182],
  [4, 2.776],
  [9, 2.262],
  [39, 2.023],
  [1000, 1.962],
])('Student’s t of %i degrees of freedom is %f', (degrees, expected) => {
  expect(Math.abs(studentQuantile(degrees) - expected)).toBeLessThan(0.002);
});
