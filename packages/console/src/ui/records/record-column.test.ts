import { expect, test } from 'vitest';
import { hasValue, type RecordColumn, recordText, recordTooltip } from './record-column.ts';

const row = { key: 'films/1.mov', size: 4096, created: '2026-11-15T14:32:07Z', gone: undefined };
type Row = Omit<typeof row, 'gone'> & { readonly gone?: number | undefined };

const text = (column: RecordColumn<Row>) => [recordText(column, row), recordTooltip(column, row)];

test('the value is the member that the column is named after, or what it makes of the record', () => {
  expect(text({ id: 'key', header: 'Key' })).toEqual(['films/1.mov', 'films/1.mov']);
  expect(text({ id: 'name', header: 'Name', value: ({ key }) => key.slice(6) })).toEqual(['1.mov', '1.mov']);
  expect(text({ id: 'gone', header: 'Gone', kind: 'number' })).toEqual([undefined, undefined]);
});

test('numbers and times are written in the way of the console, or of the column', () => {
  expect(text({ id: 'size', header: 'Size', kind: 'number' })).toEqual(['4,096', undefined]);
  const format = (value: number) => `${value} B`;
  expect(text({ id: 'size', header: 'Size', kind: 'number', format })).toEqual(['4096 B', undefined]);
  const [short, full] = text({ id: 'created', header: 'Created', kind: 'time', format: () => 'today' });
  expect(short).toBe('today');
  expect(full).toMatch(/^2026-11-1\d \d\d:32:07$/);
});

test('a tooltip may say more, and a cell without a value has none, nor can be sorted by', () => {
  const column: RecordColumn<Row> = { id: 'key', header: 'Key', cell: () => 'shown' };
  expect(text(column)).toEqual([undefined, undefined]);
  expect([hasValue(column), hasValue({ id: 'key', header: 'Key' })]).toEqual([false, true]);
  expect(text({ ...column, tooltip: ({ size }) => `${size}` })).toEqual([undefined, '4096']);
});
