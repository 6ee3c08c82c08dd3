import { expect, test } from 'vitest';
import { UsageError } from '../options.ts';
import { isAgainst, parseAgainst } from './options.ts';

test('names of measurements, in any order; without one, all', () => {
  expect(parseAgainst(['stat', 'put', 'stat', '--against', '../old'])).toEqual({
    names: ['stat', 'put'],
    against: '../old',
    seconds: 1,
    rounds: 40,
    rows: 4000,
    json: false,
  });
  const all = ['put', 'get', 'stat', 'list', 'deliveries', 'tasks'];
  expect(parseAgainst(['--against=../old']).names).toEqual(all);
});

test('reads every option', () => {
  const args = ['--against', '/old', '--seconds', '0.5', '--rounds', '8', '--rows', '2000', '--json'];
  expect(parseAgainst(['get', ...args])).toMatchObject({ seconds: 0.5, rounds: 8, rows: 2000, json: true });
});

test.each([
  [['put', '--against', '']],
  [['cp', '--against', '/old']],
  [['put', '--against', '/old', '--rounds', '1']],
  [['put', '--against', '/old', '--size', '1m']],
])('refuses %j', (args) => {
  expect(isAgainst(args)).toBe(true);
  expect(() => parseAgainst(args)).toThrow(UsageError);
});

test('a bench without another checkout is none of this', () => {
  expect(isAgainst(['put', '--rounds', '3'])).toBe(false);
});
