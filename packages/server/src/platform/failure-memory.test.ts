import { expect, test } from 'vitest';
import { FailureMemory } from './failure-memory.ts';

test('a failure is remembered for as many times as long as it took, up to a limit', () => {
  let now = 0;
  const memory = new FailureMemory<string>({ times: 20, maxMs: 600_000, entries: 10, now: () => now });
  memory.add('quick', 'refused', 50);
  memory.add('slow', 'too late', 60_000);
  now = 999;
  expect([memory.find('quick'), memory.find('slow'), memory.find('other')]).toEqual([
    'refused',
    'too late',
    undefined,
  ]);
  now = 1000;
  expect(memory.find('quick')).toBeUndefined();
  now = 599_999;
  expect(memory.find('slow')).toBe('too late');
  now = 600_000;
  expect(memory.find('slow')).toBeUndefined();
});

test('so many are remembered; the oldest goes first', () => {
  const memory = new FailureMemory<string>({ times: 1, maxMs: 1000, entries: 2, now: () => 0 });
  for (const name of ['a', 'b', 'a', 'c']) memory.add(name, `${name} failed`, 10);
  expect(['a', 'b', 'c'].map((name) => memory.find(name))).toEqual(['a failed', undefined, 'c failed']);
});
