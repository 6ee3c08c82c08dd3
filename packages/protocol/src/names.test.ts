import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../test/arbitraries.ts';
import { faultOf } from '../test/faults.ts';
import { encodeBase64, encodeBase64Text } from './base64.ts';
import { checkBucketName, checkKey, decodeKey } from './names.ts';

describe('keys', () => {
  test.each(['', 'a', 'photos/2026/七牛.jpg', 'a:b', '../..', ' ', '\ufeffkey', '😀', 'a\nb', '//'])(
    'takes %j',
    (key) => {
      expect(faultOf(() => checkKey(key))).toBeUndefined();
    },
  );

  test('a NUL in a key is refused [G46]', () => {
    expect(faultOf(() => checkKey('a\0b'))).toBe('invalidArgument');
    expect(faultOf(() => decodeKey(encodeBase64(Uint8Array.of(0))))).toBe('invalidArgument');
  });

  test('750 bytes are the limit, not 750 characters', () => {
    expect(faultOf(() => checkKey('a'.repeat(750)))).toBeUndefined();
    expect(faultOf(() => checkKey('a'.repeat(751)))).toBe('invalidArgument');
    expect(faultOf(() => checkKey('七'.repeat(250)))).toBeUndefined();
    expect(faultOf(() => checkKey(`${'七'.repeat(250)}a`))).toBe('invalidArgument');
    expect(faultOf(() => checkKey(`${'😀'.repeat(187)}ab`))).toBeUndefined();
    expect(faultOf(() => checkKey(`${'😀'.repeat(187)}abc`))).toBe('invalidArgument');
  });

  test('half a surrogate pair is no text', () => {
    expect(faultOf(() => checkKey('a\ud83d'))).toBe('keyNotUtf8');
    expect(faultOf(() => checkKey('\ude00a'))).toBe('keyNotUtf8');
  });

  test('an encoded key comes back as it was, without normalisation', () => {
    const key = anyText(180).filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(key, (text) => {
        expect(decodeKey(encodeBase64Text(text))).toBe(text);
      }),
    );
    expect(decodeKey(encodeBase64Text('e\u0301'))).not.toBe('\u00e9');
  });

  test('an encoded key of other bytes is not UTF-8', () => {
    expect(faultOf(() => decodeKey('gA=='))).toBe('keyNotUtf8');
    expect(faultOf(() => decodeKey('%41'))).toBe('invalidArgument');
  });
});

describe('bucket names', () => {
  test.each(['abc', 'a1b', '123', 'my-bucket', 'a--b', 'a'.repeat(63), 'stats'])('takes %s', (name) => {
    expect(faultOf(() => checkBucketName(name))).toBeUndefined();
  });

  test.each([
    '',
    'ab',
    'a'.repeat(64),
    'Abc',
    'a_b',
    'a.b',
    'a b',
    '-ab',
    'ab-',
    'abc\n',
    'äbc',
    'a:b',
    'a/b',
  ])('refuses %j', (name) => {
    expect(faultOf(() => checkBucketName(name))).toBe('invalidBucketName');
  });

  test.each([
    'stat',
    'restorear',
    'mkblk',
    'buckets',
    'pfop',
    'status',
    'oauth2',
    'healthz',
    'metrics',
    'api',
  ])('the route or host name %s is reserved', (name) => {
    expect(faultOf(() => checkBucketName(name))).toBe('invalidBucketName');
  });
});
