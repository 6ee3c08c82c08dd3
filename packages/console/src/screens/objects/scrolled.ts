/**
 * Which rows are in view, and where they stand, for lists longer than a browser can make an element: beyond a height the scroll
 * bar is scaled. Small steps still move by their own length, so that reading on with a wheel or finger misses no row; a jump
 * goes to the same share of the list.
 */

/** Firefox stops at about 17 million pixels. */
export const MOST_PIXELS = 8_000_000;

export interface View {
  /** Of the whole list, in its own pixels. */
  readonly top: number;
  /** Of the element that scrolls. */
  readonly scrollTop: number;
}

export interface Measures {
  readonly rows: number;
  readonly rowHeight: number;
  readonly height: number;
}

export function spacerHeight({ rows, rowHeight }: Measures): number {
  return Math.min(rows * rowHeight, MOST_PIXELS);
}

/** Pixels of the list for one of the scroll bar. */
function scale(measures: Measures): number {
  const { rows, rowHeight, height } = measures;
  const room = spacerHeight(measures) - height;
  return room <= 0 ? 1 : Math.max(1, (rows * rowHeight - height) / room);
}

/** The view after the element scrolled. */
export function scrolledTo(was: View, scrollTop: number, measures: Measures): View {
  const by = scale(measures);
  const most = Math.max(0, measures.rows * measures.rowHeight - measures.height);
  const isStep = by > 1 && Math.abs(scrollTop - was.scrollTop) < measures.height * 2;
  const isAtEnd = scrollTop <= 0 || scrollTop >= spacerHeight(measures) - measures.height;
  const top = isStep && !isAtEnd ? was.top + scrollTop - was.scrollTop : scrollTop * by;
  return { top: Math.min(Math.max(0, top), most), scrollTop };
}

/** The view that begins at this place. */
export function viewAt(top: number, measures: Measures): View {
  const most = Math.max(0, measures.rows * measures.rowHeight - measures.height);
  const kept = Math.min(Math.max(0, top), most);
  return { top: kept, scrollTop: kept / scale(measures) };
}

/** First and last row to draw, exclusive, with some beyond each edge. */
export function rowsInView({ top }: View, { rows, rowHeight, height }: Measures, more = 2): [number, number] {
  const first = Math.max(0, Math.floor(top / rowHeight) - more);
  return [first, Math.min(rows, Math.ceil((top + height) / rowHeight) + more)];
}

/** Where a row stands inside the spacer. */
export function rowTop(index: number, { top, scrollTop }: View, { rowHeight }: Measures): number {
  return scrollTop + index * rowHeight - top;
}
