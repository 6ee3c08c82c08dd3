import { Fault } from '@millpond/protocol';
import { anyText } from '@millpond/testing/any-text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPartHeaders } from './part-headers.ts';

/** As the wire gives them: one character per byte. */
const read = (disposition: string, contentType?: string) =>
  readPartHeaders(
    new Map([
      ['content-disposition', Buffer.from(disposition).toString('latin1')],
      ...(contentType === undefined ? [] : [['content-type', contentType] as const]),
    ]),
  );
const faultOf = (disposition: string) => {
  try {
    read(disposition);
    return undefined;
  } catch (error) {
    return error instanceof Fault ? error.fault : error;
  }
};

describe('names', () => {
  test.each([
    ['form-data; name="key"', 'key'],
    ['form-data; name=key', 'key'],
    ['form-data; name=key ', 'key'],
    ['FORM-DATA;NAME="key"', 'key'],
    ['form-data ; filename="a" ; name="key"', 'key'],
    ['form-data; name=""', ''],
    ['form-data; name="x:käse"', 'x:käse'],
    ['form-data; name="a;b=\\"c\\""', 'a;b="c"'],
    ['form-data; name="a%22b%0D%0Ac%2F"', 'a"b\r\nc%2F'],
  ])('%s', (disposition, name) => {
    expect(read(disposition).name).toBe(name);
  });

  test.each([
    '',
    'form-data',
    'form-data; name="key"; Name=key',
    'form-data; name="a"; filename="a"; filename="a"',
    'form-data; filename="a"',
    'attachment; name="key"',
    'form-dataX; name="key"',
  ])('%j is a fault', (disposition) => {
    expect(faultOf(disposition)).toBe('invalidForm');
  });

  test('a name that is not UTF-8 is a fault', () => {
    const headers = new Map([['content-disposition', 'form-data; name="\xff"']]);
    expect(() => readPartHeaders(headers)).toThrow(Fault);
  });

  test('a part without Content-Disposition is a fault', () => {
    expect(() => readPartHeaders(new Map())).toThrow(Fault);
  });
});

describe('file names', () => {
  test.each([
    ['form-data; name="file"', undefined],
    ['form-data; name="file"; filename=""', ''],
    ['form-data; name="file"; filename="a b.txt"', 'a b.txt'],
    ['form-data; name="file"; filename="写真.jpg"', '写真.jpg'],
    ['form-data; name="file"; filename="C:\\photos\\1.jpg"', 'C:\\photos\\1.jpg'],
    ['form-data; name="file"; filename="say \\"hi\\".txt"', 'say "hi".txt'],
    ['form-data; name="file"; filename="a.txt"; filename*=UTF-8\'\'na%C3%AFve.txt', 'naïve.txt'],
    ['form-data; name="file"; filename="a.txt"; filename*=latin1\'\'b.txt', 'a.txt'],
  ])('%s', (disposition, filename) => {
    expect(read(disposition).filename).toBe(filename);
  });

  test('an extended name that is not UTF-8 is a fault', () => {
    expect(faultOf('form-data; name="file"; filename*=UTF-8\'\'%FF')).toBe('invalidForm');
  });
});

test('the type is as it was sent, and none when nothing was said', () => {
  expect(read('form-data; name="file"').mimeType).toBeUndefined();
  expect(read('form-data; name="file"', '').mimeType).toBeUndefined();
  expect(read('form-data; name="file"', 'Text/Plain; charset="x"').mimeType).toBe('Text/Plain; charset="x"');
});

test('no header makes it throw anything but a fault', () => {
  const piece = fc.oneof(
    anyText({ maxLength: 8 }),
    fc.constantFrom('form-data', ';', ' name=', '"', '\\', "filename*=utf-8''", '%', '%C3', '\xff', ' '),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const disposition = `form-data;${pieces.join('')}`;
      expect([undefined, 'invalidForm']).toContain(faultOf(disposition));
    }),
    { numRuns: 500 },
  );
});
