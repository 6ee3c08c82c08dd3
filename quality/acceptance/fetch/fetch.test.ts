/** Fetch from a URL, as the interface describes it. */
import { gzipSync } from 'node:zlib';
import { encodeBase64Text, etagOf, formatEntry } from '@millpond/protocol';
import { hashing, signedFetch, stat as statCall } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectContent, expectNothing, expectRefusal, recordOf } from '../support/expectations.ts';
import { fetchInto, fetchPath, file } from '../support/objects/fetching.ts';
import { randomContent, store } from '../support/objects/objects.ts';
import { rawFetch } from '../support/raw.ts';
import { reply, useReceiver } from '../support/receivers/receiver.ts';
import { authorize, send, sendSigned } from '../support/signing.ts';
import { download, newBucket, stat, target, upload } from '../support/target.ts';

const origin = useReceiver();

test('stores the file of a URL under the key that was asked for [fetch-01 fetch-05 fetch-07 fetch-13 fetch-result-01 fetch-result-02 fetch-result-03 fetch-result-04]', async () => {
  const content = randomContent(100_000);
  const bucket = await newBucket();
  const { url, requests } = origin.at(file(content, { 'content-type': 'image/x-own' }));
  const answer = await fetchInto(bucket, url, { key: 'a/b c.bin' });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
  const hash = etagOf(hashing, content);
  const expected = { fsize: 100_000, hash, key: 'a/b c.bin', mimeType: 'image/x-own' };
  expect(await answer.json()).toEqual(expected);
  await expectContent(bucket, 'a/b c.bin', content);
  expect(await recordOf(bucket, 'a/b c.bin')).toMatchObject({
    fsize: 100_000,
    hash,
    mimeType: 'image/x-own',
  });
  expect(requests.map(({ method, headers }) => [method, headers['accept-encoding']])).toEqual([
    ['GET', 'identity'],
  ]);
});

test('an entry of the bucket alone: the object is named by its hash [fetch-04]', async () => {
  const content = randomContent(5 * 1024 * 1024);
  const bucket = await newBucket();
  const answer = await fetchInto(bucket, origin.at(file(content)).url);
  const { key, hash } = (await answer.json()) as { key: string; hash: string };
  expect([key, hash]).toEqual([etagOf(hashing, content), etagOf(hashing, content)]);
  await expectContent(bucket, key, content);
});

test('the empty key is a key, and not the same as none', async () => {
  const bucket = await newBucket();
  const answer = await fetchInto(bucket, origin.at(file('x')).url, { key: '' });
  expect(await answer.json()).toMatchObject({ key: '' });
  expect((await stat(bucket, '')).status).toBe(200);
});

test('an empty file is a file', async () => {
  const bucket = await newBucket();
  const answer = await fetchInto(bucket, origin.at(file('')).url, { key: 'empty' });
  expect([answer.status, await answer.json()]).toMatchObject([200, { fsize: 0 }]);
  await expectContent(bucket, 'empty', '');
});

test('a URL is fetched as written, with its query, whatever its Base64 looks like [fetch-03]', async () => {
  const bucket = await newBucket();
  const path = '/q/%C3%BC~~~~~.txt?a=?????&b=%2F%20&c=%E4%B8%AD';
  const endpoint = origin.at(file('x'), path);
  expect(encodeBase64Text(endpoint.url)).toMatch(/-.*_/);
  expect((await fetchInto(bucket, endpoint.url, { key: 'k' })).status).toBe(200);
  expect(endpoint.only.target).toBe(path);
});

test('with EncodedHost the origin gets it as Host, and the connection goes to the URL all the same [fetch-02 fetch-06 fetch-rule-15 G38]', async () => {
  const bucket = await newBucket();
  const endpoint = origin.at(file('x'));
  const answer = await fetchInto(bucket, endpoint.url, { key: 'k', host: 'files.example.test:8443' });
  expect(answer.status).toBe(200);
  expect(endpoint.only.headers.host).toBe('files.example.test:8443');
  await expectContent(bucket, 'k', 'x');
});

