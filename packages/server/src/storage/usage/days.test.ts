import fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysOf } from './days.ts';

const now = new Date('2026-11-15T23:59:59Z');

test.each([
  [undefined, undefined, '2026-11-15', '2026-11-15'],
  ['', '', '2026-11-15', '2026-11-15'],
  ['2026-11-01', undefined, '2026-11-01', '2026-11-15'],
  [undefined, '2026-11-01', '2026-11-01', '2026-11-01'],
  [undefined, '2026-11-20', '2026-11-15', '2026-11-20'],
  ['2024-02-29', '2024-03-01', '2024-02-29', '2024-03-01'],
])('from %s to %s', (from, to, first, last) => {
  expect(daysOf(from, to, now)).toEqual({ from: first, to: last });
});

test('what is no range of days is refused, and nothing else is thrown', () => {
  const day = fc.oneof(fc.string(), fc.stringMatching(/^\d{4}-\d{2}-\d{2}$/));
  fc.assert(
    fc.property(day, day, (from, to) => {
      try {
        const days = daysOf(from, to, now);
        expect(days.from <= days.to).toBe(true);
        expect(new Date(days.from).toISOString().slice(0, 10)).toBe(days.from);
      } catch (error) {
        expect(error).toMatchObject({ fault: 'invalidArgument' });
      }
    }),
  );
});
