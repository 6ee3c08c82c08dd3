import { encodeBase64Text, Fault } from '@millpond/protocol';
import { anyText } from '@millpond/testing/any-text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMkfile } from './mkfile.ts';

const PREFIX = 'x-svc-meta-';
const read = (...segments: string[]) => readMkfile(segments, PREFIX);
const b64 = encodeBase64Text;
const nothing = { key: undefined, fname: undefined, mimeType: undefined, customVars: {}, metadata: {} };

test('a size alone is enough', () => {
  expect(read('0')).toEqual({ fsize: 0, ...nothing });
});

test('pairs are read in any order', () => {
  const pairs = [
    ['x:a', b64('1')],
    ['X-Svc-Meta-Colour', b64('blue')],
    ['fname', b64('f/ü.txt')],
    ['key', b64('k/ü')],
    ['mimeType', b64('text/plain')],
  ];
  const expected = {
    fsize: 12,
    key: 'k/ü',
    fname: 'f/ü.txt',
    mimeType: 'text/plain',
    customVars: { 'x:a': '1' },
    metadata: { Colour: 'blue' },
  };
  expect(read('12', ...pairs.flat())).toEqual(expected);
  expect(read('12', ...pairs.toReversed().flat())).toEqual(expected);
});

test('an empty key is a key', () => {
  expect(read('1', 'key', '')).toEqual({ fsize: 1, ...nothing, key: '' });
});

test('clients that write the type’s name in lower case are understood', () => {
  expect(read('1', 'mimetype', b64('a/b')).mimeType).toBe('a/b');
});

describe('refused:', () => {
  test.each([
    ['no size', []],
    ['a negative size', ['-1']],
    ['a size that is no number', ['1e3']],
    ['a size past all numbers', ['9'.repeat(16)]],
    ['a name without a value', ['1', 'key']],
    ['a key twice', ['1', 'key', b64('k'), 'key', b64('k')]],
    ['a type twice', ['1', 'mimeType', b64('a/b'), 'mimetype', b64('a/b')]],
    ['a variable twice', ['1', 'x:a', b64('1'), 'x:a', b64('2')]],
    ['metadata twice', ['1', `${PREFIX}a`, b64('1'), `${PREFIX.toUpperCase()}A`, b64('2')]],
    ['an unknown name', ['1', 'colour', b64('blue')]],
    ['a key that is not Base64', ['1', 'key', '%%%']],
    ['a key that is not UTF-8', ['1', 'key', '_w==']],
    ['a key of more than 750 bytes', ['1', 'key', b64('k'.repeat(751))]],
    ['a name that is not UTF-8', ['1', 'fname', '_w==']],
  ])('%s', (_, segments) => {
    expect(() => read(...segments)).toThrow(Fault);
  });
});

test('whatever the path says, nothing but a 400 comes of it', () => {
  const name = fc.oneof(
    fc.constantFrom('key', 'fname', 'mimeType', 'x:a', `${PREFIX}a`, `${PREFIX}__proto__`, '__proto__'),
    fc.string(),
  );
  const value = fc.oneof(fc.string(), fc.base64String(), fc.string().map(b64));
  const path = fc.tuple(fc.oneof(fc.nat().map(String), fc.string()), fc.array(fc.oneof(name, value)));
  fc.assert(
    fc.property(path, ([size, rest]) => {
      try {
        read(size, ...rest);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        expect(error.status).toBe(400);
      }
    }),
  );
});

test('every text comes through as it was', () => {
  const text = anyText({ maxLength: 100 });
  fc.assert(
    fc.property(text, text, (fname, variable) => {
      const request = read('1', 'fname', b64(fname), 'x:v', b64(variable));
      expect([request.fname, request.customVars['x:v']]).toEqual([fname, variable]);
    }),
  );
});

test('no name of a metadata key is lost', () => {
  expect(Object.entries(read('1', `${PREFIX}__proto__`, b64('v')).metadata)).toEqual([['__proto__', 'v']]);
});
