import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../test/arbitraries.ts';
import { faultOf } from '../test/faults.ts';
import { parseFields } from './fields.ts';
import { decodePercent } from './percent.ts';
import { decodeUtf8, encodeUtf8 } from './utf8.ts';

const escaped = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
/** Nearly UTF-8, so that both outcomes come up often. */
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 6 }),
  fc
    .tuple(anyText(3), fc.uint8Array({ maxLength: 1 }), anyText(3))
    .map(([before, odd, after]) => Uint8Array.of(...encodeUtf8(before), ...odd, ...encodeUtf8(after))),
);

describe('the fields of a form', () => {
  test('are what URLSearchParams reads, where the text is one', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText(8), anyText(8)), { maxLength: 5 }), (pairs) => {
        const text = new URLSearchParams(pairs).toString();
        expect([...parseFields(text)]).toEqual(pairs.length === 0 ? [] : pairs);
        expect([...parseFields(encodeUtf8(text))]).toEqual([...parseFields(text)]);
      }),
    );
  });

  test('spelled by any bytes are read exactly where these are UTF-8, in names as in values', () => {
    fc.assert(
      fc.property(bytes, fc.boolean(), (value, isName) => {
        const form = isName ? `a=1&${escaped(value)}=2` : `a=1&b=${escaped(value)}&c=2`;
        const text = decodeUtf8(value);
        if (text === undefined) expect(faultOf(() => parseFields(form))).toBe('invalidArgument');
        // The last of its name: it may be called as the first is.
        else
          expect(
            parseFields(form)
              .getAll(isName ? text : 'b')
              .at(-1),
          ).toBe(isName ? '2' : text);
      }),
      { numRuns: 2000 },
    );
  });

  test('no two spellings of different bytes are one value', () => {
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        const [first, second] = [one, other].map((value) => {
          try {
            return parseFields(`password=${escaped(value)}`).get('password');
          } catch {
            return undefined;
          }
        });
        if (first !== undefined && first === second) expect(one).toEqual(other);
      }),
      { numRuns: 2000 },
    );
  });

  test('may be sent as raw bytes, if these are UTF-8', () => {
    expect(parseFields(encodeUtf8('key=水+%E6%B0%B4')).get('key')).toBe('水 水');
    expect(faultOf(() => parseFields(Uint8Array.of(0x61, 0x3d, 0xfc)))).toBe('invalidArgument');
    // Half by an escape and half raw: together they would be a character.
    expect(faultOf(() => parseFields(Uint8Array.of(0x61, 0x3d, 0xc3, ...encodeUtf8('%A9'))))).toBe(
      'invalidArgument',
    );
  });

  test('a percent sign that is no escape stands for itself', () => {
    expect([...parseFields('a=100%&b=%zz%25&%=%4')]).toEqual([
      ['a', '100%'],
      ['b', '%zz%'],
      ['%', '%4'],
    ]);
    expect(faultOf(() => parseFields('a=%%ff'))).toBe('invalidArgument');
  });

  test('a percent sign that is no escape is refused where escapes are strict, and the field is named', () => {
    for (const form of ['email=a%zz@example.com', 'a=1&email=%', 'email=%4', 'email=%%40', 'email=a%4&b=1'])
      expect(() => parseFields(form, { refusal: 'badRequest', strictEscapes: true })).toThrow(
        expect.objectContaining({
          fault: 'badRequest',
          hint: 'email is not percent-encoded: a % stands before two hexadecimal digits',
        }),
      );
    expect(parseFields('email=a%25zz%40b', { strictEscapes: true }).get('email')).toBe('a%zz@b');
    expect(faultOf(() => parseFields('a=%ff', { strictEscapes: true }))).toBe('invalidArgument');
  });

  test('the refusal is the one of the call’s interface, and names the field', () => {
    expect(() => parseFields('a=1&password=%FC', { refusal: 'badRequest' })).toThrow(
      expect.objectContaining({ fault: 'badRequest', hint: 'password is not UTF-8' }),
    );
    expect(() => parseFields('%FC=1')).toThrow(expect.objectContaining({ hint: 'a parameter is not UTF-8' }));
  });

  test('are at most 1,000', () => {
    expect(parseFields(`${'a=1&'.repeat(999)}a=1`).getAll('a')).toHaveLength(1000);
    expect(faultOf(() => parseFields(`${'a=1&'.repeat(1000)}a=1`))).toBe('invalidArgument');
  });
});

describe('percent-encoding', () => {
  test('is decoded exactly where the bytes are UTF-8', () => {
    fc.assert(
      fc.property(bytes, (value) => {
        expect(decodePercent(escaped(value))).toBe(decodeUtf8(value));
      }),
      { numRuns: 2000 },
    );
  });

  test('a broken escape is none', () => {
    for (const text of ['%', '%4', 'a%zz', '%C3%']) expect(decodePercent(text)).toBeUndefined();
    expect(decodePercent('a+b%20c')).toBe('a+b c');
  });
});
