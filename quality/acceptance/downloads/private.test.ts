import { createHmac } from 'node:crypto';
import { signDownloadUrl } from '@millpond/protocol';
import { type Account, hashing } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Stored, store } from '../support/objects/objects.ts';
import { type RawResponse, rawFetch } from '../support/raw.ts';
import { secureSend } from '../support/running/secure.ts';
import { sendSigned } from '../support/signing.ts';
import { target } from '../support/target.ts';

let object: Stored;
let other: Stored;
beforeAll(async () => {
  object = await store('dir/a.txt', 'secret');
  other = await store('b.txt', 'also secret', { bucket: object.bucket });
  const form = { target: '/private', body: `bucket=${object.bucket}&private=1` };
  expect((await sendSigned(form)).status).toBe(200);
});

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

/** The raw target of a signed URL. */
function signed(
  path: string,
  options: { keys?: Pick<Account, 'accessKey' | 'secretKey'>; deadline?: number; base?: string } = {},
): string {
  const { keys = target.account, deadline = inAnHour(), base = target.url } = options;
  return signDownloadUrl(hashing, keys, base + path, deadline).slice(base.length);
}

/** A token over exactly this text. */
function tokenFor(url: string): string {
  const sign = createHmac('sha1', target.account.secretKey).update(url).digest('base64url');
  return `${target.account.accessKey}:${sign}=`;
}

async function expectRefused(path: string, error: string): Promise<void> {
  for (const method of ['GET', 'HEAD']) {
    const answer: RawResponse = await rawFetch({ method, target: path });
    expect(answer.status, path).toBe(401);
    if (method === 'GET') expect(answer.json()).toMatchObject({ error });
    expect(answer.header('x-reqid')).toMatch(/./);
  }
}

