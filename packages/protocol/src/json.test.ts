import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../test/arbitraries.ts';
import { decodeJson } from './json.ts';
import { encodeUtf8 } from './utf8.ts';

const read = (text: string) => decodeJson(encodeUtf8(text));

describe('JSON as it came', () => {
  test('reads back what was written, whatever the text', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(read(JSON.stringify({ text }))).toEqual({ text });
      }),
    );
  });

  test('an escaped pair is a character like any other', () => {
    expect(read(String.raw`{"a":"\ud83d\ude00"}`)).toEqual({ a: '😀' });
    expect(read(String.raw`{"\uD83D\uDE00":1}`)).toEqual({ '😀': 1 });
    expect(read(String.raw`"\\ud800"`)).toBe(String.raw`\ud800`);
  });

  test.each([
    ['half a pair', String.raw`{"a":"\ud800"}`],
    ['the other half', String.raw`["\uDC00x"]`],
    ['the halves in the wrong order', String.raw`"\ude00\ud83d"`],
    ['half a pair in a name', String.raw`{"a":{"\udfff":1}}`],
    ['half a pair far down', `${'['.repeat(200_000)}"\\ud800"${']'.repeat(200_000)}`],
    ['nothing', ''],
    ['a form', 'a=b'],
    ['a byte-order mark', '\ufeff{}'],
  ])('%s is none', (_, text) => {
    expect(read(text)).toBeUndefined();
  });

  test('it is JSON exactly if every text in it is well formed', () => {
    const piece = fc.constantFrom('\\ud83d', '\\uDE00', '\\u0041', '\\\\', 'u', 'd800', '\\n', '\\"', 'é');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = `"${pieces.join('')}"`;
        const value = JSON.parse(text) as string;
        expect(read(text)).toBe(value.isWellFormed() ? value : undefined);
      }),
    );
  });

  test('bytes that are no UTF-8 are none', () => {
    expect(decodeJson(Uint8Array.of(0x22, 0xfc, 0x22))).toBeUndefined();
  });
});
