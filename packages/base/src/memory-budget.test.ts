import { Fault } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { FREE_BYTES, MemoryBudget, MemoryReservation } from './memory-budget.ts';

test('a share counts beyond what is free, once, and gives all of it back', () => {
  const budget = new MemoryBudget(1000, 'come again');
  const share = new MemoryReservation(budget, []);
  share.acquire(FREE_BYTES - 1);
  expect(budget.heldBytes).toBe(0);
  share.acquire(11);
  share.acquire(5);
  expect(budget.heldBytes).toBe(15);
  share.release();
  share.release();
  expect(budget.heldBytes).toBe(0);
});

test('beyond the budget a share is refused and holds what it held; one that needs little is not', () => {
  const budget = new MemoryBudget(1000, 'come again');
  const [first, second] = [new MemoryReservation(budget, []), new MemoryReservation(budget, [])];
  first.acquire(FREE_BYTES + 1000);
  second.acquire(FREE_BYTES);
  const refused = new Fault('tooManyRequests', { hint: 'come again', retryAfterSeconds: 1 });
  expect(() => second.acquire(1)).toThrow(refused);
  expect(budget.heldBytes).toBe(1000);
  first.release();
  second.acquire(1);
  expect(budget.heldBytes).toBe(1);
});

test('a share that shrinks gives back what it no longer holds, and one that may not grow holds what it held', () => {
  const budget = new MemoryBudget(1200, 'come again');
  const share = new MemoryReservation(budget, ['a'], 100);
  expect([share.tryReserve(700), budget.heldBytes]).toEqual([true, 600]);
  expect([share.tryReserve(701), budget.heldBytes]).toEqual([false, 600]);
  expect([share.tryReserve(150), budget.heldBytes]).toEqual([true, 50]);
  expect([share.tryReserve(100), budget.heldBytes]).toEqual([true, 0]);
  expect([share.tryReserve(700), budget.heldBytes]).toEqual([true, 600]);
});

/** As much as a holder gets, ten bytes at a time. */
function fill(budget: MemoryBudget, holders: readonly string[]): number {
  const share = new MemoryReservation(budget, holders, 0);
  for (let taken = 0; ; taken += 10) {
    try {
      share.acquire(10);
    } catch {
      return taken;
    }
  }
}

test('a holder gets half when it is alone, and never more than it leaves for whoever comes next', () => {
  const budget = new MemoryBudget(1200, 'come again');
  expect(fill(budget, ['a'])).toBe(600);
  expect(fill(budget, ['a'])).toBe(0);
  expect(fill(budget, ['b'])).toBe(300);
  expect(fill(budget, ['c'])).toBe(150);
  expect(budget.heldBytes).toBe(1050);
});

test('of several holders each must leave enough', () => {
  const budget = new MemoryBudget(1200, 'come again');
  expect(fill(budget, ['a', 'account'])).toBe(600);
  expect(fill(budget, ['b', 'account'])).toBe(0);
  expect(fill(budget, ['b', 'another'])).toBe(300);
});

test('what is held counts for an account once it is known, and no longer than it is held', () => {
  const budget = new MemoryBudget(1200, 'come again');
  const [one, two] = [new MemoryReservation(budget, ['a'], 0), new MemoryReservation(budget, ['b'], 0)];
  one.acquire(400);
  two.acquire(300);
  one.charge('account');
  expect(() => two.charge('account')).toThrow(Fault);
  // What is small counts for nobody.
  new MemoryReservation(budget, ['b']).charge('account');
  one.release();
  two.charge('account');
  two.release();
  expect([budget.heldBytes, fill(budget, ['a', 'b', 'account'])]).toEqual([0, 600]);
});
