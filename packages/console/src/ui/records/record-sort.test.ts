import { expect, test } from 'vitest';
import type { RecordColumn } from './record-column.ts';
import { nextSort, type RecordSort, sortRecords } from './record-sort.ts';

const columns: readonly RecordColumn<{ name?: string | number }>[] = [
  { id: 'name', header: 'Name' },
  { id: 'other', header: 'Other', cell: () => null },
];
const rows = [{ name: 'file 10' }, {}, { name: 'file 9' }, { name: 'archive' }];

test('sorting is natural, and rows without a value come last in either direction', () => {
  const sorted = (direction: RecordSort['direction']) =>
    sortRecords(rows, { column: 'name', direction }, columns).map(({ name }) => name);
  expect(sorted('ascending')).toEqual(['archive', 'file 9', 'file 10', undefined]);
  expect(sorted('descending')).toEqual(['file 10', 'file 9', 'archive', undefined]);
});

test('the order of the server stays where there is nothing to sort by', () => {
  expect(sortRecords(rows, undefined, columns)).toBe(rows);
  expect(sortRecords(rows, { column: 'other', direction: 'ascending' }, columns)).toBe(rows);
});

test('the same column reverses the direction, another begins with ascending', () => {
  const ascending = nextSort(undefined, 'name');
  expect(ascending).toEqual({ column: 'name', direction: 'ascending' });
  const descending = nextSort(ascending, 'name');
  expect(descending).toEqual({ column: 'name', direction: 'descending' });
  expect(nextSort(descending, 'name')).toEqual(ascending);
  expect(nextSort(descending, 'size').direction).toBe('ascending');
});
