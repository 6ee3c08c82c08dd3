import { signDownloadUrl } from '@millpond/protocol';
import { hashing } from '@millpond/testing';
import { beforeAll, expect, test } from 'vitest';
import { type Stored, store } from '../support/objects/objects.ts';
import { rawFetch } from '../support/raw.ts';
import { authorize, send, sendSigned } from '../support/signing.ts';
import { target } from '../support/target.ts';

let object: Stored;
let host: string;
beforeAll(async () => {
  object = await store('a/b c.txt', 'hello world');
  host = `${object.bucket}.dl.example.test`;
});

test('a host that begins with the bucket answers its objects [download-03]', async () => {
  const byPath = await rawFetch({ target: object.path });
  for (const name of [host, `${host}:8080`, host.toUpperCase()]) {
    const answer = await rawFetch({ target: '/a/b%20c.txt', host: name });
    expect([answer.status, answer.text()]).toEqual([200, 'hello world']);
    for (const header of ['etag', 'last-modified', 'content-type', 'content-security-policy']) {
      expect(answer.header(header)).toBe(byPath.header(header));
    }
  }
  const part = await rawFetch({ target: '/a/b%20c.txt', host, headers: [['Range', 'bytes=-5']] });
  expect([part.status, part.text()]).toEqual([206, 'world']);
});

test('active types are attachments there too [download-03 safe-02]', async () => {
  const page = await store('page.html', '<p>', { mimeType: 'text/html' });
  const answer = await rawFetch({ target: '/page.html', host: `${page.bucket}.dl.example.test` });
  expect([answer.status, answer.header('content-disposition')]).toEqual([200, 'attachment']);
});

test('keys are the whole path there, whatever it looks like [download-03]', async () => {
  const keys = ['stat/abc', '/leading', 'a//b', '~bucket/x', `${object.bucket}/a`, ''];
  for (const key of keys) {
    await store(key, `key ${key}`, { bucket: object.bucket });
    const answer = await rawFetch({ target: `/${key}`, host });
    expect([answer.status, answer.text()]).toEqual([200, `key ${key}`]);
  }
});

test('a host of no bucket, or with more before the bucket, answers 404 [download-03]', async () => {
  for (const name of ['no-such-bucket.dl.example.test', `x.${host}`]) {
    const answer = await rawFetch({ target: '/a/b%20c.txt', host: name });
    expect([answer.status, answer.json()]).toMatchObject([404, { error: 'not found' }]);
  }
});

test('no other calls are answered there [host-01]', async () => {
  const call = { method: 'GET', target: object.stat, host };
  const answer = await send(call, authorize(call));
  expect([answer.status, answer.json()]).toEqual([404, { error: 'not found' }]);
  const post = { ...call, method: 'POST' };
  expect((await send(post, authorize(post))).status).toBe(405);
});

test('a private bucket asks for a token there, signed over that host [download-03 private-02]', async () => {
  const secret = await store('s.txt', 'secret');
  await sendSigned({ target: '/private', body: `bucket=${secret.bucket}&private=1` });
  const own = `${secret.bucket}.dl.example.test`;
  expect((await rawFetch({ target: '/s.txt', host: own })).status).toBe(401);
  const deadline = Math.floor(Date.now() / 1000) + 60;
  const signed = new URL(signDownloadUrl(hashing, target.account, `http://${own}/s.txt`, deadline));
  const path = signed.pathname + signed.search;
  expect((await rawFetch({ target: path, host: own })).text()).toBe('secret');
  expect((await rawFetch({ target: path, host: `${own}:81` })).status).toBe(401);
});
