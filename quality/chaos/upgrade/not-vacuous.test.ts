import { expect, test } from 'vitest';
import { failures, hasOnlyBaseline, notApplied, sameBuild, servedAt, zeroes } from './not-vacuous.ts';

const BEFORE = { version: '1.0.0', migrations: ['control/0001_baseline.sql', 'region/0001_baseline.sql'] };
const AFTER = { version: '1.1.0', migrations: [...BEFORE.migrations, 'region/0002_c.sql'] };

test('a version is upgraded to another, by its name or by its tables', () => {
  expect(sameBuild(AFTER, { ...AFTER })).toBe('1.1.0 with the same migrations is upgraded to itself');
  expect(sameBuild(BEFORE, { ...AFTER, version: '1.0.0' })).toBeUndefined();
  expect(sameBuild(AFTER, { ...AFTER, version: '1.1.1' })).toBeUndefined();
});

test('until a migration follows the baseline, a version is upgraded to itself', () => {
  expect(sameBuild(BEFORE, { ...BEFORE })).toBeUndefined();
  expect(hasOnlyBaseline(BEFORE.migrations)).toBe(true);
  expect(hasOnlyBaseline(AFTER.migrations)).toBe(false);
});

test('every new migration is applied', () => {
  expect(notApplied(BEFORE, AFTER, 'applied region/0002_c.sql\n')).toEqual([]);
  expect(notApplied(BEFORE, AFTER, 'up to date\n')).toEqual(['region/0002_c.sql']);
  expect(notApplied(BEFORE, BEFORE, 'up to date\n')).toEqual([]);
});

test('requests are counted for each gateway, if they succeeded within the time', () => {
  const attempt = {
    what: 'x',
    answer: '200',
    url: 'a',
    begunAt: 10,
    endedAt: 20,
    isGood: true,
    isRetry: false,
  };
  const attempts = [
    attempt,
    { ...attempt, isRetry: true },
    { ...attempt, begunAt: 9 },
    { ...attempt, endedAt: 30 },
    { ...attempt, isGood: false },
    { ...attempt, url: 'b', endedAt: 29 },
  ];
  expect(servedAt(attempts, ['a', 'b', 'c'], { since: 10, until: 30 })).toEqual([2, 1, 0]);
  expect(servedAt(attempts, ['a'], { since: 10 })).toEqual([3]);
  expect(failures(attempts, { since: 10, until: 30 })).toEqual(['x: 200']);
  expect(failures(attempts, { since: 21, until: 30 })).toEqual([]);
});

test('what never happened is named', () => {
  expect(zeroes({ changes: 3, callbacks: 0, tasks: 0 })).toEqual(['no callbacks', 'no tasks']);
});
