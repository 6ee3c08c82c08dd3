/** How a table of records is sorted, and which of its rows are chosen. */

export interface RecordSort {
  readonly column: string;
  readonly isDescending: boolean;
}

/** The same column again turns the order around. */
export function nextSort(sort: RecordSort | undefined, column: string): RecordSort {
  return { column, isDescending: sort?.column === column && !sort.isDescending };
}

/** Rows without a value come last in either order; those that are equal stay as they were. */
export function sortRecords<Row>(
  rows: readonly Row[],
  sort: RecordSort | undefined,
  columns: readonly {
    readonly id: string;
    readonly sortBy?: ((row: Row) => string | number | undefined) | undefined;
  }[],
): readonly Row[] {
  const sortBy = columns.find(({ id }) => id === sort?.column)?.sortBy;
  if (sort === undefined || sortBy === undefined) return rows;
  const direction = sort.isDescending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [sortBy(one), sortBy(other)];
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return direction * compareValues(a, b);
  });
}

const NATURAL = new Intl.Collator(undefined, { numeric: true });

function compareValues(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : NATURAL.compare(String(a), String(b));
}

/** Chooses a row, or no longer; with `from`, all between the two become what this one becomes. */
export function chooseOne({
  keys,
  chosen,
  key,
  from,
  max = Number.POSITIVE_INFINITY,
}: {
  readonly keys: readonly string[];
  readonly chosen: ReadonlySet<string>;
  readonly key: string;
  readonly from?: string | undefined;
  readonly max?: number | undefined;
}): ReadonlySet<string> {
  const isChosen = !chosen.has(key);
  const [start, end] = [from === undefined ? -1 : keys.indexOf(from), keys.indexOf(key)];
  const range = start < 0 ? [key] : keys.slice(Math.min(start, end), Math.max(start, end) + 1);
  const next = new Set(chosen);
  for (const each of range)
    if (!isChosen) next.delete(each);
    else if (next.size < max) next.add(each);
  return next;
}

/** All of them, or none if they were all chosen. What was chosen elsewhere stays. */
export function chooseAll(
  keys: readonly string[],
  chosen: ReadonlySet<string>,
  max = Number.POSITIVE_INFINITY,
): ReadonlySet<string> {
  const next = new Set(chosen);
  const areAll = keys.every((key) => chosen.has(key));
  for (const key of keys)
    if (areAll) next.delete(key);
    else if (next.size < max) next.add(key);
  return next;
}
