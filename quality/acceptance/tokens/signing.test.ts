/** Tokens and URLs that the server signs, for callers that hold no secret key. */
import type { KeyLimits } from '@millpond/protocol';
import { createBucket, uploadForm } from '@millpond/testing';
import { beforeAll, expect, test } from 'vitest';
import { logIn, newChild, type Person, tokensOf, userCall, withToken } from '../support/accounts/accounts.ts';
import { operate } from '../support/accounts/operator.ts';
import { expectRefusalOf } from '../support/expectations.ts';
import { type RawResponse, rawFetch } from '../support/raw.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { secureSigned } from '../support/running/secure.ts';
import { sendSigned } from '../support/signing.ts';
import { newBucket, target, upload } from '../support/target.ts';

interface Pair {
  readonly accessKey: string;
  readonly secretKey: string;
}

interface Signed {
  readonly token: string;
  readonly accessKey: string;
  readonly policy: { readonly deadline: number };
}

let bucket: string;
let child: Person;

beforeAll(async () => {
  bucket = await newBucket();
  await sendSigned({ target: '/private', body: `bucket=${bucket}&private=1` });
  await upload({ scope: bucket }, 'content', { key: 'a/ü.txt' });
  child = await newChild();
});

const signed = (what: 'upload-token' | 'download-url', body: object, keys: Pair = target.account) =>
  secureSigned(
    { target: `/v1/sign/${what}`, contentType: 'application/json', body: JSON.stringify(body) },
    { keys },
  );
const urlIn = (answer: RawResponse) => new URL((answer.json() as { url: string }).url);

function refused(answer: RawResponse, status: number, error: string, hint?: string): void {
  expectRefusalOf(answer, status, error);
  if (hint !== undefined) expect(answer.json()).toMatchObject({ hint });
}

/** By its host and path; the signature does not tell the scheme. */
const read = (url: URL) => rawFetch({ target: url.pathname + url.search, host: url.host }, target.url);

async function limitedKey(limits: KeyLimits): Promise<Pair> {
  const made = await userCall('create_key', { limits: JSON.stringify(limits) });
  const { key = '', secret = '' } = made.json() as Record<string, string>;
  return { accessKey: key, secretKey: secret };
}

test('a token uploads what its policy permits, for an hour unless said, and is signed by the oldest root key [signing-01]', async () => {
  const answer = await signed('upload-token', { policy: { scope: `${bucket}:new`, insertOnly: 1 } });
  const { token, accessKey, policy } = answer.json() as Signed;
  expect({ accessKey, policy }).toEqual({
    accessKey: target.account.accessKey,
    policy: { scope: `${bucket}:new`, insertOnly: 1, deadline: expect.any(Number) },
  });
  expect(Math.abs(policy.deadline - Date.now() / 1000 - 3600)).toBeLessThan(600);
  expect((await uploadForm(target.url, 'x', { token, key: 'new' })).status).toBe(200);
  expect((await uploadForm(target.url, 'y', { token, key: 'new' })).status).toBe(614);
  expect(answer.header('cache-control')).toBe('no-store');
});

test('an access token of a password has them signed, for its own account only [signing-01]', async () => {
  const { access_token: accessToken } = await tokensOf(logIn(child));
  const call = (scope: string) =>
    withToken(accessToken, {
      target: '/v1/sign/upload-token',
      body: JSON.stringify({ policy: { scope } }),
    });
  refused(await call(bucket), 631, 'no such bucket');
  const own = `b-${child.uid}`;
  await createBucket(target.url, child, own);
  expect((await call(own)).json()).toMatchObject({ accessKey: child.accessKey });
  const foreign = { policy: { scope: 'x' }, accessKey: target.account.accessKey };
  const named = await signed('upload-token', foreign, child);
  refused(named, 400, 'invalid argument', 'accessKey: the account has no such key, or it is disabled');
});

test.each([
  [{ scope: 'b', fsizeLimt: 1 }, 'no server knows fsizeLimt (did you mean fsizeLimit?)'],
  [{ scope: 'b', deadline: 1 }, 'the deadline has passed'],
  [{ scope: 'b', deadline: '1' }, 'deadline must be a whole number'],
  [{ scope: 'b', forceSaveKey: true }, 'forceSaveKey needs saveKey'],
  [['scope'], 'policy must be a JSON object'],
  [undefined, 'policy must be a JSON object'],
])('a mistake in a policy is told: %j', async (policy, hint) => {
  refused(await signed('upload-token', { policy }), 400, 'invalid put policy', hint);
});

