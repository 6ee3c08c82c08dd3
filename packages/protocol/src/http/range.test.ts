import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatContentRange, parseRange } from './range.ts';

const part = (first: number, last: number) => ({ kind: 'part', first, last });
const whole = { kind: 'whole' };
const unsatisfiable = { kind: 'unsatisfiable' };

describe('ranges of ten bytes', () => {
  test.each<[string | undefined, object]>([
    ['bytes=0-4', part(0, 4)],
    ['bytes=0-0', part(0, 0)],
    ['bytes=9-9', part(9, 9)],
    ['bytes=3-', part(3, 9)],
    ['bytes=3-100', part(3, 9)],
    ['Bytes=3-4', part(3, 4)],
    ['bytes=-3', part(7, 9)],
    ['bytes=-10', part(0, 9)],
    ['bytes=-11', part(0, 9)],
    ['bytes=007-8', part(7, 8)],
    [`bytes=1-${'9'.repeat(40)}`, part(1, 9)],
    ['bytes=10-', unsatisfiable],
    ['bytes=10-20', unsatisfiable],
    [`bytes=${'9'.repeat(40)}-`, unsatisfiable],
    ['bytes=-0', unsatisfiable],
    [undefined, whole],
    ['', whole],
    ['bytes=', whole],
    ['bytes=-', whole],
    ['bytes=4-3', whole],
    ['bytes=20-10', whole],
    ['bytes=0-1,3-4', whole],
    ['bytes=a-b', whole],
    ['bytes=1-2-3', whole],
    ['bytes 0-1', whole],
    ['items=0-1', whole],
    ['bytes=+1-2', whole],
    [`bytes=0-${'9'.repeat(200)}`, whole],
  ])('%s', (header, expected) => expect(parseRange(header, 10)).toEqual(expected));

  test('of nothing', () => {
    expect(parseRange('bytes=0-', 0)).toEqual(unsatisfiable);
    expect(parseRange('bytes=-5', 0)).toEqual(whole);
  });

  test('Content-Range', () => expect(formatContentRange({ first: 0, last: 4 }, 10)).toBe('bytes 0-4/10'));

  test('a part always lies within the size', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^bytes=\d{0,4}-\d{0,4}$/), fc.nat(2000), (header, size) => {
        const range = parseRange(header, size);
        if (range.kind !== 'part') return;
        expect(range.first).toBeGreaterThanOrEqual(0);
        expect(range.last).toBeGreaterThanOrEqual(range.first);
        expect(range.last).toBeLessThan(size);
      }),
    );
  });
});
