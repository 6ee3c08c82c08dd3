/** What the owner of an object says about its downloads, and what an owner can't say. */
import { gzipSync } from 'node:zlib';
import { formatEntry } from '@millpond/protocol';
import { signedFetch } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { chgm } from '../support/objects/change-metadata.ts';
import { fetchInto, file, mirroredBucket, prefetch } from '../support/objects/fetching.ts';
import { ask } from '../support/objects/images.ts';
import { image } from '../support/objects/processing.ts';
import { rawFetch } from '../support/raw.ts';
import { newKey, useRegion } from '../support/receivers/callbacks.ts';
import { useReceiver } from '../support/receivers/receiver.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { newBucket, target, upload } from '../support/target.ts';

const origin = useReceiver();
const region = useRegion();
const NAMES = ['cache-control', 'content-disposition', 'content-encoding', 'content-language', 'expires'];
const fieldsOf = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [`x-svc-meta-!${name}`, value]));

async function put(
  headers: Readonly<Record<string, string>>,
  content: Uint8Array<ArrayBuffer> | string = 'content',
  mimeType = 'text/plain',
): Promise<{ bucket: string; key: string; path: string }> {
  const [bucket, key] = [await newBucket(), newKey()];
  const answer = await upload({ scope: bucket }, content, { key, mimeType, fields: fieldsOf(headers) });
  expect(answer.status, await answer.text()).toBe(200);
  return { bucket, key, path: `/${bucket}/${key}` };
}

describe('a coding', () => {
  const plain = 'compress me '.repeat(1000);
  const content = new Uint8Array(gzipSync(plain));

  test('is told, and the bytes are those that are stored: whole, in part, and to whoever accepts it or not [headers-01]', async () => {
    const { path } = await put({ 'Content-Encoding': 'gzip' }, content);
    for (const accepted of ['gzip', 'identity', 'br;q=1, *;q=0']) {
      const answer = await rawFetch({ target: path, headers: [['Accept-Encoding', accepted]] });
      expect([answer.status, answer.header('content-encoding')]).toEqual([200, 'gzip']);
      expect(answer.header('content-length')).toBe(String(content.length));
      expect(answer.body.equals(content)).toBe(true);
    }
    const part = await rawFetch({ target: path, headers: [['Range', 'bytes=5-9']] });
    expect([part.status, part.header('content-encoding')]).toEqual([206, 'gzip']);
    expect(part.body.equals(content.subarray(5, 10))).toBe(true);
    // As a browser takes it.
    expect(await (await fetch(target.url + path)).text()).toBe(plain);
  });

  test('does not keep the library from getting what is stored, as it is stored', async () => {
    const { bucket, key } = await put({ 'Content-Encoding': 'gzip' }, content);
    const got = await sdkClient().download(bucket, key);
    expect(got.header('content-encoding')).toBe('gzip');
    expect(Buffer.from(await got.bytes()).equals(content)).toBe(true);
  });
});

describe('a disposition', () => {
  const dispositionOf = async (path: string) =>
    (await rawFetch({ method: 'HEAD', target: path })).header('content-disposition');

  test('is as the owner says, but a name that is asked for counts more [headers-06]', async () => {
    const { path } = await put({ 'Content-Disposition': 'inline; filename="a.txt"' });
    expect(await dispositionOf(path)).toBe('inline; filename="a.txt"');
    expect(await dispositionOf(`${path}?attname=b.txt`)).toBe('attachment; filename="b.txt"');
    expect(await dispositionOf(`${path}?attname=`)).toBe('attachment');
  });

  test.each([
    ['inline', 'attachment'],
    ['inline; filename="a.html"', 'attachment; filename="a.html"'],
    [`attachment; filename=a; filename*=UTF-8''%C3%A4`, `attachment; filename=a; filename*=UTF-8''%C3%A4`],
    ['x-own', 'attachment'],
  ])('makes no page of what could be one: %s goes out as %s [headers-06]', async (said, sent) => {
    for (const type of ['text/html', 'image/svg+xml', 'application/pdf', 'text/html; charset=utf-8']) {
      const { path } = await put({ 'Content-Disposition': said }, '<script>', type);
      const answer = await rawFetch({ target: path });
      expect([answer.header('content-type'), answer.header('content-disposition')]).toEqual([type, sent]);
      expect(answer.header('x-content-type-options')).toBe('nosniff');
      expect(answer.header('content-security-policy')).toMatch(/\bsandbox$/);
    }
  });
});