test('a URL reads a private object until it expires, under a name for browsers [signing-02]', async () => {
  const answer = await signed('download-url', { bucket, key: 'a/ü.txt', attname: 'é.txt', expires: 60 });
  const { deadline } = answer.json() as { deadline: number };
  expect(Math.abs(deadline - Date.now() / 1000 - 60)).toBeLessThan(600);
  const url = urlIn(answer);
  expect(url.protocol).toBe('https:');
  const got = await read(url);
  expect([got.status, got.text()]).toEqual([200, 'content']);
  expect(got.header('content-disposition')).toContain('%C3%A9.txt');
  expect((await read(new URL(url.href.replace('.txt?', '.text?')))).status).toBe(401);
});

test('a URL is at a domain of the bucket, and at no other [signing-02]', async () => {
  const domain = `${bucket}.files.example`;
  const ask = (name: string) => signed('download-url', { bucket, key: 'a/ü.txt', domain: name });
  refused(await ask(domain), 612, 'no such domain', `${domain} is not bound to ${bucket}`);
  await operate(['domain', 'bind', domain, bucket]);
  expect(urlIn(await ask(`http://${domain}`)).origin).toBe(`http://${domain}`);
  expect(urlIn(await ask(domain)).origin).toBe(`https://${domain}`);
  expect((await read(urlIn(await ask(`${bucket}.dl.example.test`)))).text()).toBe('content');
  for (const name of ['files.example/x', 'http://127.0.0.1', 'ftp://files.example'])
    expect((await ask(name)).status).toBe(400);
});

test('what is no key, no number or no query is told [signing-02]', async () => {
  const ask = async (body: object) => (await signed('download-url', { bucket, key: 'k', ...body })).status;
  expect(await ask({ expires: 0 })).toBe(400);
  expect(await ask({ query: '100%' })).toBe(400);
  expect(await ask({ key: undefined })).toBe(400);
  expect(await ask({ key: 7 })).toBe(400);
  expect(await ask({ bucket: 'nowhere-to-be-found' })).toBe(631);
});

test('a key with limits signs with itself, within them, and what it signed keeps to them [signing-03]', async () => {
  const key = await limitedKey({ buckets: [bucket], prefixes: ['a/'], actions: ['read', 'write'] });
  const permitted = await signed('upload-token', { policy: { scope: bucket, isPrefixalScope: 0 } }, key);
  const { token, accessKey } = permitted.json() as Signed;
  expect(accessKey).toBe(key.accessKey);
  expect((await uploadForm(target.url, 'x', { token, key: 'a/limited' })).status).toBe(200);
  expect((await uploadForm(target.url, 'x', { token, key: 'b' })).status).toBe(403);
  const url = urlIn(await signed('download-url', { bucket, key: 'a/ü.txt' }, key));
  expect((await read(url)).status).toBe(200);
  for (const [what, body] of [
    ['upload-token', { policy: { scope: `${bucket}:b` } }],
    ['download-url', { bucket, key: 'b' }],
  ] as const) {
    refused(await signed(what, body, key), 403, 'the access key is limited');
    const named = await signed(what, { ...body, accessKey: target.account.accessKey }, key);
    refused(named, 403, 'the access key is limited');
  }
  const inside = { policy: { scope: `${bucket}:a/x` }, accessKey: target.account.accessKey };
  refused(
    await signed('upload-token', inside, key),
    403,
    'the access key is limited',
    'a key with limits signs only with itself',
  );
  await userCall('limit_key', { key: key.accessKey, limits: JSON.stringify({ actions: ['list'] }) });
  expect((await uploadForm(target.url, 'y', { token, key: 'a/later' })).status).toBe(403);
  expect((await read(url)).status).toBe(403);
});

test('by the library', async () => {
  const { signing } = sdkClient();
  const { token } = await signing.uploadToken({ scope: `${bucket}:by-library` });
  expect((await uploadForm(target.url, 'z', { token, key: 'by-library' })).status).toBe(200);
  const { url } = await signing.downloadUrl(bucket, 'by-library', { accessKey: target.account.accessKey });
  expect((await read(new URL(url))).text()).toBe('z');
});
