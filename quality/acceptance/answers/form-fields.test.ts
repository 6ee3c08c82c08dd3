/** Form fields that change the object's metadata or the answer's type. */
import { uploadToken } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectNothing, expectRefusal } from '../support/expectations.ts';
import { field, file, type Part, postParts } from '../support/raw-form.ts';
import { failureOf } from '../support/receivers/callbacks.ts';
import { json, useReceiver } from '../support/receivers/receiver.ts';
import { newBucket, stat, target, upload } from '../support/target.ts';

const receiver = useReceiver();

describe('fields x-svc-meta-<name>', () => {
  const metaOf = async (bucket: string) =>
    ((await (await stat(bucket, 'k')).json()) as Record<string, unknown>)['x-svc-meta'];

  test('set custom metadata that stat shows, names in lower case [form-16]', async () => {
    const bucket = await newBucket();
    const fields = { 'x-svc-meta-Colour': 'red', 'X-Svc-Meta-page_no-2': 'a/b; c=d, e+f' };
    expect((await upload({ scope: bucket }, 'content', { key: 'k', fields })).status).toBe(200);
    expect(await metaOf(bucket)).toEqual({ colour: 'red', 'page_no-2': 'a/b; c=d, e+f' });
  });

  test('are not there where none were sent, and go with an overwrite [form-16]', async () => {
    const bucket = await newBucket();
    const fields = { 'x-svc-meta-a': '1' };
    await upload({ scope: bucket }, 'content', { key: 'k', fields });
    expect(await metaOf(bucket)).toEqual({ a: '1' });
    await upload({ scope: `${bucket}:k` }, 'new content', { key: 'k' });
    expect(await metaOf(bucket)).toBeUndefined();
  });

  test.each([
    ['a name of 51 bytes', `x-svc-meta-${'n'.repeat(51)}`, 'v'],
    ['a name with a dot', 'x-svc-meta-a.b', 'v'],
    ['no name', 'x-svc-meta-', 'v'],
    ['a value with a percent sign', 'x-svc-meta-a', '100%'],
    ['a value outside ASCII', 'x-svc-meta-a', 'é'],
    ['a value with a line end', 'x-svc-meta-a', 'a\r\nb'],
    ['more than 1024 bytes', 'x-svc-meta-a', 'v'.repeat(1024)],
    ['a response header that can’t be set', 'x-svc-meta-!Set-Cookie', 'a=b'],
  ])('with %s answer 400 and store nothing [form-16]', async (_, name, value) => {
    const bucket = await newBucket();
    const answer = await upload({ scope: bucket }, 'content', { key: 'k', fields: { [name]: value } });
    await expectRefusal(answer, 400, 'invalid argument');
    await expectNothing(bucket, 'k');
  });
});

describe('the field accept', () => {
  test.each([
    ['text/plain', 'text/plain'],
    ['application/json', 'application/json'],
    ['text/html', 'application/json'],
    ['text/plain; charset=utf-8', 'application/json'],
    ['text/plain\r\nset-cookie: a=b', 'application/json'],
    ['', 'application/json'],
  ])('%j gives an answer of type %s [form-17]', async (accept, type) => {
    const bucket = await newBucket();
    const answer = await upload({ scope: bucket }, 'hello world', { key: 'k', fields: { accept } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(await answer.json()).toEqual({ hash: 'FiqubDXJT8-0FdvpX0CLnOke6Ebt', key: 'k' });
    expect(answer.headers.get('x-content-type-options')).toBe(type === 'text/plain' ? 'nosniff' : null);
  });

  test('holds for refusals too, as far as it came before them [form-17]', async () => {
    const bucket = await newBucket();
    const accept = field('accept', 'text/plain');
    const token = (policy: object = {}) =>
      field('token', uploadToken(target.account, { scope: bucket, ...policy }));
    const refused: [number, string, Part[]][] = [
      [401, 'bad token', [accept, field('token', 'a:b:c'), file('x')]],
      [401, 'token not specified', [accept, file('x')]],
      [400, 'invalid multipart format', [accept, token()]],
      [413, 'request entity too large', [accept, token({ fsizeLimit: 1 }), file('content')]],
      [401, 'bad token', [field('token', 'a:b:c'), file('x'), accept]],
    ];
    for (const [at, [status, error, parts]] of refused.entries()) {
      const answer = await postParts(target.url, parts);
      const isLate = at === refused.length - 1;
      const type = isLate ? 'application/json' : 'text/plain';
      expect([answer.status, answer.headers.get('content-type')]).toEqual([status, type]);
      expect(answer.headers.get('x-content-type-options')).toBe(isLate ? null : 'nosniff');
      expect(await answer.json()).toMatchObject({ error });
    }
  });

  test('holds for what a receiver answers too [form-17]', async () => {
    const [bucket, fields] = [await newBucket(), { accept: 'text/plain' }];
    const good = { scope: bucket, callbackUrl: receiver.at(json({ a: '<b>' })).url };
    const answer = await upload(good, 'content', { key: 'k', fields });
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual(['text/plain', '{"a":"<b>"}']);
    const bad = { scope: bucket, callbackUrl: receiver.at(json({}, 500)).url };
    expect((await failureOf(await upload(bad, 'content', { key: 'k' }))).err_code).toBe(500);
    const failed = await upload(bad, 'content', { key: 'k', fields });
    expect([failed.status, failed.headers.get('content-type')]).toEqual([579, 'text/plain']);
  });
});
