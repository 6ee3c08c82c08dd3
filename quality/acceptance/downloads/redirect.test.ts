import { type Account, createDeployment, type Deployment, uploadForm, uploadToken } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openConnection, type RawResponse, rawFetch } from '../support/raw.ts';
import { target } from '../support/target.ts';

const BUCKET = 'redirects';
const CONTENT = 'abcdefghijklmnopqrstuvwxyz';

// Only an engine with URLs of its own can be redirected to.
describe.runIf(target.store === 's3')('with redirects to the engine', () => {
  let deployment: Deployment;
  let account: Account;
  let url: string;

  beforeAll(async () => {
    deployment = await createDeployment({
      store: 's3',
      settings: { MILLPOND_SEND_BYTES: 'redirect', MILLPOND_SMALL_OBJECTS: '0B' },
    });
    account = await deployment.createAccount(undefined, BUCKET);
    ({ url } = await deployment.start());
    const token = uploadToken(account, { scope: BUCKET });
    for (const [key, mimeType] of [
      ['photo.png', 'image/png'],
      ['page.html', 'text/html'],
      ['image.svg', 'image/svg+xml'],
    ]) {
      const answer = await uploadForm(url, CONTENT, { token, key: key ?? '', mimeType: mimeType ?? '' });
      expect(answer.status).toBe(200);
    }
  });
  afterAll(() => deployment?.destroy());

  const get = (key: string, ...headers: [string, string][]) =>
    rawFetch({ target: `/${BUCKET}/${key}`, headers }, url);

  function locationOf(answer: RawResponse): string {
    expect(answer.status).toBe(302);
    expect(answer.text()).toBe('');
    expect(answer.header('x-reqid')).toMatch(/./);
    expect(answer.header('cache-control')).toBe('no-store');
    const location = answer.header('location') ?? '';
    expect(new URL(location).origin).toBe(new URL(deployment.environment.MILLPOND_S3_ENDPOINT ?? '').origin);
    return location;
  }

  test('a passive type answers a redirect that gives the bytes [send-02]', async () => {
    const bytes = await fetch(locationOf(await get('photo.png')));
    expect([bytes.status, await bytes.text()]).toEqual([200, CONTENT]);
    expect(bytes.headers.get('content-type')).toBe('image/png');
    const followed = await fetch(`${url}/${BUCKET}/photo.png`, { headers: { range: 'bytes=-5' } });
    expect([followed.status, await followed.text()]).toEqual([206, 'vwxyz']);
  });

  test('the name to save under goes along [send-02]', async () => {
    const bytes = await fetch(locationOf(await get('photo.png?attname=a%22b.png')));
    expect(bytes.headers.get('content-disposition')).toBe(
      `attachment; filename="a_b.png"; filename*=UTF-8''a%22b.png`,
    );
    expect(await bytes.text()).toBe(CONTENT);
  });

  test('what the owner set goes along, and the redirect itself is kept by no cache [headers-09]', async () => {
    const headers = {
      'Cache-Control': 'public, max-age=60',
      'Content-Disposition': 'inline; filename="a b.png"',
      'Content-Encoding': 'x-own',
      'Content-Language': 'de, en',
      Expires: 'Tue, 15 Nov 2033 12:45:26 GMT',
    };
    const fields = Object.entries(headers).map(([name, value]) => [`x-svc-meta-!${name}`, value]);
    const token = uploadToken(account, { scope: BUCKET });
    const stored = { token, key: 'own.png', mimeType: 'image/png', fields: Object.fromEntries(fields) };
    expect((await uploadForm(url, CONTENT, stored)).status).toBe(200);
    const bytes = await fetch(locationOf(await get('own.png')), { headers: { range: 'bytes=0-4' } });
    expect([bytes.status, await bytes.text()]).toEqual([206, 'abcde']);
    for (const [name, value] of Object.entries(headers)) expect(bytes.headers.get(name)).toBe(value);
    const named = await fetch(locationOf(await get('own.png?attname=b.png')));
    expect(named.headers.get('content-disposition')).toBe('attachment; filename="b.png"');
  });

  test('the redirect is good for this object and for a while only [send-02]', async () => {
    const location = new URL(locationOf(await get('photo.png')));
    expect(Number(location.searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(3600);
    location.pathname = location.pathname.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expect((await fetch(location)).status).toBe(403);
  });

  test('an active type is streamed, with the headers that keep it harmless [send-02]', async () => {
    for (const key of ['page.html', 'image.svg']) {
      const answer = await get(key);
      expect([answer.status, answer.text()]).toEqual([200, CONTENT]);
      expect(answer.header('content-disposition')).toBe('attachment');
      expect(answer.header('x-content-type-options')).toBe('nosniff');
      expect(answer.header('content-security-policy')).toMatch(/sandbox/);
    }
  });

  test('conditions and HEAD are answered here, without a redirect', async () => {
    const head = await rawFetch({ method: 'HEAD', target: `/${BUCKET}/photo.png` }, url);
    expect([head.status, head.header('content-length')]).toEqual([200, '26']);
    expect((await get('photo.png', ['If-None-Match', head.header('etag') ?? ''])).status).toBe(304);
    expect((await get('photo.png', ['Range', 'bytes=26-'])).status).toBe(416);
    expect((await get('missing')).status).toBe(404);
  });

  test('a condition on the version of a range is judged here [send-02]', async () => {
    const head = await rawFetch({ method: 'HEAD', target: `/${BUCKET}/photo.png` }, url);
    const part = await get('photo.png', ['Range', 'bytes=0-1'], ['If-Range', head.header('etag') ?? '']);
    expect([part.status, part.text()]).toEqual([206, 'ab']);
    const whole = await get('photo.png', ['Range', 'bytes=0-1'], ['If-Range', '"other"']);
    expect([whole.status, whole.text()]).toEqual([200, CONTENT]);
  });

  test('the connection goes on after a redirect', async () => {
    const connection = await openConnection(url);
    for (let i = 0; i < 2; i++) {
      connection.socket.write(`GET /${BUCKET}/photo.png HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`);
      locationOf(await connection.answer());
    }
    connection.socket.destroy();
  });
});
