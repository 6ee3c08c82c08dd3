import { Fault } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { FREE_BYTES, MemoryBudget, MemoryShare } from './memory-budget.ts';

test('a share counts beyond what is free, once, and gives all of it back', () => {
  const budget = new MemoryBudget(1000, 'come again');
  const share = new MemoryShare(budget);
  share.take(FREE_BYTES - 1);
  expect(budget.heldBytes).toBe(0);
  share.take(11);
  share.take(5);
  expect(budget.heldBytes).toBe(15);
  share.giveBack();
  share.giveBack();
  expect(budget.heldBytes).toBe(0);
});

test('beyond the budget a share is refused and holds what it held; one that needs little is not', () => {
  const budget = new MemoryBudget(1000, 'come again');
  const [first, second] = [new MemoryShare(budget), new MemoryShare(budget)];
  first.take(FREE_BYTES + 1000);
  second.take(FREE_BYTES);
  const refused = new Fault('tooManyRequests', { hint: 'come again', retryAfterSeconds: 1 });
  expect(() => second.take(1)).toThrow(refused);
  expect(budget.heldBytes).toBe(1000);
  first.giveBack();
  second.take(1);
  expect(budget.heldBytes).toBe(1);
});
