import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText, stringOf } from '../test/arbitraries.ts';
import { faultOf } from '../test/faults.ts';
import { decodeBase64, decodeBase64Text, encodeBase64, encodeBase64Text, tryDecodeBase64 } from './base64.ts';
import { Fault } from './errors/fault.ts';

describe('URL-safe Base64', () => {
  test('writes what Node writes, with padding', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const padded = Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
        expect(encodeBase64(bytes)).toBe(padded);
      }),
    );
  });

  test('text is written as UTF-8', () => {
    expect(encodeBase64Text('七牛?>')).toBe('5LiD54mbPz4=');
    expect(encodeBase64Text('')).toBe('');
  });

  test('text is read as UTF-8, and what is none is refused as its reader says', () => {
    expect(decodeBase64Text('5LiD54mbPz4')).toBe('七牛?>');
    expect(faultOf(() => decodeBase64Text('_w=='))).toBe('invalidArgument');
    expect(faultOf(() => decodeBase64Text('_w==', () => new Fault('keyNotUtf8')))).toBe('keyNotUtf8');
  });

  test('reads back what it wrote, with and without padding', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const text = encodeBase64(bytes);
        expect(decodeBase64(text)).toEqual(bytes);
        expect(decodeBase64(text.replaceAll('=', ''))).toEqual(bytes);
      }),
    );
  });

  test('no two texts decode to the same bytes, padding aside', () => {
    const nearly = stringOf('ABab01-_+/= \n', 9);
    fc.assert(
      fc.property(nearly, (text) => {
        const bytes = tryDecodeBase64(text);
        if (bytes === undefined) return;
        expect([encodeBase64(bytes), encodeBase64(bytes).replaceAll('=', '')]).toContain(text);
      }),
      { numRuns: 2000 },
    );
  });

  test('any text decodes or is an invalid argument', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect([undefined, 'invalidArgument']).toContain(faultOf(() => decodeBase64(text)));
      }),
    );
  });

  test.each([
    ['a foreign character', 'Zm9v!!!*bad'],
    ['the standard alphabet', 'ab+/'],
    ['a space', 'Zm 9v'],
    ['a line break at the end', 'Zm9v\n'],
    ['one character alone', 'A'],
    ['five characters', 'Zm9vA'],
    ['bits left over', 'QR=='],
    ['bits left over, no padding', 'QQF'],
    ['half of its padding', 'QQ='],
    ['too much padding', 'Zm9v='],
    ['padding alone', '===='],
    ['padding in the middle', 'QQ==QQ=='],
    ['a wide character that folds onto a letter', 'Zm9\u0176'],
  ])('refuses %s', (_, text) => {
    expect(faultOf(() => decodeBase64(text))).toBe('invalidArgument');
  });
});
