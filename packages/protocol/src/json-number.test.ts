import { expect, test } from 'vitest';
import { jsonNumber } from './json-number.ts';

test('a number above 2^53 is printed with all its digits, and as a number', () => {
  expect(JSON.stringify({ putTime: jsonNumber(14285516077733591n) })).toBe('{"putTime":14285516077733591}');
  expect(JSON.stringify([jsonNumber(0n), jsonNumber(-1n)])).toBe('[0,-1]');
});
