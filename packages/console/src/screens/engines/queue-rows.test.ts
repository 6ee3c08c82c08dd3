import { expect, test } from 'vitest';
import { queueRows } from './queue-rows.ts';

test('a queue has a row with its newest figures, and those that wait longest are first', () => {
  const rows = queueRows({
    'requests.calls': [1, 2, 3],
    'queue.quiet.depth': [0, 0, 0],
    'queue.quiet.age': [0, 0, 0],
    'queue.class-moves.depth': [9, 4, null],
    'queue.class-moves.age': [10, 70, null],
    'queue.fetches.depth': [0, 1, 2],
    'queue.fetches.age': [0, 30, 90],
  });
  expect(rows).toEqual([
    { name: 'fetches', waiting: 2, oldest: 90, most: 2 },
    { name: 'class-moves', waiting: 4, oldest: 70, most: 9 },
    { name: 'quiet', waiting: 0, oldest: 0, most: 0 },
  ]);
});

test('an age without a job is none, and no figures are no rows', () => {
  expect(queueRows({ 'queue.a.depth': [3, 0], 'queue.a.age': [5, 5] })).toEqual([
    { name: 'a', waiting: 0, oldest: 0, most: 3 },
  ]);
  expect(queueRows({ 'queue.b.depth': [null] })).toEqual([{ name: 'b', waiting: 0, oldest: 0, most: 0 }]);
  expect(queueRows({})).toEqual([]);
});
