import { expect, test } from 'vitest';
import type { ObjectRow } from './listing.ts';
import { all, chosenBytes, extended, isChosen, MOST_CHOSEN, NOTHING, toggled } from './selection.ts';

const row = (at: number): ObjectRow => ({
  kind: 'object',
  key: `k${at}`,
  size: 10,
  type: 0,
  mimeType: 'text/plain',
  at: 0,
  isDisabled: false,
  restore: undefined,
});

test('one by one, and from the last one to here', () => {
  const one = toggled(NOTHING, row(2), 2);
  expect(isChosen(one, 'k2')).toBe(true);
  const range = extended(one, 5, row);
  expect([...range.chosen.keys()]).toEqual(['k2', 'k3', 'k4', 'k5']);
  expect(chosenBytes(range)).toBe(40);
  expect([...extended(range, 0, row).chosen.keys()].sort()).toEqual(['k0', 'k1', 'k2', 'k3', 'k4', 'k5']);
  expect(toggled(range, row(3), 3).chosen.size).toBe(3);
});

test('rows that are folders, or not read, are left out of a range', () => {
  const range = extended(toggled(NOTHING, row(1), 1), 4, (at) => (at === 2 ? undefined : row(at)));
  expect([...range.chosen.keys()]).toEqual(['k1', 'k3', 'k4']);
});

test('all means the prefix; choosing one then begins anew', () => {
  expect(isChosen(all(), 'anything')).toBe(true);
  expect([...toggled(all(), row(7), 7).chosen.keys()]).toEqual(['k7']);
});

test('no more than the server takes', () => {
  const range = extended(toggled(NOTHING, row(0), 0), MOST_CHOSEN + 50, row);
  expect(range.chosen.size).toBe(MOST_CHOSEN);
});
