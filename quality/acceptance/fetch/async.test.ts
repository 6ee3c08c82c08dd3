/** Asynchronous fetches: taken at once, done in the background, asked about by their id. */
import { createHash, randomUUID } from 'node:crypto';
import { etagOf } from '@millpond/protocol';
import { createBucket, hashing } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { logIn, tokensOf } from '../support/accounts/accounts.ts';
import { createParent } from '../support/accounts/operator.ts';
import { expectContent, expectNothing, recordOf } from '../support/expectations.ts';
import { type AsyncStatus, asyncFetch, asyncStatus, endOf, file } from '../support/objects/fetching.ts';
import { randomContent, store } from '../support/objects/objects.ts';
import type { RawResponse } from '../support/raw.ts';
import { useRegion } from '../support/receivers/callbacks.ts';
import { json, reply, type Script, useReceiver } from '../support/receivers/receiver.ts';
import { secureSend } from '../support/running/secure.ts';
import { sendSigned } from '../support/signing.ts';
import { newBucket, stat, target } from '../support/target.ts';

const origin = useReceiver();
const region = useRegion();

async function taken(fields: Readonly<Record<string, unknown>>): Promise<AsyncStatus> {
  const answer = await asyncFetch(fields);
  expect(answer.status, answer.text()).toBe(200);
  return answer.json() as AsyncStatus;
}

function expectError(answer: RawResponse, status: number, error: string): void {
  expect([answer.status, answer.json()]).toMatchObject([status, { error }]);
}

test('answers at once, says 0 while it runs and -1 once it was processed, and the object is there [fetch-async-01 fetch-async-02 fetch-async-03]', async () => {
  const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const content = randomContent(200_000);
  const { url } = origin.at(async (response, received) => {
    asked.resolve();
    await go.promise;
    await file(content, { 'content-type': 'image/x-own' })(response, received);
  });
  const bucket = await newBucket();
  const { id, wait } = await taken({ url, bucket, key: 'k' });
  expect([typeof id, wait]).toEqual(['string', 0]);
  await asked.promise;
  expect((await asyncStatus(id)).json()).toEqual({ id, wait: 0, state: 'waiting' });
  expect((await stat(bucket, 'k')).status).toBe(612);
  go.resolve();
  const hash = etagOf(hashing, content);
  const end = { id, wait: -1, state: 'done', key: 'k', hash, fsize: 200_000, mimeType: 'image/x-own' };
  expect(await endOf(id)).toEqual(end);
  await expectContent(bucket, 'k', content);
  expect(await recordOf(bucket, 'k')).toMatchObject({ hash, mimeType: 'image/x-own' });
});

test('without a key the object is named by its hash [fetch-async-03]', async () => {
  const bucket = await newBucket();
  const { id } = await taken({ url: origin.at(file('unnamed')).url, bucket, key: '' });
  const { key, hash } = await endOf(id);
  expect(key).toBe(etagOf(hashing, Buffer.from('unnamed')));
  expect(hash).toBe(key);
  await expectContent(bucket, key ?? '', 'unnamed');
});

test('of several URLs the first that gives the file counts, and host is told to each', async () => {
  const bucket = await newBucket();
  const [bad, good] = [origin.at(reply(500)), origin.at(file('second'))];
  const { id } = await taken({ url: `${bad.url};${good.url}`, bucket, key: 'k', host: 'files.example.test' });
  expect(await endOf(id)).toMatchObject({ state: 'done' });
  await expectContent(bucket, 'k', 'second');
  expect([bad.only.headers.host, good.only.headers.host]).toEqual([
    'files.example.test',
    'files.example.test',
  ]);
});

