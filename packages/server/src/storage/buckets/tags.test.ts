import { encodeBase64Text } from '@millpond/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTagCondition, parseTags } from './tags.ts';

const refusal = expect.objectContaining({ fault: 'invalidArgument' });
/** As long as a key may be: ten graphemes can be far more bytes than that. */
const word = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 10 })
  .filter((text) => !text.includes('\0') && Buffer.byteLength(text) <= 64);

describe('tags', () => {
  test('are read as they are written', () => {
    const tag = fc.record({ Key: word, Value: word });
    fc.assert(
      fc.property(fc.uniqueArray(tag, { selector: ({ Key }) => Key, maxLength: 10 }), (Tags) => {
        expect(parseTags(Buffer.from(JSON.stringify({ Tags })))).toEqual(Tags);
      }),
    );
  });

  test('of any other form are refused, and nothing else is thrown', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ Tags: fc.anything() })), (value) => {
        try {
          parseTags(Buffer.from(JSON.stringify(value) ?? ''));
        } catch (error) {
          expect(error).toEqual(refusal);
        }
      }),
    );
  });
});

describe('a condition on tags', () => {
  test('names keys, with values or without', () => {
    expect(parseTagCondition(null)).toBeUndefined();
    expect(parseTagCondition('')).toBeUndefined();
    expect(parseTagCondition(encodeBase64Text('key=a&value=b=c;key=d;key=e&value='))).toEqual([
      { Key: 'a', Value: 'b=c' },
      { Key: 'd' },
      { Key: 'e', Value: '' },
    ]);
  });

  test.each([
    '!',
    encodeBase64Text('value=b'),
    encodeBase64Text('key='),
    encodeBase64Text(';'),
    encodeBase64Text('x=y'),
  ])('%s is none', (encoded) => {
    expect(() => parseTagCondition(encoded)).toThrow(refusal);
  });
});
