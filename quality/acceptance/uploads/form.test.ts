import { crc32 } from 'node:zlib';
import { uploadToken } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectNothing, expectRefusal, expectStored, recordOf } from '../support/expectations.ts';
import { BOUNDARY, field, file, openUpload, type Part, postParts, wholeBody } from '../support/raw-form.ts';
import { download, newBucket, target, upload } from '../support/target.ts';

const url = target.url;
const tokenFor = (scope: string) => uploadToken(target.account, { scope });

describe('what is stored', () => {
  test('a form with key, token and file becomes an object that a GET returns [upload-01 upload-02]', async () => {
    const bucket = await newBucket();
    const answer = await upload({ scope: bucket }, 'hello world', { key: 'a folder/greeting.txt' });
    await expectStored(answer, bucket, 'a folder/greeting.txt', 'hello world');
    await expectNothing(bucket, 'greeting.txt');
  });

  test('the answer is hash and key, as JSON [form-06]', async () => {
    const bucket = await newBucket();
    const answer = await upload({ scope: bucket }, 'hello world', { key: 'k' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.text()).toBe('{"hash":"FiqubDXJT8-0FdvpX0CLnOke6Ebt","key":"k"}');
  });

  test('an empty file is an object of size 0 [upload-03]', async () => {
    const bucket = await newBucket();
    const answer = await upload({ scope: bucket }, '', { key: 'empty' });
    expect(await answer.json()).toEqual({ hash: 'Fto5o-5ea0sNMlW_75VgGJCv2AcJ', key: 'empty' });
    expect((await recordOf(bucket, 'empty')).fsize).toBe(0);
    const bytes = await download(bucket, 'empty');
    expect([bytes.status, bytes.headers.get('content-length'), await bytes.text()]).toEqual([200, '0', '']);
  });

  test('bytes, line ends and text that looks like a boundary arrive as they were sent [upload-04]', async () => {
    const bucket = await newBucket();
    const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const content = Buffer.concat([
      Buffer.from(`--${BOUNDARY}--\r\n`),
      everyByte,
      Buffer.from(`\r\n\r\n--${BOUNDARY.slice(0, -1)}\r\n\n--${BOUNDARY}\r\r--${BOUNDARY}--`),
      Buffer.from(`\r\n--${BOUNDARY.toUpperCase()}--\r\n-\r\n--\r\n`),
    ]);
    const answer = await postParts(url, [
      field('token', tokenFor(bucket)),
      field('key', 'bytes'),
      file(content),
    ]);
    await expectStored(answer, bucket, 'bytes', content);
  });

  test('a file of several megabytes cut into odd pieces arrives whole [upload-04]', async () => {
    const bucket = await newBucket();
    const content = Buffer.alloc(5_000_001, 'The quick brown fox\r\n--');
    const sending = await openUpload(url);
    const body = wholeBody([field('token', tokenFor(bucket)), field('key', 'big'), file(content)]);
    for (let at = 0; at < body.length; at += 777_777) await sending.send(body.subarray(at, at + 777_777));
    await expectStored(await sending.finish(), bucket, 'big', content);
  });

  test('fields x:<name> change nothing of what is stored [upload-08]', async () => {
    const bucket = await newBucket();
    const answer = await upload({ scope: bucket }, 'content', {
      key: 'k',
      fields: { 'x:key': 'other', 'x:': '', 'x:file': 'other content' },
    });
    await expectStored(answer, bucket, 'k', 'content');
    const plain = await upload({ scope: bucket }, 'content', { key: 'plain' });
    expect(plain.status).toBe(200);
    const { putTime: _, ...record } = await recordOf(bucket, 'k');
    const { putTime: __, ...plainRecord } = await recordOf(bucket, 'plain');
    expect(record).toEqual(plainRecord);
    await expectNothing(bucket, 'other');
  });

  test('a chunked body without Content-Length is accepted [form-10]', async () => {
    const bucket = await newBucket();
    const sending = await openUpload(url);
    const body = wholeBody([field('token', tokenFor(bucket)), field('key', 'k'), file('in pieces')]);
    for (const byte of body) await sending.send(Buffer.from([byte]));
    await expectStored(await sending.finish(), bucket, 'k', 'in pieces');
  });
});

describe('the order of the fields', () => {
  const orders = [
    ['token', 'key', 'file'],
    ['token', 'file', 'key'],
    ['key', 'token', 'file'],
    ['key', 'file', 'token'],
    ['file', 'token', 'key'],
    ['file', 'key', 'token'],
  ];
  test.each(orders)('%s, %s, %s give the same object [form-01]', async (...order) => {
    const bucket = await newBucket();
    const parts: Record<string, Part> = {
      token: field('token', tokenFor(bucket)),
      key: field('key', 'k.txt'),
      file: file('content', 'f.bin'),
    };
    const answer = await postParts(
      url,
      order.map((name) => parts[name] ?? field(name, '')),
    );
    await expectStored(answer, bucket, 'k.txt', 'content');
    expect(await recordOf(bucket, 'k.txt')).toMatchObject({ fsize: 7, mimeType: 'text/plain', type: 0 });
  });

  test('token, key and variables after the file are held to the policy like any others [G7]', async () => {
    const bucket = await newBucket();
    const after = (scope: string, key: string) =>
      postParts(url, [
        file('content'),
        field('x:a', '1'),
        field('key', key),
        field('token', tokenFor(scope)),
      ]);
    await expectRefusal(await after(`${bucket}:mine`, 'other'), 403, "key doesn't match with scope");
    await expectNothing(bucket, 'other');
    await expectStored(await after(`${bucket}:mine`, 'mine'), bucket, 'mine', 'content');
  });

  test('a key after the file is held to the scope of a token before it [G7]', async () => {
    const bucket = await newBucket();
    const token = field('token', tokenFor(`${bucket}:mine`));
    const answer = await postParts(url, [token, file('content'), field('key', 'other')]);
    await expectRefusal(answer, 403, "key doesn't match with scope");
    await expectNothing(bucket, 'other');
    await expectStored(
      await postParts(url, [token, file('content'), field('key', 'mine')]),
      bucket,
      'mine',
      'content',
    );
  });
});

test('a policy that lists its keys waits for a key behind the file [G7]', async () => {
  const bucket = await newBucket();
  const token = field('token', uploadToken(target.account, { scope: bucket, keylimit: ['mine'] }));
  const answer = await postParts(url, [token, file('content'), field('key', 'mine')]);
  await expectStored(answer, bucket, 'mine', 'content');
  const other = await postParts(url, [token, file('content'), field('key', 'other')]);
  await expectRefusal(other, 403, "key doesn't match with scope");
  await expectNothing(bucket, 'other');
});

describe('crc32', () => {
  const content = 'checked content';
  const right = String(crc32(content));
  const wrong = String(crc32('other content'));
  const form = (bucket: string, key: string) => [field('token', tokenFor(bucket)), field('key', key)];

  test('a sum that matches is accepted before and after the file [form-05]', async () => {
    const bucket = await newBucket();
    const before = [...form(bucket, 'before'), field('crc32', right), file(content)];
    await expectStored(await postParts(url, before), bucket, 'before', content);
    const after = [...form(bucket, 'after'), file(content), field('crc32', right)];
    await expectStored(await postParts(url, after), bucket, 'after', content);
  });

  test('a sum that does not match answers 406 and stores nothing [form-05]', async () => {
    const bucket = await newBucket();
    const before = [...form(bucket, 'k'), field('crc32', wrong), file(content)];
    await expectRefusal(await postParts(url, before), 406, 'crc32 does not match the content');
    const after = [...form(bucket, 'k'), file(content), field('crc32', wrong)];
    await expectRefusal(await postParts(url, after), 406, 'crc32 does not match the content');
    await expectNothing(bucket, 'k');
  });

  test('a sum that is no number answers 400 [form-05]', async () => {
    const bucket = await newBucket();
    const parts = [...form(bucket, 'k'), field('crc32', 'abc'), file(content)];
    await expectRefusal(await postParts(url, parts), 400, 'invalid multipart format');
    await expectNothing(bucket, 'k');
  });
});
