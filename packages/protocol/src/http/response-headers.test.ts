import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../test/arbitraries.ts';
import { asAttachment, formatAttachment, isDisposition } from './disposition.ts';
import {
  MAX_RESPONSE_HEADER_BYTES,
  responseHeaderName,
  responseHeaderNames,
  responseHeaderProblem,
} from './response-headers.ts';

const good: Readonly<Record<string, readonly string[]>> = {
  'Cache-Control': [
    'no-store',
    'public, max-age=31536000, immutable',
    'private,max-age=0,must-revalidate',
    'max-age=60 , stale-while-revalidate=30',
    'no-cache="set-cookie, max-age=x", s-maxage=1',
    'MAX-AGE=1',
    'x-own="a \\" b"',
  ],
  'Content-Disposition': [
    'inline',
    'attachment',
    'Attachment; filename=a.txt',
    'attachment; filename="a b; c.txt"',
    'attachment;filename="a\\"b.txt" ; filename*=UTF-8\'\'%e2%82%ac%20a.txt',
    "inline; filename*=UTF-8'de'a",
    formatAttachment('grüße "1".txt'),
  ],
  'Content-Encoding': ['gzip', 'br', 'gzip, br', 'zstd', 'x-own_coding'],
  'Content-Language': ['de', 'en-GB', 'mi, en', 'zh-Hant-TW', 'i-klingon'],
  Expires: ['0', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Tue, 15 Nov 2033 12:45:26 GMT'],
};

const bad: Readonly<Record<string, readonly string[]>> = {
  'Cache-Control': [
    'public; max-age=60',
    'max-age: 60',
    'max-age = 60',
    'max-age',
    'max-age=1h',
    'max-age=-1',
    'public, S-MaxAge="60"',
    'public,,no-cache',
    ',public',
    'public,',
    'a="b',
    'max-age=60 public',
    'max-age=99999999999',
  ],
  'Content-Disposition': [
    'attachment;',
    'attachment; filename=a b.txt',
    'attachment; filename="a"b"',
    'attachment; filename',
    'attachment; filename=a; filename=b',
    'attachment; filename=a; FileName=b',
    'attachment, inline',
    '; filename=a',
    'attachment; filename*=a.txt',
    "attachment; filename*=UTF-8''a b",
    "attachment; filename*=UTF-8''%zz",
    "attachment; filename*=KOI8-R''a",
    'attachment; filename="a',
  ],
  'Content-Encoding': ['gzip br', 'gzip;q=1', '"gzip"', 'gzip,', 'a/b'],
  'Content-Language': ['de_DE', 'deutschland1', 'de-', '-de', 'de; en', '12'],
  Expires: ['-1', '3600', 'tomorrow', '2033-11-15T12:45:26Z', 'Mon, 15 Nov 2033 12:45:26 GMT', '00'],
};

const pairs = (table: typeof good) =>
  Object.entries(table).flatMap(([name, values]) => values.map((value) => [name, value] as const));

test.each(pairs(good))('%s: %s is allowed', (name, value) => {
  expect(responseHeaderProblem(name, value)).toBeUndefined();
  expect(responseHeaderProblem(name.toLowerCase(), value)).toBeUndefined();
});

test.each(pairs(bad))('%s: %s is refused by its name and with a reason', (name, value) => {
  expect(responseHeaderProblem(name, value)).toMatch(new RegExp(`^${name}: .`));
});

test('the old forms of a date are told the one that is written today', () => {
  for (const old of ['Tuesday, 15-Nov-33 12:45:26 GMT', 'Tue Nov 15 12:45:26 2033'])
    expect(responseHeaderProblem('Expires', old)).toContain('Tue, 15 Nov 2033 12:45:26 GMT');
});

test.each(['a\r\nb', 'a\nb', 'a\0', 'a\tb', '\x7f', 'ä', '世', ' a', 'a ', '', '\ud800'])(
  '%j is the value of no header',
  (value) => {
    for (const name of [...responseHeaderNames, 'x-own'])
      expect(responseHeaderProblem(name, value)).toBeDefined();
  },
);

test('a value has at most 1,024 bytes', () => {
  expect(responseHeaderProblem('Cache-Control', 'a'.repeat(MAX_RESPONSE_HEADER_BYTES))).toBeUndefined();
  expect(responseHeaderProblem('Cache-Control', 'a'.repeat(MAX_RESPONSE_HEADER_BYTES + 1))).toMatch(/1024/);
});

test('names are found in whatever case, and no others', () => {
  expect(responseHeaderName('CACHE-control')).toBe('Cache-Control');
  for (const name of ['content-type', 'etag', '__proto__', 'constructor', '', 'Cache-Control '])
    expect(responseHeaderName(name)).toBeUndefined();
});

describe('whatever is given', () => {
  const name = fc.constantFrom(...responseHeaderNames, 'x-own');
  const piece = fc.oneof(
    anyText(8),
    fc.constantFrom('max-age=', '60', ', ', ';', '"', '\\', '=', 'gzip', 'de', "UTF-8''", '%41', '\r\n', ' '),
  );
  const value = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    fc.constantFrom(...pairs(good).map(([, text]) => text)),
  );

  test('what is allowed is one header of printable ASCII, and comes through as it is', () => {
    fc.assert(
      fc.property(name, value, (each, text) => {
        if (responseHeaderProblem(each, text) !== undefined) return;
        expect(text).toMatch(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/);
        // As a client takes it in.
        expect(new Headers([[each, text]]).get(each)).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  test('a disposition that is made an attachment is one, and keeps its names', () => {
    fc.assert(
      fc.property(value, (text) => {
        const made = asAttachment(text);
        expect(made).toMatch(/^attachment *(?:;|$)/);
        expect(isDisposition(made)).toBe(true);
        if (isDisposition(text)) expect(made.replace(/^[^ ;]+/, '')).toBe(text.replace(/^[^ ;]+/, ''));
      }),
      { numRuns: 2000 },
    );
  });

  test('long values are judged at once', () => {
    for (const text of ['a=', 'a,', 'a; b="', '"\\', 'a-', "a; b*=UTF-8''%4"])
      for (const each of responseHeaderNames) responseHeaderProblem(each, text.repeat(1024 / text.length));
  });
});
