/** By which column a table of records is sorted, and what that makes of its rows. */

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
  columns: readonly {
    readonly id: string;
    readonly value?: ((row: Row) => string | number | undefined) | undefined;
  }[],
): readonly Row[] {
  const value = columns.find(({ id }) => id === sort?.column)?.value;
  if (sort === undefined || value === undefined) return rows;
  const sign = sort.direction === 'descending' ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return sign * compareValues(a, b);
  });
}

const NATURAL = new Intl.Collator(undefined, { numeric: true });

function compareValues(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : NATURAL.compare(String(a), String(b));
}
