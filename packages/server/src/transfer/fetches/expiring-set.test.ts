import { expect, test } from 'vitest';
import { ExpiringSet } from './mirror.ts';

test('a name is known for its time, counted anew when it comes again', () => {
  let now = 0;
  const remembered = new ExpiringSet(60, 10, () => now);
  expect(remembered.has('a')).toBe(false);
  remembered.add('a');
  now = 59;
  expect(remembered.has('a')).toBe(true);
  remembered.add('a');
  now = 118;
  expect(remembered.has('a')).toBe(true);
  now = 119;
  expect(remembered.has('a')).toBe(false);
});

test('when there are too many, the oldest go', () => {
  const remembered = new ExpiringSet(60, 3, () => 0);
  for (const name of ['a', 'b', 'c', 'a', 'd']) remembered.add(name);
  expect(['a', 'b', 'c', 'd'].map((name) => remembered.has(name))).toEqual([true, false, true, true]);
});
