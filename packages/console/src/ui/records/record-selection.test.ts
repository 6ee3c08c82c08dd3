import { expect, test } from 'vitest';
import { toggleAll, toggleRow } from './record-selection.ts';

const keys = ['a', 'b', 'c', 'd'];

test('a click selects a row, and another one no longer', () => {
  const one = toggleRow({ keys, selected: new Set(), key: 'b' });
  expect([...one]).toEqual(['b']);
  expect([...toggleRow({ keys, selected: one, key: 'b' })]).toEqual([]);
});

test('a range goes either way, and is deselected where its end was selected', () => {
  const range = toggleRow({ keys, selected: new Set(['d']), key: 'b', anchor: 'd' });
  expect([...range].toSorted()).toEqual(['b', 'c', 'd']);
  expect([...toggleRow({ keys, selected: range, key: 'd', anchor: 'c' })]).toEqual(['b']);
});

test('there are never more selected than may be', () => {
  expect(toggleRow({ keys, selected: new Set(['a', 'b']), key: 'c', max: 2 }).size).toBe(2);
  expect(toggleAll(keys, new Set(), 3).size).toBe(3);
});

test('all, then none; what is not among these rows stays selected', () => {
  const all = toggleAll(keys, new Set(['elsewhere']));
  expect(all.size).toBe(5);
  expect([...toggleAll(keys, all)]).toEqual(['elsewhere']);
});
