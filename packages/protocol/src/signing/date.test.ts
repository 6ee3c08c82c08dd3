import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatRequestDate, isRequestDateFresh, parseRequestDate } from './date.ts';

describe('request dates', () => {
  test.each([
    ['20060102T150405Z', '2006-01-02T15:04:05.000Z'],
    ['20260102T030405Z', '2026-01-02T03:04:05.000Z'],
    ['20240229T235959Z', '2024-02-29T23:59:59.000Z'],
    ['00010101T000000Z', '0001-01-01T00:00:00.000Z'],
  ])('%s', (text, iso) => {
    expect(parseRequestDate(text)?.toISOString()).toBe(iso);
    expect(formatRequestDate(new Date(iso))).toBe(text);
  });

  test.each([
    '',
    '20060102T150405',
    '20060102t150405z',
    '20060102 150405Z',
    '2006-01-02T15:04:05Z',
    '20060102T150405.0Z',
    '20060102T150405+0000',
    ' 20060102T150405Z',
    '20060102T150405Z\n',
    '20260230T000000Z',
    '20250229T000000Z',
    '20261301T000000Z',
    '20260001T000000Z',
    '20260102T240000Z',
    '20260102T236000Z',
    '20260102T235960Z',
    '２0060102T150405Z',
  ])('%j is refused', (text) => {
    expect(parseRequestDate(text)).toBeUndefined();
  });

  test('read back what was written, to the second', () => {
    const date = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true });
    fc.assert(
      fc.property(date, (instant) => {
        const seconds = Math.floor(instant.getTime() / 1000) * 1000;
        expect(parseRequestDate(formatRequestDate(instant))?.getTime()).toBe(seconds);
      }),
    );
  });

  test('any text is a date or none', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{8}T\d{6}Z$/), fc.string(), (like, other) => {
        const date = parseRequestDate(like);
        if (date !== undefined) expect(formatRequestDate(date)).toBe(like);
        expect(parseRequestDate(other)).toBeUndefined();
      }),
    );
  });

  test('fifteen minutes off is too much, a little less is not', () => {
    const now = new Date('2026-01-02T03:04:05.000Z');
    const off = (milliseconds: number) => isRequestDateFresh(new Date(now.getTime() + milliseconds), now);
    expect([0, 899_999, -899_999].map(off)).toEqual([true, true, true]);
    expect([900_000, -900_000, 900_001, -86_400_000].map(off)).toEqual([false, false, false, false]);
  });
});
