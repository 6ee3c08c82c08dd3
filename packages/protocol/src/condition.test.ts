import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Condition, formatCondition, parseCondition } from './condition.ts';
import { Fault } from './errors/fault.ts';

describe('conditions', () => {
  test('no plus or percent decoding, and only the first = counts', () => {
    expect(parseCondition('mime=image/svg+xml')).toEqual({ mime: 'image/svg+xml' });
    expect(parseCondition('mime=a%20b&hash=Fh8x==')).toEqual({ mime: 'a%20b', hash: 'Fh8x==' });
    expect(parseCondition('mime=text/plain; charset=utf-8')).toEqual({ mime: 'text/plain; charset=utf-8' });
  });

  test('putTime keeps all 17 digits', () => {
    expect(parseCondition('putTime=14285516077733591&fsize=0')).toEqual({
      putTime: 14285516077733591n,
      fsize: 0n,
    });
    expect(parseCondition('fsize=9223372036854775807').fsize).toBe(2n ** 63n - 1n);
  });

  test.each([
    '',
    'hash',
    'hash=a&',
    '&hash=a',
    'hash=a&hash=b',
    'Hash=a',
    'size=1',
    '__proto__=1',
    'fsize=',
    'fsize=01',
    'fsize=+1',
    'fsize=-1',
    'fsize=1.0',
    'fsize=1e3',
    'fsize=0x1',
    'fsize= 1',
    'fsize=1\n',
    'fsize=9223372036854775808',
    'putTime=١',
    'hash=a&mime=b&fsize=1&putTime=2&hash=c&x',
  ])('%j is an invalid argument', (text) => {
    expect(() => parseCondition(text)).toThrow(Fault);
  });

  test('a value that would start another condition cannot be written', () => {
    expect(() => formatCondition({ mime: 'a&fsize=1' })).toThrow(Fault);
  });

  test('parsing is the inverse of formatting', () => {
    const text = fc.string().filter((value) => !value.includes('&'));
    const number = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
    const condition = fc.record(
      { hash: text, mime: text, fsize: number, putTime: number },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(condition, (written) => {
        fc.pre(Object.keys(written).length > 0);
        expect(parseCondition(formatCondition(written as Condition))).toEqual({ ...written });
      }),
    );
  });

  test('nothing makes it throw anything but a fault', () => {
    const text = fc
      .array(fc.oneof(fc.constantFrom('hash', 'fsize', '=', '&', '1'), fc.string()))
      .map((a) => a.join(''));
    fc.assert(
      fc.property(text, (value) => {
        try {
          parseCondition(value);
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
        }
      }),
    );
  });
});
