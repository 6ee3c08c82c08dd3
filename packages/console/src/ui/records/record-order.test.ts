import { describe, expect, test } from 'vitest';
import { chooseAll, chooseOne, nextSort, sortRecords } from './record-order.ts';

describe('sorting', () => {
  const columns = [{ id: 'name', sortBy: (row: { name?: string | number }) => row.name }, { id: 'other' }];
  const rows = [{ name: 'file 10' }, {}, { name: 'file 9' }, { name: 'archive' }];

  test('is natural, and those without a value come last in either order', () => {
    const sorted = (isDescending: boolean) => sortRecords(rows, { column: 'name', isDescending }, columns);
    expect(sorted(false).map(({ name }) => name)).toEqual(['archive', 'file 9', 'file 10', undefined]);
    expect(sorted(true).map(({ name }) => name)).toEqual(['file 10', 'file 9', 'archive', undefined]);
  });

  test('leaves the order of the server where nothing is to be sorted by', () => {
    expect(sortRecords(rows, undefined, columns)).toBe(rows);
    expect(sortRecords(rows, { column: 'other', isDescending: false }, columns)).toBe(rows);
  });

  test('turns around by the same column, and begins anew by another', () => {
    const ascending = nextSort(undefined, 'name');
    expect(ascending).toEqual({ column: 'name', isDescending: false });
    expect(nextSort(ascending, 'name')).toEqual({ column: 'name', isDescending: true });
    expect(nextSort({ column: 'name', isDescending: true }, 'size').isDescending).toBe(false);
  });
});

describe('choosing', () => {
  const keys = ['a', 'b', 'c', 'd'];

  test('one adds it, and again takes it away', () => {
    const one = chooseOne({ keys, chosen: new Set(), key: 'b' });
    expect([...one]).toEqual(['b']);
    expect([...chooseOne({ keys, chosen: one, key: 'b' })]).toEqual([]);
  });

  test('a range goes either way, and takes away where its end was chosen', () => {
    const range = chooseOne({ keys, chosen: new Set(['d']), key: 'b', from: 'd' });
    expect([...range].toSorted()).toEqual(['b', 'c', 'd']);
    expect([...chooseOne({ keys, chosen: range, key: 'd', from: 'c' })]).toEqual(['b']);
  });

  test('never more than may be chosen', () => {
    expect(chooseOne({ keys, chosen: new Set(['a', 'b']), key: 'c', max: 2 }).size).toBe(2);
    expect(chooseAll(keys, new Set(), 3).size).toBe(3);
  });

  test('all, then none; what is elsewhere stays', () => {
    const all = chooseAll(keys, new Set(['elsewhere']));
    expect(all.size).toBe(5);
    expect([...chooseAll(keys, all)]).toEqual(['elsewhere']);
  });
});
