import { uploadToken } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectNothing, expectRefusal, expectStored } from '../support/expectations.ts';
import {
  BOUNDARY,
  field,
  file,
  openBody,
  openUpload,
  postBody,
  postParts,
  wholeBody,
} from '../support/raw-form.ts';
import { newBucket, target } from '../support/target.ts';

const url = target.url;
const tokenFor = (scope: string) => uploadToken(target.account, { scope });

describe('forms that are not well formed', () => {
  test('a form without file answers 400 [form-09]', async () => {
    const bucket = await newBucket();
    const parts = [field('token', tokenFor(bucket)), field('key', 'k')];
    await expectRefusal(await postParts(url, parts), 400, 'invalid multipart format');
    await expectNothing(bucket, 'k');
  });

  test('a body that is not multipart answers 400 [form-09]', async () => {
    const bucket = await newBucket();
    const body = wholeBody([field('token', tokenFor(bucket)), field('key', 'k'), file('content')]);
    for (const type of [
      'application/octet-stream',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      `multipart/mixed; boundary=${BOUNDARY}`,
      'multipart/form-data; boundary=another',
    ]) {
      await expectRefusal(await postBody(url, body, type), 400, 'invalid multipart format');
    }
    await expectRefusal(await postBody(url, Buffer.alloc(0)), 400, 'invalid multipart format');
    await expectNothing(bucket, 'k');
  });

  test('a body that ends before its closing boundary stores nothing [form-11]', async () => {
    const bucket = await newBucket();
    const parts = [field('token', tokenFor(bucket)), field('key', 'k'), file('content')];
    const cut = openBody(parts);
    for (const body of [cut, cut.subarray(0, -2), cut.subarray(0, -5), wholeBody(parts).subarray(0, -4)]) {
      await expectRefusal(await postBody(url, body), 400, 'invalid multipart format');
      const chunked = await openUpload(url);
      await chunked.send(body);
      await expectRefusal(await chunked.finish(), 400, 'invalid multipart format');
    }
    await expectNothing(bucket, 'k');
  });

  test('a field that is there twice, a second file, a file under another name: 400, nothing stored [form-09]', async () => {
    const bucket = await newBucket();
    const form = [field('token', tokenFor(bucket)), field('key', 'k'), file('content')];
    for (const more of [
      field('key', 'k2'),
      field('token', tokenFor(bucket)),
      file('more'),
      { ...file('more'), name: 'another' },
    ]) {
      await expectRefusal(await postParts(url, [...form, more]), 400, 'invalid multipart format');
    }
    await expectNothing(bucket, 'k');
    await expectNothing(bucket, 'k2');
  });

  test('a file field in which nothing was chosen is no file: 400, nothing stored [form-09]', async () => {
    const bucket = await newBucket();
    const form = [field('token', tokenFor(bucket)), field('key', 'k')];
    const unchosen = file('', '', 'application/octet-stream');
    for (const parts of [
      [...form, unchosen],
      [unchosen, ...form],
    ]) {
      const answer = await postParts(url, parts);
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { error: 'invalid multipart format', hint: 'the field "file" has no file: choose one' },
      ]);
    }
    await expectNothing(bucket, 'k');
    await expectStored(await postParts(url, [...form, file('', 'empty.txt')]), bucket, 'k', '');
    const named = [field('token', tokenFor(bucket)), field('key', 'k2'), file('content', '')];
    await expectStored(await postParts(url, named), bucket, 'k2', 'content');
  });

  test('what a part, or the metadata, says twice: 400, nothing stored [form-09]', async () => {
    const bucket = await newBucket();
    const form = [field('token', tokenFor(bucket)), field('key', 'k')];
    for (const name of ['file"; name="key', 'file"; filename="a"; filename="b']) {
      const answer = await postParts(url, [...form, field(name, 'content')]);
      await expectRefusal(answer, 400, 'invalid multipart format');
    }
    const types = 'text/plain\r\nContent-Type: text/html';
    await expectRefusal(
      await postParts(url, [...form, file('content', 'a', types)]),
      400,
      'invalid multipart format',
    );
    const metadata = [field('x-svc-meta-colour', 'red'), field('X-Svc-Meta-Colour', 'blue')];
    const answer = await postParts(url, [...form, ...metadata, file('content')]);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: 'invalid argument', hint: '"x-svc-meta-colour" is given twice' },
    ]);
    await expectNothing(bucket, 'k');
  });

  test('64 fields are accepted, 65 answer 400 and store nothing [form-13]', async () => {
    const bucket = await newBucket();
    const variables = Array.from({ length: 62 }, (_, index) => field(`x:${index}`, 'v'));
    const form = (key: string) => [field('token', tokenFor(bucket)), field('key', key), file('content')];
    await expectStored(await postParts(url, [...variables, ...form('most')]), bucket, 'most', 'content');
    const more = [...variables, field('x:more', ''), ...form('more')];
    await expectRefusal(await postParts(url, more), 400, 'invalid multipart format');
    await expectNothing(bucket, 'more');
  });

  test('fields of more than 512 KiB answer 400 and store nothing [form-13]', async () => {
    const bucket = await newBucket();
    const form = (key: string) => [field('token', tokenFor(bucket)), field('key', key), file('content')];
    const long = field('x:long', 'v'.repeat(500 * 1024));
    await expectStored(await postParts(url, [long, ...form('long')]), bucket, 'long', 'content');
    const longer = field('x:long', 'v'.repeat(512 * 1024));
    await expectRefusal(await postParts(url, [longer, ...form('longer')]), 400, 'invalid multipart format');
    await expectRefusal(await postParts(url, [...form('longer'), longer]), 400, 'invalid multipart format');
    await expectNothing(bucket, 'longer');
  });

  test('a part with headers of more than 8 KiB answers 400 and stores nothing [form-13]', async () => {
    const bucket = await newBucket();
    const parts = [
      field('token', tokenFor(bucket)),
      field('key', 'k'),
      file('content', 'name', `text/${'x'.repeat(9000)}`),
    ];
    await expectRefusal(await postParts(url, parts), 400, 'invalid multipart format');
    await expectNothing(bucket, 'k');
  });
});
