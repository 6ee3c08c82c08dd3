/** What types and metadata may be made of, and how long they may be. */
import { encodeBase64Text, formatEntry } from '@millpond/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  chgm,
  expectEmpty,
  expectRefused,
  headersOf,
  metaOf,
  shownBy,
} from '../support/objects/change-metadata.ts';
import { type Stored, store } from '../support/objects/objects.ts';
import { sendSigned } from '../support/signing.ts';

const BAD_TYPE = 'Invalid mimeType';
let object: Stored;
beforeAll(async () => {
  object = await store('a.txt', 'hello world');
});

async function expectType(mime: string): Promise<void> {
  expectEmpty(await chgm(object.bucket, object.key, { mime }));
  expect((await shownBy(object.bucket, object.key)).mimeType).toBe(mime);
}

async function expectNoType(mime: string): Promise<void> {
  const { mimeType } = await shownBy(object.bucket, object.key);
  expectRefused(await chgm(object.bucket, object.key, { mime }), 400, BAD_TYPE);
  expect((await shownBy(object.bucket, object.key)).mimeType).toBe(mimeType);
}

describe('a type', () => {
  test.each([
    ['letters and digits [mime-01]', 'abcXYZ0189'],
    ['dot, plus, slash and hyphen [mime-02]', 'application/vnd.a-b+xml'],
    ['semicolon, equals sign, comma, underscore and space [mime-03]', 'text/plain; charset=utf_8, x'],
  ])('may have %s', async (_, mime) => {
    await expectType(mime);
  });

  test.each(['image%2Fpng', '100%'])(
    'may not have a percent sign: there is no escaping: %s [mime-04]',
    async (mime) => {
      await expectNoType(mime);
    },
  );

  test.each(['a"b', 'a:b', 'a\tb', 'tëxt/plain', 'a\r\nSet-Cookie: x=1', 'a\0b', '*/*', 'a@b', '(a)'])(
    'may not have another character: %j [mime-05]',
    async (mime) => {
      await expectNoType(mime);
    },
  );

  test('that is no text at all is refused [mime-05]', async () => {
    const target = `/chgm/${formatEntry(object.bucket, object.key)}/mime/_w==`;
    expectRefused(await sendSigned({ target }), 400, BAD_TYPE);
  });

  test('may be empty [mime-06]', async () => {
    expectEmpty(await chgm(object.bucket, object.key, { mime: '' }));
  });

  test('has at most 200 bytes [mime-07]', async () => {
    await expectType(`a/${'b'.repeat(198)}`);
    await expectNoType(`a/${'b'.repeat(199)}`);
  });
});

describe('a meta value', () => {
  test('may have the characters of a type; it goes out as a header [meta-01]', async () => {
    const { bucket, key } = await store('k', 'x');
    const value = 'azAZ09.+/-;=,_ z';
    expectEmpty(await chgm(bucket, key, { meta: { v: value } }));
    expect(await metaOf(bucket, key)).toEqual({ v: value });
    expect((await headersOf(bucket, key))[1]).toEqual({ 'x-svc-meta-v': value });
  });

  test.each([
    ['a percent sign [meta-02 chgm-rule-11]', '100%'],
    ['an encoded slash [meta-02]', 'a%2Fb'],
    ['a quote [meta-03 chgm-rule-11]', 'a"b'],
    ['a colon [meta-03]', 'a:b'],
    ['a letter beyond ASCII [meta-03]', 'größe'],
    ['the end of a line, which could become a header of its own [meta-03 G18]', 'a\r\nset-cookie: x=1'],
    ['a NUL [meta-03]', 'a\0'],
  ])('may not have %s', async (_, value) => {
    const { bucket, key } = await store('k', 'x');
    expectRefused(await chgm(bucket, key, { meta: { v: value } }), 400, 'invalid argument');
    expect(await metaOf(bucket, key)).toEqual({});
  });
});

describe('a meta key', () => {
  test('may have letters, digits, underscore and hyphen [meta-04]', async () => {
    const { bucket, key } = await store('k', 'x');
    expectEmpty(await chgm(bucket, key, { meta: { 'a-Z_09': '1', __proto__2: '2', constructor: '3' } }));
    expect(await metaOf(bucket, key)).toEqual({ 'a-z_09': '1', __proto__2: '2', constructor: '3' });
  });

  test.each(['a.b', '!a', 'a b', 'é', '%C3%A9', 'a%2Db', 'a:b', ''])(
    'may not have another character: "%s" [meta-05]',
    async (name) => {
      const { bucket, key } = await store('k', 'x');
      const segment = `x-svc-meta-${encodeURI(name).replaceAll('%25', '%')}`;
      const target = `/chgm/${formatEntry(bucket, key)}/${segment}/${encodeBase64Text('v')}`;
      expectRefused(await sendSigned({ target }), 400, 'invalid argument');
      expect(await metaOf(bucket, key)).toEqual({});
    },
  );

  test('has at most 50 bytes [meta-06]', async () => {
    const { bucket, key } = await store('k', 'x');
    expectEmpty(await chgm(bucket, key, { meta: { ['k'.repeat(50)]: 'v' } }));
    expectRefused(await chgm(bucket, key, { meta: { ['k'.repeat(51)]: 'v' } }), 400, 'invalid argument');
    expect(await metaOf(bucket, key)).toEqual({ ['k'.repeat(50)]: 'v' });
  });

  test('that stands twice in the path, in whatever case, is refused', async () => {
    const { bucket, key } = await store('k', 'x');
    expectRefused(await chgm(bucket, key, { meta: { color: '1', Color: '2' } }), 400, 'invalid argument');
  });
});

describe('all metadata of an object', () => {
  test('has at most 1024 bytes, keys and values together [meta-07]', async () => {
    const { bucket, key } = await store('k', 'x');
    const full = { key1: 'v'.repeat(508), key2: 'v'.repeat(508) };
    expectRefused(
      await chgm(bucket, key, { meta: { ...full, key3: '', key2: 'v'.repeat(509) } }),
      400,
      'invalid argument',
    );
    expect(await metaOf(bucket, key)).toEqual({});
    expectEmpty(await chgm(bucket, key, { meta: full }));
    expect(await metaOf(bucket, key)).toEqual(full);
  });

  test('is counted as it would be after the change [chgm-rule-05 G18]', async () => {
    const { bucket, key } = await store('k', 'x');
    expectEmpty(await chgm(bucket, key, { meta: { big: 'v'.repeat(1000) } }));
    expectRefused(await chgm(bucket, key, { meta: { small: 'v'.repeat(20) } }), 400, 'invalid argument');
    expectEmpty(await chgm(bucket, key, { meta: { small: 'v'.repeat(16) } }));
    // What makes room for itself fits.
    expectEmpty(await chgm(bucket, key, { meta: { big: '', other: 'v'.repeat(900) } }));
    expect(Object.keys(await metaOf(bucket, key)).toSorted()).toEqual(['other', 'small']);
  });
});