describe('a private bucket', () => {
  test('answers 401 without a token, whether the key exists or not [private-01]', async () => {
    await expectRefused(object.path, 'token not specified');
    await expectRefused(`/${object.bucket}/missing`, 'token not specified');
    await expectRefused(`${object.path}?e=${inAnHour()}`, 'token not specified');
  });

  test('answers a URL signed over all before its token [private-02]', async () => {
    const e = inAnHour();
    const sign = createHmac('sha1', target.account.secretKey)
      .update(`${target.url}${object.path}?e=${e}`)
      .digest('base64')
      .replaceAll('+', '-')
      .replaceAll('/', '_');
    const token = `${target.account.accessKey}:${sign}`;
    const answer = await rawFetch({ target: `${object.path}?e=${e}&token=${token}` });
    expect([answer.status, answer.text()]).toEqual([200, 'secret']);
    const withQuery = signed(`${object.path}?attname=x.txt`);
    const named = await rawFetch({ target: withQuery });
    expect([named.status, named.header('content-disposition')]).toEqual([
      200,
      'attachment; filename="x.txt"',
    ]);
    const head = await rawFetch({ method: 'HEAD', target: signed(object.path) });
    expect([head.status, head.header('content-length')]).toEqual([200, '6']);
    const part = await rawFetch({ target: signed(object.path), headers: [['Range', 'bytes=0-2']] });
    expect([part.status, part.text()]).toEqual([206, 'sec']);
    expect((await rawFetch({ target: signed(`/${object.bucket}/missing`) })).status).toBe(404);
  });

  test('answers 401 once e has passed [private-03]', async () => {
    const now = Math.floor(Date.now() / 1000);
    for (const deadline of [now - 1, now - 3600, 0])
      await expectRefused(signed(object.path, { deadline }), 'expired token');
    expect((await rawFetch({ target: signed(object.path, { deadline: now + 30 }) })).status).toBe(200);
  });

  test('answers 401 to a token of another key, another e or another secret [private-04]', async () => {
    const [, query = ''] = signed(object.path).split('?');
    await expectRefused(`${other.path}?${query}`, 'bad token');
    const later = signed(object.path).replace(/e=(\d+)/, (_, e: string) => `e=${Number(e) + 1}`);
    await expectRefused(later, 'bad token');
    const keys = { ...target.account, secretKey: 'another' };
    await expectRefused(signed(object.path, { keys }), 'bad token');
    await expectRefused(signed(object.path).replace('?', '?attname=x&'), 'bad token');
    await expectRefused(signed(object.path, { keys: { ...keys, accessKey: 'nobody' } }), 'bad token');
    await expectRefused(signed(object.path, { base: 'http://elsewhere.test' }), 'bad token');
  });

  test('answers 401 where attname follows the token, or another token stands before or behind it [private-04]', async () => {
    await expectRefused(`${signed(object.path)}&attname=x`, 'bad token');
    await expectRefused(`${signed(`${object.path}?a=1`)}&b=2&attname=`, 'bad token');
    await expectRefused(signed(object.path).replace('&token=', '&token=x&token='), 'bad token');
    await expectRefused(`${signed(object.path)}&token=x`, 'bad token');
  });

  test('takes what builders of queries write: an encoded token, e anywhere, other parameters [private-02]', async () => {
    const e = String(inAnHour());
    const url = new URL(target.url + object.path);
    for (const [name, value] of [
      ['attname', 'für Sie.txt'],
      ['e', e],
      ['utm_source', 'a/b'],
    ] as const)
      url.searchParams.append(name, value);
    const token = tokenFor(url.href);
    const named = "attachment; filename*=UTF-8''f%C3%BCr%20Sie.txt";
    const path = (built: URL) => built.href.slice(target.url.length);
    const last = new URL(url);
    last.searchParams.append('token', token);
    expect(last.href).toContain('%3A');
    const sorted = new URL(last);
    sorted.searchParams.sort();
    const first = new URL(target.url + object.path);
    for (const [name, value] of [['token', token] as const, ...url.searchParams])
      first.searchParams.append(name, value);
    for (const built of [last, sorted, first]) {
      const answer = await rawFetch({ target: path(built) });
      expect([path(built), answer.status, answer.text()]).toEqual([path(built), 200, 'secret']);
      expect(answer.header('content-disposition')).toContain(named.slice('attachment; '.length));
    }
    const plain = `${object.path}?e=${e}&x=1&token=${tokenFor(`${target.url}${object.path}?e=${e}&x=1`)}`;
    for (const added of ['', '&fbclid=abc', '&_=1', `&e=${Number(e) + 9}`]) {
      const answer = await rawFetch({ target: plain + added });
      expect([answer.status, answer.header('content-disposition')]).toEqual([200, undefined]);
    }
  });

  test('is not opened for longer, nor under commands, by what follows the token [private-03 private-04]', async () => {
    const past = Math.floor(Date.now() / 1000) - 5;
    await expectRefused(`${signed(object.path, { deadline: past })}&e=${inAnHour()}`, 'expired token');
    const bare = tokenFor(target.url + object.path);
    await expectRefused(`${object.path}?token=${bare}&e=${inAnHour()}`, 'bad token');
    await expectRefused(`${object.path}?e=${inAnHour()}&token=${bare}`, 'bad token');
    const work = await rawFetch({ target: `${signed(object.path)}&imageInfo` });
    expect([work.status, work.text()]).toEqual([200, 'secret']);
  });

  test('says what is wrong with a token that can’t be one', async () => {
    const good = signed(object.path);
    for (const [path, hint] of [
      [good.replace(/e=\d+&/, ''), 'e is missing'],
      [good.replace(/e=\d+/, 'e=tomorrow'), 'e must be in unix seconds'],
      [good.replace(/token=.*/, 'token=abc'), 'token must be <access key>:<signature>'],
      [good.replace(/token=.*/, 'token='), 'token must be <access key>:<signature>'],
      [`${good}&attname=x`, 'attname comes after the token'],
    ] as const) {
      const answer = await rawFetch({ target: path });
      expect([answer.status, answer.json()]).toEqual([
        401,
        { error: 'bad token', hint: expect.stringContaining(hint) },
      ]);
    }
  });

  test('takes a token of the http form on https, and the other way round [private-05]', async () => {
    const plain = { method: 'GET', contentType: null };
    for (const base of [target.secure.url, target.secure.url.replace('https:', 'http:')]) {
      const answer = await secureSend({ ...plain, target: signed(object.path, { base }) });
      expect([answer.status, answer.text()]).toEqual([200, 'secret']);
    }
    for (const base of [target.url, target.url.replace('http:', 'https:')]) {
      const answer = await rawFetch({ target: signed(object.path, { base }) });
      expect([answer.status, answer.text()]).toEqual([200, 'secret']);
    }
  });

  test('takes a token without its padding [private-06]', async () => {
    const padded = signed(object.path);
    expect(padded).toMatch(/[^=]=$/);
    const answer = await rawFetch({ target: padded.slice(0, -1) });
    expect([answer.status, answer.text()]).toEqual([200, 'secret']);
    await expectRefused(`${padded}=`, 'bad token');
  });

  test("answers 401 to a token of another account's key [private-07]", async () => {
    await expectRefused(signed(object.path, { keys: target.stranger }), 'bad token');
  });

  test('is public again once it is told to be', async () => {
    const own = await store('c.txt', 'open');
    const change = (value: string) =>
      sendSigned({ target: '/private', body: `bucket=${own.bucket}&private=${value}` });
    await change('1');
    await expectRefused(own.path, 'token not specified');
    await change('0');
    expect((await rawFetch({ target: own.path })).text()).toBe('open');
  });
});
