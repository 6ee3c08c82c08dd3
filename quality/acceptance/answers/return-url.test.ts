/** returnUrl: a redirect with the answer in its query. */
import { uploadForm, uploadToken } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectContent, expectNothing, expectRefusal } from '../support/expectations.ts';
import { field, file, postParts } from '../support/raw-form.ts';
import { newBucket, target } from '../support/target.ts';

const HASH = 'FiqubDXJT8-0FdvpX0CLnOke6Ebt';

/** The redirect that an upload of `hello world` is answered with; nothing follows it. */
async function redirectFor(policy: Record<string, unknown>) {
  const bucket = await newBucket();
  const token = uploadToken(target.account, { scope: bucket, ...policy });
  const parts = [field('token', token), field('key', 'k'), file('hello world')];
  const answer = await postParts(target.url, parts);
  expect([answer.status, await answer.text()]).toEqual([303, '']);
  await expectContent(bucket, 'k', 'hello world');
  return answer.headers.get('location') ?? '';
}

const encoded = (text: string) =>
  Buffer.from(text).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
const DEFAULT = encoded(`{"hash":"${HASH}","key":"k"}`);

describe('returnUrl', () => {
  test('is where the client is sent, with hash and key in upload_ret [policy-return-01 return-01 return-03 upload-10]', async () => {
    const location = await redirectFor({ returnUrl: 'http://example.com/done' });
    expect(location).toBe(`http://example.com/done?upload_ret=${DEFAULT}`);
    const result = new URL(location).searchParams.get('upload_ret') ?? '';
    expect(JSON.parse(Buffer.from(result, 'base64url').toString())).toEqual({ hash: HASH, key: 'k' });
  });

  test('brings returnBody, filled in, where there is one [return-03]', async () => {
    const location = await redirectFor({
      returnUrl: 'https://example.com/',
      returnBody: '{"k":"$(key)","s":$(fsize),"odd":"~~??>>ÿÿ"}',
    });
    expect(location).toBe(`https://example.com/?upload_ret=${encoded('{"k":"k","s":11,"odd":"~~??>>ÿÿ"}')}`);
  });

  test.each([
    ['http://example.com', 'http://example.com/?upload_ret=R'],
    ['http://example.com/a?b=1', 'http://example.com/a?b=1&upload_ret=R'],
    ['http://example.com/a?b=1&c=%26#top', 'http://example.com/a?b=1&c=%26&upload_ret=R#top'],
    ['http://example.com/a#top', 'http://example.com/a?upload_ret=R#top'],
    ['http://example.com/a#?not=a&query', 'http://example.com/a?upload_ret=R#?not=a&query'],
    ['https://example.com:8443/a%20b/?', 'https://example.com:8443/a%20b/?upload_ret=R'],
  ])('%s becomes %s [return-02 G13]', async (returnUrl, expected) => {
    expect(await redirectFor({ returnUrl })).toBe(expected.replace('R', DEFAULT));
  });

  test.each([
    'javascript:alert(1)',
    'JavaScript://example.com/%0aalert(1)',
    'data:text/html,x',
    'ftp://example.com/',
    '//example.com/',
    '/relative',
    'example.com',
    'http:example.com',
    'http://',
    'http://example.com/\r\nSet-Cookie: a=b',
    'http://example.com/\nX: y',
    'http://exa\tmple.com/',
    ' http://example.com/',
    'http://example.com\\@evil.com/',
    'https://example.com:99999/',
  ])('%j answers 400 and stores nothing [G13]', async (returnUrl) => {
    const bucket = await newBucket();
    const token = uploadToken(target.account, { scope: bucket, returnUrl });
    const answer = await uploadForm(target.url, 'hello world', { token, key: 'k' });
    await expectRefusal(answer, 400, 'invalid put policy');
    await expectNothing(bucket, 'k');
  });
});