describe('what was promised of the content', () => {
  const md5 = createHash('md5').update('content').digest('hex');
  const etag = etagOf(hashing, Buffer.from('content'));
  test.each([
    ['md5', { md5 }],
    ['md5 in capitals', { md5: md5.toUpperCase() }],
    ['etag', { etag }],
    ['both', { md5, etag }],
  ])('%s holds', async (_what, promised) => {
    const bucket = await newBucket();
    const { id } = await taken({ url: origin.at(file('content')).url, bucket, key: 'k', ...promised });
    expect(await endOf(id)).toMatchObject({ state: 'done' });
  });

  test.each([
    ['md5', { md5: '0'.repeat(32) }],
    ['etag', { etag: etagOf(hashing, Buffer.from('other')) }],
  ])('%s does not hold: failed, and nothing is stored', async (name, promised) => {
    const bucket = await newBucket();
    const { id } = await taken({ url: origin.at(file('content')).url, bucket, key: 'k', ...promised });
    const end = { id, wait: -1, state: 'failed', error: `the file has a different ${name}` };
    expect(await endOf(id)).toEqual(end);
    await expectNothing(bucket, 'k');
  });
});

test('an object of that name is overwritten, or left alone where that is asked', async () => {
  const { bucket } = await store('k', 'old');
  const endpoint = origin.at(file('new'));
  const kept = await taken({ url: endpoint.url, bucket, key: 'k', ignore_same_key: true });
  expect(await endOf(kept.id)).toEqual({ id: kept.id, wait: -1, state: 'done' });
  await expectContent(bucket, 'k', 'old');
  expect(endpoint.requests).toEqual([]);
  const replaced = await taken({ url: endpoint.url, bucket, key: 'k' });
  expect(await endOf(replaced.id)).toMatchObject({ state: 'done' });
  await expectContent(bucket, 'k', 'new');
});

test('the storage class is the one that was asked for', async () => {
  const bucket = await newBucket();
  const { id } = await taken({ url: origin.at(file('x')).url, bucket, key: 'k', file_type: 1 });
  expect(await endOf(id)).toMatchObject({ state: 'done' });
  expect((await recordOf(bucket, 'k')).type).toBe(1);
});

describe('an origin', () => {
  test('that has not got the file: failed, without another try', async () => {
    const bucket = await newBucket();
    const endpoint = origin.at(reply(404));
    const { id } = await taken({ url: endpoint.url, bucket, key: 'k' });
    expect(await endOf(id)).toEqual({ id, wait: -1, state: 'failed', error: 'the origin has no such file' });
    expect(endpoint.requests).toHaveLength(1);
  });

  test('that fails is asked again, and the fetch says that it was processed, and when it is tried next [fetch-async-02 fetch-async-05]', async () => {
    const bucket = await newBucket();
    let fails = true;
    const script: Script = (response, received) =>
      fails ? reply(503)(response, received) : file('at last')(response, received);
    const endpoint = origin.at(script);
    const { id } = await taken({ url: endpoint.url, bucket, key: 'k' });
    const read = async () => (await asyncStatus(id)).json() as AsyncStatus;
    await expect.poll(read).toEqual({
      id,
      wait: -1,
      state: 'waiting',
      error: 'the origin answered 503',
      waitingFor: {
        reason: 'retry',
        text: expect.stringMatching(/^the next try at 20/),
        until: expect.stringMatching(/^20/),
      },
    });
    fails = false;
    expect(await endOf(id)).toMatchObject({ wait: -1, state: 'done', key: 'k' });
    expect(await endOf(id)).not.toHaveProperty('error');
    await expectContent(bucket, 'k', 'at last');
  });
});

