/** Which objects are chosen: some, one by one or in ranges, or everything that begins with the prefix. */
import type { ObjectRow } from './listing.ts';

/** As many as the server takes in one piece of bulk work by name; for more there is the prefix. */
export const MOST_CHOSEN = 10_000;

export interface Selection {
  /** Everything under the prefix, also what was not read. */
  readonly isAll: boolean;
  readonly chosen: ReadonlyMap<string, ObjectRow>;
  /** Where a range begins. */
  readonly anchor: number | undefined;
}

export const NOTHING: Selection = { isAll: false, chosen: new Map(), anchor: undefined };

export function toggled({ isAll, chosen }: Selection, row: ObjectRow, index: number): Selection {
  const next = new Map(isAll ? [] : chosen);
  if (!next.delete(row.key) && next.size < MOST_CHOSEN) next.set(row.key, row);
  return { isAll: false, chosen: next, anchor: index };
}

/** From where the last choice was made to here, both included. */
export function extended(
  was: Selection,
  index: number,
  rowAt: (index: number) => ObjectRow | undefined,
): Selection {
  const anchor = was.anchor ?? index;
  const next = new Map(was.isAll ? [] : was.chosen);
  const [from, to] = anchor < index ? [anchor, index] : [index, anchor];
  for (let at = from; at <= to && next.size < MOST_CHOSEN; at++) {
    const row = rowAt(at);
    if (row !== undefined) next.set(row.key, row);
  }
  return { isAll: false, chosen: next, anchor };
}

export function all(): Selection {
  return { ...NOTHING, isAll: true };
}

export function isChosen({ isAll, chosen }: Selection, key: string): boolean {
  return isAll || chosen.has(key);
}

export function chosenBytes({ chosen }: Selection): number {
  let sum = 0;
  for (const { size } of chosen.values()) sum += size;
  return sum;
}
