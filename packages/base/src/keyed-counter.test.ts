import { expect, test } from 'vitest';
import { KeyedCounter } from './keyed-counter.ts';

test('counts forget what is not there any more', () => {
  const keyedCounter = new KeyedCounter();
  keyedCounter.add('a');
  keyedCounter.add('a');
  keyedCounter.add('b');
  keyedCounter.remove('b');
  expect([keyedCounter.of('a'), keyedCounter.of('b'), keyedCounter.size]).toEqual([2, 0, 1]);
});
