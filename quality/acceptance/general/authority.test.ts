import { signDownloadUrl } from '@millpond/protocol';
import { hashing } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { statTarget, store } from '../support/objects/objects.ts';
import { openConnection, type RawResponse, rawFetch } from '../support/raw.ts';
import { authorize, sendSigned } from '../support/signing.ts';
import { newBucket, target } from '../support/target.ts';

const HOST = new URL(target.url).host;
const SECRET = 'nobody but the owner';

let vault: string;
beforeAll(async () => {
  vault = await newBucket();
  await store('secret.txt', SECRET, { bucket: vault });
  expect((await sendSigned({ target: '/private', body: `bucket=${vault}&private=1` })).status).toBe(200);
});

function signedTarget(path: string, host = HOST): string {
  const inAnHour = Math.floor(Date.now() / 1000) + 3600;
  return signDownloadUrl(hashing, target.account, `http://${host}${path}`, inAnHour).slice(
    `http://${host}`.length,
  );
}

function expectRefused(answer: RawResponse): void {
  expect([answer.status, answer.json()]).toMatchObject([
    400,
    { error: 'invalid argument', hint: expect.stringMatching(/Host|target/) },
  ]);
  expect(answer.header('x-reqid')).toMatch(/./);
  expect(answer.header('content-type')).toBe('application/json');
}

async function sendText(text: string): Promise<RawResponse> {
  const connection = await openConnection();
  try {
    connection.socket.write(text);
    return await connection.answer();
  } finally {
    connection.socket.destroy();
  }
}

describe('a Host header', () => {
  test('with a path in it does not let a signed URL open another bucket', async () => {
    const signed = signedTarget(`/vault-a/users/7/${vault}/secret.txt`);
    const moved = signed.slice('/vault-a/users/7'.length);
    const answer = await rawFetch({ target: moved, host: `${HOST}/vault-a/users/7` });
    expect(answer.text()).not.toContain(SECRET);
    expectRefused(answer);
  });

  test.each([
    '/',
    `${HOST}/`,
    `${HOST}?a`,
    `${HOST}#a`,
    `user@${HOST}`,
    `user:word@${HOST}`,
    `${HOST}:80`,
    '127.0.0.1:8x',
    'a b',
    'a\\b',
    'a<b',
    'a%2',
    'a%zz',
    'ä.example',
    '[::1',
    '::1',
    '[127.0.0.1]',
    '[::1%25lo]',
    '',
  ])('written %j is refused, also where no path of ours is asked for', async (host) => {
    expectRefused(await rawFetch({ target: '/', host }));
    expectRefused(await rawFetch({ target: '/nothing', method: 'POST', host, body: 'x=1' }));
  });

  test('is refused twice, the same or not, and in HTTP/1.1 it must be there', async () => {
    for (const other of [HOST, 'elsewhere.test'])
      expectRefused(await rawFetch({ target: '/', headers: [['hOST', other]] }));
    expectRefused(await rawFetch({ target: '/', host: null }));
    expectRefused(await rawFetch({ target: `${target.url}/`, host: null }));
  });

  test('need not be there in HTTP/1.0', async () => {
    const answer = await sendText('GET /no/such/thing HTTP/1.0\r\n\r\n');
    expect([answer.status, answer.json()]).toMatchObject([404, { error: 'not found' }]);
    expectRefused(await sendText(`GET / HTTP/1.0\r\nHost: ${HOST}/a\r\n\r\n`));
  });

  test.each([
    'localhost',
    'localhost:',
    'a.example:65535',
    '[::1]:8100',
    '[2001:db8::7]',
    "a_b~!$&'(*)+,;=%2F",
  ])('written %s is taken', async (host) => {
    expect((await rawFetch({ target: '/no/such/thing', host })).status).toBe(404);
    const read = await rawFetch({ target: signedTarget(`/${vault}/secret.txt`, host), host });
    expect([read.status, read.text()]).toEqual([200, SECRET]);
  });
});

describe('a target in absolute form', () => {
  test('is read as host and path: its host is the one that counts and that was signed', async () => {
    const host = 'elsewhere.test:81';
    const path = signedTarget(`/${vault}/secret.txt`, host);
    for (const scheme of ['http', 'https', 'HTTP']) {
      const answer = await rawFetch({ target: `${scheme}://${host}${path}` });
      expect([answer.status, answer.text()]).toEqual([200, SECRET]);
    }
    const byOther = await rawFetch({ target: `http://other.test${path}`, host });
    expect([byOther.status, byOther.json()]).toMatchObject([401, { error: 'bad token' }]);
  });

  test('makes the same call as its path, signed as such', async () => {
    const path = statTarget(vault, 'secret.txt');
    const call = { method: 'GET', target: path, host: 'elsewhere.test', contentType: null };
    const headers = [['Authorization', authorize(call)]] as const;
    const whole = await rawFetch({ target: `http://elsewhere.test${path}`, headers });
    expect([whole.status, whole.json()]).toMatchObject([200, { fsize: SECRET.length }]);
  });

  test('reaches the buckets of its host', async () => {
    const { bucket } = await store('a.txt', 'by host');
    const answer = await rawFetch({ target: `http://${bucket}.dl.example.test/a.txt` });
    expect([answer.status, answer.text()]).toEqual([200, 'by host']);
  });

  test('without a path means the first one, or for OPTIONS the whole server', async () => {
    const root = await rawFetch({ target: target.url });
    expect([root.status, root.json()]).toMatchObject([405, { error: 'method not allowed' }]);
    expect((await rawFetch({ target: `${target.url}?a=b` })).status).toBe(405);
    expect((await rawFetch({ method: 'OPTIONS', target: target.url })).status).toBe(404);
  });

  test.each([
    'http://',
    'http:///a',
    'http://user@elsewhere.test/a',
    'http://a b/c',
    'ftp://elsewhere.test/a',
    'a/b',
  ])('written %s is refused', async (written) => {
    const answer = await rawFetch({ target: written });
    expect([answer.status, answer.json()]).toMatchObject([400, { error: 'invalid argument' }]);
    expect(answer.header('x-reqid')).toMatch(/./);
  });
});

describe('the admin listener', () => {
  test('refuses what is no Host as well', async () => {
    const { host } = new URL(target.adminUrl);
    for (const written of [`${host}/a`, 'a b', '', null]) {
      expect((await rawFetch({ target: '/healthz', host: written }, target.adminUrl)).status).toBe(400);
    }
    const twice = { target: '/healthz', headers: [['Host', host]] as const };
    expect((await rawFetch(twice, target.adminUrl)).status).toBe(400);
    expect((await rawFetch({ target: `${target.adminUrl}/healthz` }, target.adminUrl)).status).toBe(200);
  });

  test('on loopback answers no page that lets its own name point there', async () => {
    const statusFor = async (path: string, host: string) =>
      (await rawFetch({ target: path, host }, target.adminUrl)).status;
    for (const path of ['/metrics', '/readyz', '/healthz']) {
      for (const name of [
        'evil.example',
        'evil.example:8190',
        'localhost.evil.example',
        '127.0.0.1.evil.example',
      ])
        expect([path, name, await statusFor(path, name)]).toEqual([path, name, 403]);
      for (const own of ['127.0.0.1', 'localhost:8190', '[::1]:8190', new URL(target.adminUrl).host])
        expect([path, own, await statusFor(path, own)]).toEqual([path, own, 200]);
    }
    const absolute = { target: 'http://evil.example/metrics' };
    expect((await rawFetch(absolute, target.adminUrl)).status).toBe(403);
  });
});
