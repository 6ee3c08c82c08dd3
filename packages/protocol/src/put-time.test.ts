import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonNumber } from './json-number.ts';
import { dateOfPutTime, parseDecimal, putTimeOfDate } from './put-time.ts';

describe('putTime', () => {
  test('is in units of 100 ns', () => {
    expect(putTimeOfDate(new Date('2013-02-09T07:41:13.458Z'))).toBe(13603956734580000n);
  });

  test('all 17 digits are printed, as a JSON number [G21]', () => {
    const record = { putTime: jsonNumber(14285516077733591n), fsize: 1 };
    expect(JSON.stringify(record)).toBe('{"putTime":14285516077733591,"fsize":1}');
    expect(JSON.stringify([jsonNumber(0n), jsonNumber(-1n)])).toBe('[0,-1]');
  });

  test('a date survives, and a putTime loses only what a Date cannot hold', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), fc.bigInt({ min: 0n, max: 9999n }), (date, rest) => {
        expect(dateOfPutTime(putTimeOfDate(date) + rest)).toEqual(date);
      }),
    );
  });
});

describe('decimals', () => {
  test('read back what was written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (value) => {
        expect(parseDecimal(value.toString())).toBe(value);
      }),
    );
  });

  test('a putTime is compared by all its digits [G21]', () => {
    expect(parseDecimal('14285516077733591')).toBe(14285516077733591n);
    expect(parseDecimal('14285516077733591')).not.toBe(parseDecimal('14285516077733592'));
  });

  test.each([
    '',
    ' 1',
    '1 ',
    '+1',
    '-1',
    '-0',
    '01',
    '1.0',
    '1e3',
    '0x1',
    '1n',
    '١',
    '1\n',
    '9223372036854775808',
    '9'.repeat(400),
  ])('refuses %j', (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  });
});
