import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../test/arbitraries.ts';
import { decodeUtf8, encodeUtf8, utf8Length } from './utf8.ts';

describe('UTF-8', () => {
  test('reads back what it wrote', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(decodeUtf8(encodeUtf8(text))).toBe(text);
      }),
    );
  });

  test('a byte-order mark stays', () => {
    expect(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('\ufeffa');
  });

  test.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['half a surrogate pair', [0xed, 0xa0, 0x80]],
    ['a cut sequence', [0xe4, 0xb8]],
    ['a value above U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
  ])('refuses %s', (_, bytes) => {
    expect(decodeUtf8(Uint8Array.from(bytes))).toBeUndefined();
  });

  test('a refused text leaves nothing behind for the next', () => {
    expect(decodeUtf8(Uint8Array.of(0xe4, 0xb8))).toBeUndefined();
    expect(decodeUtf8(Uint8Array.of(0x83))).toBeUndefined();
    expect(decodeUtf8(Uint8Array.of(0x61))).toBe('a');
  });

  test('the length is that of the bytes, also for half surrogate pairs', () => {
    const units = fc.array(
      fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd7ff, max: 0xe000 })),
    );
    fc.assert(
      fc.property(units, (codes) => {
        const text = String.fromCharCode(...codes);
        expect(utf8Length(text)).toBe(encodeUtf8(text).length);
      }),
      { numRuns: 1000 },
    );
  });
});