test('the answer waits for a slow origin, and the object is there with it [fetch-09]', async () => {
  const bucket = await newBucket();
  const [begun, rest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { url } = origin.at(async (response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('hello', () => begun.resolve());
    await rest.promise;
    response.end('world');
  });
  let isAnswered = false;
  const answering = fetchInto(bucket, url, { key: 'slow' }).finally(() => {
    isAnswered = true;
  });
  await begun.promise;
  expect([isAnswered, (await stat(bucket, 'slow')).status]).toEqual([false, 612]);
  rest.resolve();
  expect((await answering).status).toBe(200);
  expect((await stat(bucket, 'slow')).status).toBe(200);
  await expectContent(bucket, 'slow', 'helloworld');
});

test('an origin that refuses by agent or address ends it, and nothing is stored [fetch-11 fetch-rule-03]', async () => {
  const bucket = await newBucket();
  await expectRefusal(await fetchInto(bucket, origin.at(reply(403)).url, { key: 'k' }), 478, 'origin failed');
  await expectNothing(bucket, 'k');
});

describe('who may', () => {
  test('without a credential, or with a wrong one, 401, and the origin is not asked [fetch-08]', async () => {
    const bucket = await newBucket();
    const endpoint = origin.at(file('x'));
    const call = { target: fetchPath(endpoint.url, bucket, { key: 'k' }) };
    const wrong = { ...target.account, secretKey: 'wrong' };
    for (const authorization of [undefined, 'Svc ', authorize(call, { keys: wrong })]) {
      const answer = await send(call, authorization);
      expect([answer.status, answer.json()]).toMatchObject([401, { error: 'bad token' }]);
    }
    expect(endpoint.requests).toEqual([]);
  });

  test("a missing bucket and another account's answer 631 alike, and the origin is not asked [fetch-rule-12]", async () => {
    const bucket = await newBucket();
    const endpoint = origin.at(file('x'));
    const [foreign, missing] = await Promise.all(
      [bucket, 'no-such-bucket'].map((name) =>
        sendSigned({ target: fetchPath(endpoint.url, name, { key: 'k' }) }, { keys: target.stranger }),
      ),
    );
    expect([foreign?.status, foreign?.text()]).toEqual([631, '{"error":"no such bucket"}']);
    expect([missing?.status, missing?.text()]).toEqual([631, '{"error":"no such bucket"}']);
    expect(endpoint.requests).toEqual([]);
    expect((await statCall(target.url, target.account, bucket, 'k')).status).toBe(612);
  });
});

describe('a path', () => {
  test('with a second URL, a second target or anything else stores nothing and answers 400 [fetch-limit-01]', async () => {
    const bucket = await newBucket();
    const endpoint = origin.at(file('x'));
    const [url, entry] = [encodeBase64Text(endpoint.url), formatEntry(bucket, 'k')];
    for (const path of [
      `/fetch/${url}/${url}/to/${entry}`,
      `/fetch/${url}/to/${entry}/to/${entry}`,
      `/fetch/${url}/to/${entry}/host`,
      `/fetch/${url}/to/${entry}/md5/x`,
      `/fetch/${url}/to/${entry}/`,
      `/fetch/${url}/to/`,
      `/fetch/${url}/into/${entry}`,
      `/fetch//to/${entry}`,
      `/fetch/${url}`,
    ]) {
      const answer = await signedFetch(target.url, target.account, path);
      await expectRefusal(answer, 400, 'invalid argument');
    }
    expect(endpoint.requests).toEqual([]);
    expect((await stat(bucket, 'k')).status).toBe(612);
  });

  test('whose parameters are not strict URL-safe Base64 answers 400 [fetch-rule-13]', async () => {
    const bucket = await newBucket();
    const [url, entry] = [encodeBase64Text('http://127.0.0.1:1/'), formatEntry(bucket, 'k')];
    for (const path of [
      `/fetch/${url}!/to/${entry}`,
      `/fetch/a+/b/to/${entry}`,
      `/fetch/YQ===/to/${entry}`,
      `/fetch/YR/to/${entry}`,
      `/fetch/_w==/to/${entry}`,
      `/fetch/${url}/to/${entry}*`,
      `/fetch/${url}/to/${entry}/host/a.b`,
    ]) {
      const answer = await signedFetch(target.url, target.account, path);
      await expectRefusal(answer, 400, 'invalid argument');
    }
  });
});

test('over an existing key it overwrites [fetch-rule-01]', async () => {
  const { bucket } = await store('k', 'old content', { mimeType: 'text/x-old' });
  const before = await recordOf(bucket, 'k');
  const answer = await fetchInto(bucket, origin.at(file('new', { 'content-type': 'text/x-new' })).url, {
    key: 'k',
  });
  expect(answer.status).toBe(200);
  await expectContent(bucket, 'k', 'new');
  const after = await recordOf(bucket, 'k');
  expect(after.mimeType).toBe('text/x-new');
  expect(after.putTime).toBeGreaterThan(before.putTime);
});

test.each([2, 3])(
  'over a frozen object of class %i it overwrites, and nothing is frozen any more',
  async (fileType) => {
    const bucket = await newBucket();
    expect((await upload({ scope: bucket, fileType }, 'frozen', { key: 'k' })).status).toBe(200);
    expect((await download(bucket, 'k')).status).toBe(403);
    expect((await fetchInto(bucket, origin.at(file('fresh')).url, { key: 'k' })).status).toBe(200);
    await expectContent(bucket, 'k', 'fresh');
    expect((await recordOf(bucket, 'k')).type).toBe(0);
  },
);

describe('the type', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  test.each([
    ['is what the origin says', 'text/css; charset=utf-8', 'a.png', png, 'text/css; charset=utf-8'],
    ['with characters that are not allowed is detected', 'image/x"y', 'plain', png, 'image/png'],
    ['with a % is detected', 'image/%70ng', 'plain', png, 'image/png'],
    ['that is too long is detected', `image/${'x'.repeat(200)}`, 'plain', png, 'image/png'],
    ['that says nothing is detected', 'application/octet-stream', 'plain', png, 'image/png'],
    ['that is not given is detected', undefined, 'plain', png, 'image/png'],
    ['of unknown content goes by the name', undefined, 'style.css', Buffer.from([0, 1, 2, 255]), 'text/css'],
  ])('%s [fetch-rule-10]', async (what, contentType, name, content, expected) => {
    const bucket = await newBucket();
    const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType };
    const { url } = origin.at(file(content, headers), `/${encodeURIComponent(what)}/${name}`);
    const answer = await fetchInto(bucket, url, { key: 'k' });
    expect([answer.status, await answer.json()]).toMatchObject([200, { mimeType: expected }]);
    expect((await recordOf(bucket, 'k')).mimeType).toBe(expected);
  });
});

test('bytes are kept as they were sent, also where they are compressed, and say so [headers-08]', async () => {
  const bucket = await newBucket();
  const gzip = gzipSync('for');
  const { url } = origin.at(file(gzip, { 'content-encoding': 'gzip' }));
  const { hash } = (await (await fetchInto(bucket, url, { key: 'k' })).json()) as { hash: string };
  expect(hash).toBe(etagOf(hashing, gzip));
  const answer = await rawFetch({ target: `/${bucket}/k` });
  expect([answer.status, answer.header('content-encoding')]).toEqual([200, 'gzip']);
  expect(answer.body.equals(gzip)).toBe(true);
});

test('a chunked body has no length, and is whole at its last chunk', async () => {
  const bucket = await newBucket();
  const { url } = origin.at((response) => {
    response.writeHead(200);
    response.write('one ');
    response.end('two');
  });
  expect((await fetchInto(bucket, url, { key: 'k' })).status).toBe(200);
  await expectContent(bucket, 'k', 'one two');
});