describe('a callback', () => {
  test('is sent once the object is there, as an upload’s is', async () => {
    const bucket = await newBucket();
    const [seen, statuses] = [Promise.withResolvers<string>(), [] as number[]];
    const receiver = origin.at(async (response, received) => {
      statuses.push((await stat(bucket, 'k')).status);
      seen.resolve(received.text);
      await json({ ok: true })(response, received);
    });
    const { url } = origin.at(file('content', { 'content-type': 'text/plain' }), '/callback/a.txt');
    await taken({
      url,
      bucket,
      key: 'k',
      callbackurl: receiver.url,
      callbackbody:
        '{"key":$(key),"hash":$(etag),"size":$(fsize),"name":$(fname),"type":$(mimeType),"b":$(bucket)}',
      callbackbodytype: 'application/json',
      callbackhost: 'business.example.test',
    });
    const hash = etagOf(hashing, Buffer.from('content'));
    const said = { key: 'k', hash, size: 7, name: 'a.txt', type: 'text/plain', b: bucket };
    expect(JSON.parse(await seen.promise)).toEqual(said);
    expect(statuses).toEqual([200]);
    const { headers } = receiver.only;
    expect(headers).toMatchObject({ host: 'business.example.test', 'content-type': 'application/json' });
    expect(headers.authorization).toMatch(new RegExp(`^SvcCb ${target.account.accessKey}:`));
    const states = async () => (await region.database.deliveriesOf(`${bucket}:k`)).map(({ state }) => state);
    await expect.poll(states).toEqual(['delivered']);
  });

  test('is signed by the account’s first root key where an access token asked for it', async () => {
    const bucket = await newBucket();
    const person = await createParent();
    await createBucket(target.url, person, `${bucket}-of-token`);
    const { access_token: token } = await tokensOf(logIn(person));
    const receiver = origin.at(json({}));
    const body = JSON.stringify({
      url: origin.at(file('x')).url,
      bucket: `${bucket}-of-token`,
      callbackurl: receiver.url,
      callbackbody: 'x',
    });
    const call = { target: '/sisyphus/fetch', contentType: 'application/json', body };
    expect((await secureSend(call, `Svc ${token}`)).status).toBe(200);
    await expect.poll(() => receiver.requests.length).toBe(1);
    expect(receiver.only.headers.authorization).toMatch(new RegExp(`^SvcCb ${person.accessKey}:`));
  });

  test('that fails changes nothing about the fetch', async () => {
    const bucket = await newBucket();
    const receiver = origin.at(reply(500));
    const fields = { callbackurl: receiver.url, callbackbody: 'k=$(key)' };
    const { id } = await taken({ url: origin.at(file('x')).url, bucket, key: 'k', ...fields });
    expect(await endOf(id)).toMatchObject({ state: 'done' });
    const states = async () => (await region.database.deliveriesOf(`${bucket}:k`)).map(({ state }) => state);
    await expect.poll(states).toEqual(['failed']);
  });
});

describe('refused', () => {
  test('over plain HTTP: the host answers over TLS only', async () => {
    const call = { target: '/sisyphus/fetch', contentType: 'application/json', body: '{}' };
    expectError(await sendSigned(call), 400, 'this host answers over HTTPS only');
  });

  test('what is no such request is 400', async () => {
    const bucket = await newBucket();
    const right = { url: 'http://example.test/a', bucket, key: 'k' };
    for (const change of [
      { url: undefined },
      { url: '' },
      { url: 1 },
      { url: 'ftp://example.test/' },
      { url: 'nonsense' },
      { url: Array.from({ length: 11 }, (_, n) => `http://example.test/${n}`).join(';') },
      { host: 'a/b' },
      { bucket: '' },
      { key: 'k'.repeat(751) },
      { key: 7 },
      { md5: 'abc' },
      { etag: 'abc' },
      { file_type: 4 },
      { file_type: '1' },
      { ignore_same_key: 'true' },
      { callbackurl: 'http://example.test/' },
      { callbackurl: 'nonsense', callbackbody: 'x' },
      { callbackurl: 'http://example.test/', callbackbody: 'x', callbackbodytype: 'text/html' },
      { callbackurl: 'http://example.test/', callbackbody: '{', callbackbodytype: 'application/json' },
      { callbackurl: 'http://example.test/', callbackbody: 'x', callbackhost: 'a b' },
    ])
      expectError(await asyncFetch({ ...right, ...change }), 400, 'invalid argument');
  });

  test('a bucket that is not there, or not yours, is 631', async () => {
    const bucket = await newBucket();
    for (const name of [bucket, 'no-such-bucket']) {
      const answer = await asyncFetch(
        { url: 'http://example.test/', bucket: name },
        { keys: target.stranger },
      );
      expectError(answer, 631, 'no such bucket');
    }
  });

  test('an id that is none, or not yours, is 612 alike', async () => {
    const bucket = await newBucket();
    const { id } = await taken({ url: origin.at(file('x')).url, bucket, key: 'k' });
    for (const other of [id, randomUUID(), 'nonsense'])
      expectError(await asyncStatus(other, { keys: target.stranger }), 612, 'no such file or directory');
    expectError(await asyncStatus(''), 400, 'invalid argument');
  });
});
