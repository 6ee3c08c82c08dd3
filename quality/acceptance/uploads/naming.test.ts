import { dialects, formatEntry } from '@millpond/protocol';
import { signedFetch, uploadToken } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectContent, expectNothing, expectRefusal, expectStored } from '../support/expectations.ts';
import { field, file, postParts } from '../support/raw-form.ts';
import { newBucket, stat, target, upload } from '../support/target.ts';

const url = target.url;
const tokenFor = (scope: string) => uploadToken(target.account, { scope });

describe('the key of an upload', () => {
  test('without a key the object is named by its hash [form-07]', async () => {
    const bucket = await newBucket();
    const answer = await upload({ scope: bucket }, 'hello world');
    await expectStored(answer, bucket, 'FiqubDXJT8-0FdvpX0CLnOke6Ebt', 'hello world');
  });

  test('an empty key is a key [form-08]', async () => {
    const bucket = await newBucket();
    const answer = await upload({ scope: bucket }, 'hello world', { key: '' });
    await expectStored(answer, bucket, '', 'hello world');
    await expectNothing(bucket, 'FiqubDXJT8-0FdvpX0CLnOke6Ebt');
  });

  test('a key that is not UTF-8, has a NUL or 751 bytes answers 400; one of 750 bytes is stored [upload-02]', async () => {
    const bucket = await newBucket();
    const token = field('token', tokenFor(bucket));
    const send = (key: Uint8Array | string) => postParts(url, [token, field('key', key), file('content')]);
    await expectRefusal(await send(Buffer.from([0x61, 0xff])), 400, 'key must be utf8 encoding');
    await expectRefusal(await send('a\0b'), 400, 'invalid argument');
    await expectRefusal(await send('k'.repeat(751)), 400, 'invalid argument');
    await expectRefusal(await send('鍵'.repeat(251)), 400, 'invalid argument');
    await expectStored(await send('鍵'.repeat(250)), bucket, '鍵'.repeat(250), 'content');
  });

  test('a key is kept byte for byte: spaces, dots, slashes, plus, percent, no normalisation [upload-02]', async () => {
    const bucket = await newBucket();
    for (const key of ['/', ' a ', '../b', 'a//b', 'a+b%2Fc', 'e\u0301', '\u00e9', 'line\nend', '"q"\\']) {
      const answer = await postParts(url, [
        field('token', tokenFor(bucket)),
        field('key', key),
        file(`content of ${key}`),
      ]);
      expect(await answer.json()).toMatchObject({ key });
    }
    expect(await (await stat(bucket, 'e\u0301')).json()).toMatchObject({ fsize: 14 });
    expect(await (await stat(bucket, '\u00e9')).json()).toMatchObject({ fsize: 13 });
    for (const key of ['a//b', 'a+b%2Fc', 'line\nend', '"q"\\'])
      await expectContent(bucket, key, `content of ${key}`);
    for (const key of ['/', ' a ', '../b']) {
      const answer = await signedFetch(url, target.account, `/stat/${formatEntry(bucket, key)}`, {
        dialect: dialects.svc,
      });
      expect(answer.status).toBe(200);
    }
  });
});