test('a refusal, a failure and a range that is not there carry none of them [headers-07]', async () => {
  const headers = {
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Content-Encoding': 'gzip',
    'Content-Disposition': 'attachment; filename="a"',
    Expires: 'Tue, 15 Nov 2033 12:45:26 GMT',
  };
  const { bucket, key, path } = await put(headers);
  const expectBare = async (status: number, ...more: [string, string][]) => {
    const answer = await rawFetch({ target: path, headers: more });
    const carried = answer.headers.filter(([name]) => NAMES.includes(name) || name === 'etag');
    // What fails by our own fault says so itself: it is not to be kept.
    const own = status === 599 ? [['cache-control', 'no-store']] : [];
    expect([answer.status, carried, answer.header('content-type')]).toEqual([
      status,
      own,
      'application/json',
    ]);
    expect(answer.json()).toHaveProperty('error');
  };
  await expectBare(416, ['Range', 'bytes=100-']);
  await expectBare(412, ['If-Match', '"other"']);
  await signedFetch(target.url, target.account, `/chstatus/${formatEntry(bucket, key)}/status/1`);
  await expectBare(403);
  await signedFetch(target.url, target.account, `/chstatus/${formatEntry(bucket, key)}/status/0`);
  await region.database.loseBytes(key);
  await expectBare(599);
  await expectBare(599, ['Range', 'bytes=1-2']);
});

test('nobody else’s word changes what is private, and the default stays no word at all', async () => {
  const { bucket, key, path } = await put({ 'Cache-Control': 'public, max-age=60' });
  await upload({ scope: bucket }, 'content', { key: 'plain' });
  await signedFetch(target.url, target.account, '/private', { body: `bucket=${bucket}&private=1` });
  expect((await rawFetch({ target: path })).header('cache-control')).toBeUndefined();
  const signed = (name: string) => {
    const { pathname, search } = new URL(sdkClient().downloadUrl(bucket, name));
    return rawFetch({ target: pathname + search });
  };
  expect((await signed(key)).header('cache-control')).toBe('public, max-age=60');
  const plain = await signed('plain');
  expect(plain.status).toBe(200);
  expect(plain.headers.filter(([name]) => NAMES.includes(name))).toEqual([]);
});

test('an image that is made of an object has its times in caches, and neither its coding nor its name [headers-10]', async () => {
  const headers = {
    'Cache-Control': 'max-age=60',
    'Content-Disposition': 'attachment; filename="a.png"',
    'Content-Encoding': 'x-own',
    'Content-Language': 'de',
    Expires: 'Tue, 15 Nov 2033 12:45:26 GMT',
  };
  const { path } = await put(headers, new Uint8Array(await image('40x30')), 'image/png');
  for (const command of ['imageView2/2/w/20', 'imageView2/2/w/20', 'imageInfo']) {
    const answer = await ask(path, command);
    const carried = answer.headers.filter(([name]) => NAMES.includes(name));
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(carried)).toEqual({
      'cache-control': 'max-age=60',
      expires: headers.Expires,
    });
  }
});

test('what an origin says of its file stays with it, whether it was fetched, prefetched or asked for [headers-08]', async () => {
  const body = new Uint8Array(gzipSync('origin'));
  const said = {
    'content-type': 'text/plain',
    'content-encoding': 'gzip',
    'content-language': 'de',
    'cache-control': 'public, max-age=60',
    expires: '-1',
    'set-cookie': 'a=b',
    'x-own': '1',
  };
  const keys = ['fetched', 'prefetched', 'missed'];
  for (const key of keys) origin.at(file(body, said), `/said/${key}`);
  const bucket = await mirroredBucket(`${origin.url}/said`);
  const fetched = await fetchInto(bucket, `${origin.url}/said/fetched`, { key: 'fetched' });
  expect(fetched.status, await fetched.text()).toBe(200);
  expect((await prefetch(bucket, 'prefetched')).status).toBe(200);
  for (const key of keys) {
    const answer = await rawFetch({ target: `/${bucket}/${key}` });
    const carried = answer.headers.filter(([name]) => NAMES.includes(name));
    expect(answer.body.equals(body)).toBe(true);
    expect(Object.fromEntries(carried)).toEqual({
      'content-encoding': 'gzip',
      'content-language': 'de',
      'cache-control': 'public, max-age=60',
    });
    for (const name of ['set-cookie', 'x-own']) expect(answer.header(name)).toBeUndefined();
  }
  // The owner has the last word all the same.
  await chgm(bucket, 'missed', { meta: { '!Cache-Control': '' } });
  expect((await rawFetch({ target: `/${bucket}/missed` })).header('cache-control')).toBeUndefined();
});
