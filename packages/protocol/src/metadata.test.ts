import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fault } from './errors/fault.ts';
import { pairsBytes } from './http/response-headers.ts';
import {
  EMPTY_METADATA,
  type Metadata,
  mergeMetadata,
  metadataLimits,
  parseMetadataChange,
  parseMetadataName,
} from './metadata.ts';

const merge = (current: Metadata, ...pairs: [string, string][]) =>
  mergeMetadata(
    current,
    pairs.map(([name, value]) => parseMetadataChange(name, value)),
  );

describe('names and values', () => {
  test('names are lower-cased; ! marks a response header', () => {
    expect(parseMetadataName('Color_1-a')).toEqual({ kind: 'meta', name: 'color_1-a' });
    expect(parseMetadataName('!Cache-Control')).toEqual({ kind: 'headers', name: 'cache-control' });
    expect(parseMetadataName('a'.repeat(50)).name).toHaveLength(50);
  });

  test.each(['', 'a'.repeat(51), 'a b', 'a.b', 'ä', 'a\n', '!', '!a_b', '!!a', '!a:b'])(
    '%j is no name',
    (name) => {
      expect(() => parseMetadataName(name)).toThrow(Fault);
    },
  );

  test.each(['100%', 'a"b', 'a\r\nb', 'ü', 'a:b', '\0'])('%j is no value', (value) => {
    expect(() => parseMetadataChange('a', value)).toThrow(Fault);
  });

  test('header values are those of their fields', () => {
    const value = 'attachment; filename="a.txt"';
    expect(parseMetadataChange('!Content-Disposition', value)).toEqual({
      kind: 'headers',
      name: 'content-disposition',
      value,
    });
    expect(parseMetadataChange('!Expires', '').value).toBe('');
    for (const bad of ['a\r\nX: y', 'ü', 'tomorrow', ' 0'])
      expect(() => parseMetadataChange('!Expires', bad)).toThrow(Fault);
  });
});

describe('merging', () => {
  test('named keys change, others stay, an empty value removes', () => {
    const first = merge(EMPTY_METADATA, ['a', '1'], ['B', '2'], ['!Expires', '0']);
    expect(merge(first, ['A', ''], ['c', '3'])).toEqual({
      meta: { b: '2', c: '3' },
      headers: { expires: '0' },
    });
    expect(merge(first, ['none', ''])).toEqual(first);
  });

  test('a header and a metadata name may be the same word', () => {
    expect(merge(EMPTY_METADATA, ['a', '1'], ['!a', '2'])).toEqual({ meta: { a: '1' }, headers: { a: '2' } });
  });

  test('the same name twice is a fault, also in another case', () => {
    expect(() => merge(EMPTY_METADATA, ['a', '1'], ['A', '2'])).toThrow(Fault);
  });

  test('1,024 bytes is the limit of the result, not of the change', () => {
    const full = merge(EMPTY_METADATA, ['a', 'x'.repeat(1000)], ['b', 'y'.repeat(22)]);
    expect(pairsBytes(full.meta)).toBe(1024);
    expect(() => merge(full, ['c', ''])).not.toThrow();
    expect(() => merge(full, ['c', '1'])).toThrow(Fault);
    expect(() => merge(full, ['a', 'z'.repeat(1001)])).toThrow(Fault);
    expect(merge(full, ['a', ''], ['c', 'z'.repeat(900)]).meta).toHaveProperty('c');
  });

  test('response headers have a limit of their own, 2,048 bytes', () => {
    const full = merge(EMPTY_METADATA, ['a', 'x'.repeat(1023)], ['!x-a', 'y'.repeat(1000)]);
    expect(merge(full, ['!x-b', 'z'.repeat(1024)], ['!x-c', 'z'.repeat(15)]).headers).toHaveProperty('x-b');
    expect(() => merge(full, ['!x-b', 'z'.repeat(1024)], ['!x-c', 'z'.repeat(16)])).toThrow(
      /response headers/,
    );
    expect(() => merge(full, ['b', '1'])).toThrow(/metadata/);
  });

  test('__proto__ is a name like any other', () => {
    const merged = merge(EMPTY_METADATA, ['__proto__', 'x']);
    expect(Object.entries(merged.meta)).toEqual([['__proto__', 'x']]);
    expect(Object.entries(merge(merged, ['b', '1']).meta)).toHaveLength(2);
  });

  test('nothing makes it throw anything but a fault, and the result is within the limits', () => {
    const pair = fc.tuple(
      fc.oneof(fc.string(), fc.constantFrom('a', 'b', '!c')),
      fc.string({ maxLength: 400 }),
    );
    fc.assert(
      fc.property(fc.array(pair), (pairs) => {
        try {
          const merged = merge(EMPTY_METADATA, ...pairs);
          for (const kind of ['meta', 'headers'] as const)
            expect(pairsBytes(merged[kind])).toBeLessThanOrEqual(metadataLimits[kind].maxBytes);
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
        }
      }),
    );
  });
});
