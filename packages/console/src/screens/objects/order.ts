/** The order of rows: the server's while there may be more, folders first and by any column once all is there. */

import type { Column } from './columns.ts';
import type { Listing, ObjectRow, Row } from './listing.ts';

/** Sorting more would make the page stand still for a moment. */
const MOST_SORTED = 20_000;

export interface Ordered {
  readonly rowAt: (index: number) => Row | undefined;
  readonly canSort: boolean;
}

export function ordered(listing: Listing | undefined, sort: Column | undefined, isDown: boolean): Ordered {
  const isShort = listing !== undefined && listing.state().count <= MOST_SORTED;
  const rows = isShort ? listing.whole() : undefined;
  if (rows === undefined) return { rowAt: (index) => listing?.row(index), canSort: false };
  const folders = rows.filter(({ kind }) => kind === 'folder');
  const objects = rows.filter((row) => row.kind === 'object');
  if (sort !== undefined && sort !== 'name') objects.sort(comparisons[sort]);
  if (isDown) objects.reverse();
  if (isDown && sort === 'name') folders.reverse();
  const shown: readonly Row[] = [...folders, ...objects];
  return { rowAt: (index) => shown[index], canSort: true };
}

/** By name they come from the server. */
const comparisons = {
  size: (one: ObjectRow, other: ObjectRow) => one.size - other.size,
  class: (one: ObjectRow, other: ObjectRow) => one.type - other.type,
  at: (one: ObjectRow, other: ObjectRow) => one.at - other.at,
} as const;
