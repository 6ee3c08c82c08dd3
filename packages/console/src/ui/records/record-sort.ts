/** By which column a table of records is sorted, and what that makes of its rows. */
import { hasValue, type RecordColumn, recordValue } from './record-column.ts';

export interface RecordSort {
  /** The column's id. */
  readonly column: string;
  readonly direction: 'ascending' | 'descending';
}

/** The same column again reverses the order. */
export function nextSort(sort: RecordSort | undefined, column: string): RecordSort {
  const isReversed = sort?.column === column && sort.direction === 'ascending';
  return { column, direction: isReversed ? 'descending' : 'ascending' };
}

/** Rows without a value come last in either direction; those that are equal stay as they were. */
export function sortRecords<Row>(
  rows: readonly Row[],
  sort: RecordSort | undefined,
  columns: readonly RecordColumn<Row>[],
): readonly Row[] {
  const column = columns.find(({ id }) => id === sort?.column);
  if (sort === undefined || column === undefined || !hasValue(column)) return rows;
  const sign = sort.direction === 'descending' ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [recordValue(column, one), recordValue(column, other)];
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return sign * compareValues(a, b);
  });
}

const NATURAL = new Intl.Collator(undefined, { numeric: true });

function compareValues(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : NATURAL.compare(String(a), String(b));
}
