import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeListText } from '../encodings.ts';
import { S3Fault } from '../fault.ts';
import { parseXml } from '../xml/body.ts';
import { writeXml } from '../xml/write.ts';
import { evaluateReadConditions, failedCopyCondition, rangeOf } from './conditions.ts';
import { copySourceIn } from './copy-source.ts';
import { parseEtagList } from './etag.ts';
import {
  decodeContinuationToken,
  encodeContinuationToken,
  formatXmlTime,
  parseXmlTime,
} from './list-names.ts';
import { encodeByteString, metadataHeaders, metadataIn, storedContentEncoding } from './metadata.ts';
import { parseTaggingHeader, taggingXml, tagsInXml } from './tags.ts';

const headers = (given: Record<string, string>) => (name: string) => given[name];
const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof S3Fault) return error.code;
    throw error;
  }
  return 'none';
};
const text = fc
  .string({ unit: 'grapheme', maxLength: 40 })
  .filter((value) => !/[\0\ud800-\udfff]/.test(value));

describe('ETags', () => {
  test('come with quotes and without, weak, escaped, in lists [S36]', () => {
    expect(parseEtagList('"a", W/"b",c , &quot;d&quot;')).toEqual(['a', 'b', 'c', 'd']);
    expect(parseEtagList(' * ')).toBe('*');
    expect(parseEtagList('')).toEqual([]);
  });
});

describe('conditions of a read', () => {
  const object = { etag: 'e', lastModified: 1_000_000 };
  const before = 'Mon, 12 Jan 1970 13:46:39 GMT';
  const same = 'Mon, 12 Jan 1970 13:46:40 GMT';
  const judge = (given: Record<string, string>) =>
    evaluateReadConditions(headers(given), object, 2_000_000_000_000);
  test.each([
    [{}, 200],
    [{ 'if-match': '"e"' }, 200],
    [{ 'if-match': 'x' }, 412],
    [{ 'if-none-match': 'e' }, 304],
    [{ 'if-none-match': 'x', 'if-modified-since': same }, 200],
    [{ 'if-modified-since': same }, 304],
    [{ 'if-modified-since': before }, 200],
    [{ 'if-unmodified-since': before }, 412],
    [{ 'if-unmodified-since': same }, 200],
    [{ 'if-match': 'e', 'if-unmodified-since': before }, 200],
    [{ 'if-none-match': 'e', 'if-unmodified-since': before }, 412],
    [{ 'if-modified-since': 'nonsense' }, 200],
  ])('%j gives %i', (given, status) => {
    expect(judge(given).status).toBe(status);
  });

  test('a date to come is ignored', () => {
    expect(evaluateReadConditions(headers({ 'if-modified-since': same }), object, 0).status).toBe(200);
  });

  test('of a copy name the header that failed', () => {
    const failed = (given: Record<string, string>) => failedCopyCondition(headers(given), object);
    expect(failed({ 'x-amz-copy-source-if-match': 'x' })).toBe('x-amz-copy-source-if-match');
    expect(failed({ 'x-amz-copy-source-if-none-match': 'e' })).toBe('x-amz-copy-source-if-none-match');
    expect(failed({ 'x-amz-copy-source-if-modified-since': same })).toBe(
      'x-amz-copy-source-if-modified-since',
    );
    expect(failed({ 'if-match': 'x' })).toBeUndefined();
  });
});

test('no range of an empty object can be given, and none is asked for by nonsense', () => {
  for (const range of ['bytes=0-0', 'bytes=-5', 'bytes=0-'])
    expect(rangeOf(range, 0).kind).toBe('unsatisfiable');
  for (const range of ['bytes=a-z', undefined, 'bytes=0-1,3-4']) expect(rangeOf(range, 0).kind).toBe('whole');
  expect(rangeOf('bytes=-101', 100)).toEqual({ kind: 'part', first: 0, last: 99 });
});

describe('the source of a copy', () => {
  test.each([
    ['b/k', 'k', undefined],
    ['/b/k', 'k', undefined],
    ['b%2Fk', 'k', undefined],
    ['/b/a%2Fb+c%2Bd', 'a/b+c+d', undefined],
    ['b/k?versionId=null', 'k', 'null'],
    ['b/k%3FversionId=x', 'k?versionId=x', undefined],
    ['b/k%3FversionId=x?versionId=null', 'k?versionId=x', 'null'],
  ])('%s is the key %s [S62]', (given, key, versionId) => {
    expect(copySourceIn(given)).toEqual({ bucket: 'b', key, versionId });
  });

  test.each(['', '/', 'b', 'b/', '/b/', '//k', 'b/%ff', 'b/%00'])('%j names none', (given) => {
    expect(codeOf(() => copySourceIn(given))).toBe('InvalidArgument');
  });
});

