import { expect, test } from 'vitest';
import { Counts } from './counts.ts';

test('counts forget what is not there any more', () => {
  const counts = new Counts();
  counts.add('a');
  counts.add('a');
  counts.add('b');
  counts.remove('b');
  expect([counts.of('a'), counts.of('b'), counts.size]).toEqual([2, 0, 1]);
});
