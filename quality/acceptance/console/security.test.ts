/** What other sites, and whoever stores objects, could try to do with somebody's session. */
import {
  type ConsoleRequest,
  type ConsoleUser,
  consoleSend,
  createBucket,
  signIn,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../support/accounts/accounts.ts';
import { createParent } from '../support/accounts/operator.ts';
import { target } from '../support/target.ts';

const { console: at } = target;
let person: Person;
let user: ConsoleUser;
let bucket: string;

beforeAll(async () => {
  person = await createParent();
  user = await signIn(at, person);
  bucket = `security-${person.uid}`;
  await createBucket(target.url, person, bucket);
});

test('no script can read the cookie, and no other site send it [console-02]', async () => {
  const body = new URLSearchParams({ email: person.email, password: person.password }).toString();
  const headers = { 'x-millpond-console': '1', 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await consoleSend(at, '/session', { method: 'POST', headers, body });
  const cookie = answer.header('set-cookie') ?? '';
  const [pair = '', ...attributes] = cookie.split('; ');
  expect(pair).toMatch(/^__Host-millpond-session=[\w-]{43}$/);
  expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Strict', 'Secure']);
  const value = pair.slice(pair.indexOf('=') + 1);
  expect(answer.text()).not.toContain(value);
  expect([answer.header('cache-control'), answer.header('access-control-allow-origin')]).toEqual([
    'no-store',
    undefined,
  ]);
});

describe('a change is refused', () => {
  const change: ConsoleRequest = { method: 'POST', body: `bucket=none&private=1` };
  const forged: readonly (readonly [string, Record<string, string | undefined>])[] = [
    ['without the header of our own pages', { 'x-millpond-console': undefined }],
    ['with another value of it', { 'x-millpond-console': '0' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['from nowhere', { 'sec-fetch-site': 'none' }],
    ['by a page of another origin', { origin: 'https://evil.example' }],
    ['by a page of the same host without TLS', { origin: at.url.replace('https', 'http') }],
    ['by a page of another port', { origin: at.url.replace(/\d+$/, '1') }],
    ['by a page without an origin', { origin: 'null' }],
    ['for another host', { host: 'evil.example' }],
  ];

  test.each(forged)('%s [console-03]', async (_words, headers) => {
    for (const path of ['/call/uc/private', '/session']) {
      const answer = await user.send(path, { ...change, headers });
      expect([answer.status, answer.json()]).toEqual([
        403,
        expect.objectContaining({ error: 'not allowed' }),
      ]);
      expect(answer.header('access-control-allow-origin')).toBeUndefined();
    }
    expect((await user.send('/session', { method: 'DELETE', headers })).status).toBe(403);
  });

  test('but one of ours is answered [console-03]', async () => {
    expect((await user.send('/call/uc/private', change)).status).toBe(631);
  });

  test('and so is reading, from elsewhere [console-03]', async () => {
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])
      for (const path of ['/call/uc/buckets', '/session', '/session/options'])
        expect((await user.send(path, { headers })).status).toBe(403);
  });

  test('and nobody is let in by a preflight [console-03]', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    for (const path of ['/call/uc/private', '/call/up/', '/call/io/b/k', '/session', '/']) {
      const answer = await consoleSend(at, path, { method: 'OPTIONS', headers });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.header('access-control-allow-origin')).toBeUndefined();
    }
  });
});

test('a cookie that could have been set without TLS is not looked at [console-02]', async () => {
  const value = user.cookie.slice(user.cookie.indexOf('=') + 1);
  expect((await user.send('/session', { headers: { cookie: `millpond-session=${value}` } })).status).toBe(
    401,
  );
});

test('passwords are not guessed: the tries are limited [session-01]', async () => {
  const somebody = await createParent();
  const guess = () =>
    signIn(at, { ...somebody, password: 'wrong' }).then(
      () => 'let in',
      (error: Error) => error.message,
    );
  const tries = await Promise.all(Array.from({ length: 12 }, guess));
  expect(tries.filter((words) => words.includes('answered 417')).length).toBeGreaterThan(0);
});

describe('pages', () => {
  test.each([
    '/',
    '/buckets/photos',
    '/tasks?x=a.b',
    '/nothing.js',
    '/assets/none.js',
    '/../etc/passwd',
    '/%2e%2e/x',
  ])('%s can be shown by no other page, and run nothing from elsewhere [console-04]', async (path) => {
    const answer = await consoleSend(at, path);
    expect(answer.header('x-frame-options')).toBe('DENY');
    expect(answer.header('x-content-type-options')).toBe('nosniff');
    expect(answer.header('cross-origin-opener-policy')).toBe('same-origin');
    const policy = answer.header('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });
});

describe('what was stored', () => {
  const hostile = '<script>fetch("/call/api/v1/user/keys")</script>';
  test.each([
    ['page.html', 'text/html'],
    ['image.svg', 'image/svg+xml'],
    ['data.xml', 'application/xhtml+xml'],
    ['script.js', 'text/javascript'],
    ['plain', 'application/pdf; charset=x'],
  ])('%s can’t run on the console’s origin [console-05]', async (key, mimeType) => {
    const token = uploadToken(person, { scope: bucket });
    expect((await uploadForm(target.url, hostile, { token, key, mimeType })).status).toBe(200);
    for (const query of ['', '?attname=', '?x-frame-options=ALLOW']) {
      const answer = await user.call('io', `/${bucket}/${key}${query}`);
      expect(answer.header('content-security-policy')).toBe("sandbox; default-src 'none'");
      expect(answer.header('x-content-type-options')).toBe('nosniff');
      expect(answer.header('cross-origin-resource-policy')).toBe('same-origin');
      expect(answer.header('x-frame-options')).toBe('DENY');
    }
  });

  test('a PDF, and only that, may be shown in a frame of our own pages [console-05]', async () => {
    const token = uploadToken(person, { scope: bucket });
    await uploadForm(target.url, '%PDF-1.4', { token, key: 'a.pdf', mimeType: 'application/pdf' });
    const answer = await user.call('io', `/${bucket}/a.pdf`);
    expect([answer.header('content-type'), answer.header('x-frame-options')]).toEqual([
      'application/pdf',
      'SAMEORIGIN',
    ]);
    expect(answer.header('content-security-policy')).toMatch(/^default-src 'none'.*frame-ancestors 'self'$/);
  });

  test('refusals and records are kept from running too [console-05]', async () => {
    for (const path of ['/call/io/no-such/<script>', '/call/rs/stat/x', '/call/uc/buckets']) {
      const answer = await user.send(path);
      expect(answer.header('content-security-policy')).toBe("sandbox; default-src 'none'");
      expect(answer.header('x-content-type-options')).toBe('nosniff');
    }
  });
});
