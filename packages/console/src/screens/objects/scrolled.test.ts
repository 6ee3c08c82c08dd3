import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MOST_PIXELS, rowsInView, rowTop, scrolledTo, spacerHeight, viewAt } from './scrolled.ts';

const START = { top: 0, scrollTop: 0 };

test('a short list scrolls as it is', () => {
  const measures = { rows: 1000, rowHeight: 32, height: 600 };
  expect(spacerHeight(measures)).toBe(32_000);
  expect(scrolledTo(START, 3200, measures)).toEqual({ top: 3200, scrollTop: 3200 });
  expect(rowsInView({ top: 3200, scrollTop: 3200 }, measures, 0)).toEqual([100, 119]);
  expect(rowTop(100, { top: 3200, scrollTop: 3200 }, measures)).toBe(3200);
});

test('of ten million rows the first, the last and every one between can be reached', () => {
  const measures = { rows: 10_000_000, rowHeight: 32, height: 600 };
  expect(spacerHeight(measures)).toBe(MOST_PIXELS);
  const end = scrolledTo(START, MOST_PIXELS - 600, measures);
  expect(rowsInView(end, measures, 0)[1]).toBe(measures.rows);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: measures.rows - 1 }), (row) => {
      const view = viewAt(row * measures.rowHeight, measures);
      const [first, last] = rowsInView(view, measures);
      expect(row).toBeGreaterThanOrEqual(first);
      expect(row).toBeLessThan(last);
      // What is drawn is where the element shows it.
      const y = rowTop(row, view, measures) - view.scrollTop;
      expect(y).toBeLessThanOrEqual(measures.height);
      expect(Math.round(y)).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('a turn of the wheel skips no row, however long the list', () => {
  const measures = { rows: 10_000_000, rowHeight: 32, height: 600 };
  fc.assert(
    fc.property(fc.integer({ min: 1000, max: MOST_PIXELS - 10_000 }), (scrollTop) => {
      const was = scrolledTo(START, scrollTop, measures);
      const now = scrolledTo(was, scrollTop + 120, measures);
      expect(now.top - was.top).toBeCloseTo(120);
    }),
  );
});