describe('metadata', () => {
  test('comes back byte for byte [S59]', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z0-9-]{1,10}$/), text), (meta) => {
        const kept = Object.entries(meta).filter(([, value]) => !/[\r\n]/.test(value));
        const sent = kept.map(([name, value]) => [`x-amz-meta-${name}`, encodeByteString(value)] as const);
        expect(metadataIn([['content-type', 'x'], ...sent])).toEqual(Object.fromEntries(kept));
        expect(metadataHeaders(Object.fromEntries(kept))).toEqual(Object.fromEntries(sent));
      }),
    );
  });

  test('has at most 2048 bytes, and a name like a property of objects is only a name', () => {
    expect(codeOf(() => metadataIn([['x-amz-meta-a', 'x'.repeat(2047)]]))).toBe('none');
    expect(codeOf(() => metadataIn([['x-amz-meta-a', 'x'.repeat(2048)]]))).toBe('MetadataTooLarge');
    expect(Object.keys(metadataIn([['x-amz-meta-__proto__', 'x']]))).toEqual(['__proto__']);
  });

  test('that other protocols stored, and no header can have, is left out', () => {
    expect(metadataHeaders({ a: 'x\r\ny', 'b c': 'x', d: 'x' })).toEqual({ 'x-amz-meta-d': 'x' });
  });
});

test('an object is not encoded as its request was [S23]', () => {
  expect(storedContentEncoding('gzip,aws-chunked')).toBe('gzip');
  expect(storedContentEncoding('aws-chunked')).toBeUndefined();
  expect(storedContentEncoding('gzip, br')).toBe('gzip, br');
  expect(storedContentEncoding(undefined)).toBeUndefined();
});

describe('names in lists', () => {
  test('are decoded by clients of both kinds [S44]', () => {
    expect(encodeListText("a b+c/é!'()*")).toBe('a%20b%2Bc/%C3%A9%21%27%28%29%2A');
    fc.assert(
      fc.property(text, (name) => {
        expect(decodeURIComponent(encodeListText(name))).toBe(name);
      }),
    );
  });

  test('come back from a token, and a foreign token is refused', () => {
    fc.assert(
      fc.property(text, (name) => {
        expect(decodeContinuationToken(encodeContinuationToken(name))).toBe(name);
      }),
    );
    expect(codeOf(() => decodeContinuationToken('!'))).toBe('InvalidArgument');
  });

  test('have times of whole seconds', () => {
    expect(formatXmlTime(1_795_000_000)).toBe('2026-11-18T11:06:40.000Z');
    expect(parseXmlTime('2026-11-18T11:06:40.999Z')).toBe(1_795_000_000);
    expect(parseXmlTime('yesterday')).toBeUndefined();
  });
});

describe('tags', () => {
  test('are read from a header and from XML alike', () => {
    expect(parseTaggingHeader('a=b+c&d&e=%26')).toEqual({ a: 'b c', d: '', e: '&' });
    fc.assert(
      fc.property(
        fc.dictionary(
          text.filter((key) => key !== '' && !/^aws:/i.test(key)),
          text,
          { maxKeys: 10 },
        ),
        (tags) => {
          fc.pre(Object.keys(tags).every((key) => Array.from(key).length <= 128));
          const xml = writeXml('Tagging', taggingXml(tags));
          expect(tagsInXml(parseXml(new TextEncoder().encode(xml), 'Tagging'))).toEqual({ ...tags });
        },
      ),
    );
  });

  test.each([
    ['eleven of them', Array.from({ length: 11 }, (_, at) => `k${at}=v`).join('&')],
    ['a key twice', 'a=1&a=2'],
    ['no key', '=1'],
    ['a long key', `${'k'.repeat(129)}=1`],
    ['a long value', `k=${'v'.repeat(257)}`],
    ['a key of AWS', 'aws:x=1'],
    ['no UTF-8', 'k=%ff'],
  ])('%s are refused', (_, given) => {
    expect(codeOf(() => parseTaggingHeader(given))).toBe('InvalidTag');
  });
});
