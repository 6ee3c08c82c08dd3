import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../test/arbitraries.ts';
import { faultOf } from '../test/faults.ts';
import { encodeBase64, encodeBase64Text } from './base64.ts';
import { formatEntry, MAX_ENCODED_ENTRY_LENGTH, parseEntry, parseObjectEntry } from './entry.ts';
import { Fault, faultBody } from './errors/fault.ts';

const text = anyText(180).filter((value) => !value.includes('\0'));
const bucketText = text.filter((value) => value !== '' && !value.includes(':'));

describe('EncodedEntryURI', () => {
  test.each([
    ['qiniuphotos', 'gogopher.jpg', 'cWluaXVwaG90b3M6Z29nb3BoZXIuanBn'],
    ['qiniuphotos', '', 'cWluaXVwaG90b3M6'],
    ['qiniuphotos', undefined, 'cWluaXVwaG90b3M='],
    ['qiniuphotos', '012ts>a', 'cWluaXVwaG90b3M6MDEydHM-YQ=='],
    ['qiniuphotos', '012ts?a', 'cWluaXVwaG90b3M6MDEydHM_YQ=='],
    ['newdocs', 'find_man.txt', 'bmV3ZG9jczpmaW5kX21hbi50eHQ='],
  ])('%s:%s is %s', (bucket, key, encoded) => {
    expect(formatEntry(bucket, key)).toBe(encoded);
    expect(parseEntry(encoded)).toEqual({ bucket, key });
    expect(parseEntry(encoded.replaceAll('=', ''))).toEqual({ bucket, key });
  });

  test('reads back what it wrote', () => {
    fc.assert(
      fc.property(bucketText, fc.option(text, { nil: undefined }), (bucket, key) => {
        expect(parseEntry(formatEntry(bucket, key))).toEqual({ bucket, key });
      }),
    );
  });

  test('any bytes are an entry or one of two faults', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), anyText(), (bytes, garbage) => {
        const faults = [undefined, 'invalidArgument', 'keyNotUtf8'];
        expect(faults).toContain(faultOf(() => parseEntry(encodeBase64(bytes))));
        expect(faults).toContain(faultOf(() => parseEntry(garbage)));
      }),
    );
  });

  test('splits at the first colon', () => {
    expect(parseEntry(encodeBase64Text('b:a:b:'))).toEqual({ bucket: 'b', key: 'a:b:' });
  });

  test('an empty bucket is refused', () => {
    expect(faultOf(() => parseEntry(''))).toBe('invalidArgument');
    expect(faultOf(() => parseEntry(encodeBase64Text(':key')))).toBe('invalidArgument');
    expect(faultOf(() => formatEntry('', 'key'))).toBe('invalidArgument');
  });

  test('bytes that are not UTF-8 are told apart from bad Base64', () => {
    expect(faultOf(() => parseEntry(encodeBase64(Uint8Array.of(0x62, 0x3a, 0xff))))).toBe('keyNotUtf8');
    expect(faultOf(() => parseEntry('Zm9v!!!*bad'))).toBe('invalidArgument');
  });

  test('a NUL is refused on both sides of the colon [G46]', () => {
    expect(faultOf(() => parseEntry(encodeBase64Text('b:a\0')))).toBe('invalidArgument');
    expect(faultOf(() => parseEntry(encodeBase64Text('b\0:a')))).toBe('invalidArgument');
  });

  test('the caller reads the texts of the interface, word for word', () => {
    const bodyOf = (encoded: string) => {
      try {
        return parseObjectEntry(encoded);
      } catch (error) {
        return error instanceof Fault ? faultBody(error) : error;
      }
    };
    const refused = ['*', '', encodeBase64Text(':key'), encodeBase64Text('b'), encodeBase64Text('b:\0')];
    for (const encoded of refused) expect(bodyOf(encoded)).toEqual({ error: 'invalid argument' });
    expect(bodyOf('_w==')).toEqual({ error: 'key must be utf8 encoding' });
  });

  test('a bucket with a colon would be read back as another', () => {
    expect(faultOf(() => formatEntry('a:b', 'key'))).toBe('invalidArgument');
  });

  test('a key is checked in both directions', () => {
    expect(faultOf(() => formatEntry('b', 'a\ud83d'))).toBe('keyNotUtf8');
    expect(faultOf(() => formatEntry('b', 'a'.repeat(751)))).toBe('invalidArgument');
    expect(faultOf(() => parseEntry(encodeBase64Text(`b:${'a'.repeat(751)}`)))).toBe('invalidArgument');
  });

  test('a call on one object needs a key, and the empty one will do', () => {
    expect(faultOf(() => parseObjectEntry(formatEntry('bucket')))).toBe('invalidArgument');
    expect(parseObjectEntry(formatEntry('bucket', ''))).toEqual({ bucket: 'bucket', key: '' });
  });

  test('the longest entry is as long as the limit says [G48]', () => {
    expect(formatEntry('b'.repeat(63), 'k'.repeat(750))).toHaveLength(MAX_ENCODED_ENTRY_LENGTH);
  });
});
