/** Which rows of a table are selected after a click on a checkbox. */

/** Selects a row, or no longer; with `anchor`, all rows from there to this one become what this one becomes. */
export function toggleRow({
  keys,
  selected,
  key,
  anchor,
  max = Number.POSITIVE_INFINITY,
}: {
  readonly keys: readonly string[];
  readonly selected: ReadonlySet<string>;
  readonly key: string;
  readonly anchor?: string | undefined;
  readonly max?: number | undefined;
}): ReadonlySet<string> {
  const isSelected = !selected.has(key);
  const [start, end] = [anchor === undefined ? -1 : keys.indexOf(anchor), keys.indexOf(key)];
  const range = start < 0 ? [key] : keys.slice(Math.min(start, end), Math.max(start, end) + 1);
  const next = new Set(selected);
  for (const each of range)
    if (!isSelected) next.delete(each);
    else if (next.size < max) next.add(each);
  return next;
}

/** Selects all rows, or none if all were selected. Keys that are not among these rows stay selected. */
export function toggleAll(
  keys: readonly string[],
  selected: ReadonlySet<string>,
  max = Number.POSITIVE_INFINITY,
): ReadonlySet<string> {
  const next = new Set(selected);
  const areAll = keys.every((key) => selected.has(key));
  for (const key of keys)
    if (areAll) next.delete(key);
    else if (next.size < max) next.add(key);
  return next;
}
