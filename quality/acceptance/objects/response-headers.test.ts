/** Qiniu's SDK changes types, headers and classes; and headers that an owner set keep a browser safe all the same. */
import { dialects, encodeBase64Text, formatEntry } from '@millpond/protocol';
import { type Account, createDeployment, type Deployment, uploadForm, uploadToken } from '@millpond/testing';
import qiniu from 'qiniu';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useArchiveRows } from '../support/objects/archive.ts';
import { sendSigned } from '../support/signing.ts';
import { target } from '../support/target.ts';

const BUCKET = 'headers';
let deployment: Deployment;
let account: Account;
let url: string;
let manager: qiniu.rs.BucketManager;

beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    settings: {
      MILLPOND_DIALECT: 'qiniu',
      ...(target.store === 's3' ? { MILLPOND_SEND_BYTES: 'redirect' } : {}),
    },
  });
  account = await deployment.createAccount(undefined, BUCKET);
  ({ url } = await deployment.start());
  const { host } = new URL(url);
  manager = new qiniu.rs.BucketManager(
    new qiniu.auth.digest.Mac(account.accessKey, account.secretKey),
    new qiniu.conf.Config({
      useHttpsDomain: false,
      zone: new qiniu.conf.Zone([host], [host], host, host, host, host),
    }),
  );
});
afterAll(() => deployment?.destroy());
const rows = useArchiveRows(() => deployment.environment.MILLPOND_REGION_DB ?? '');

async function put(key: string, content = 'hello', mimeType = 'text/plain'): Promise<void> {
  const token = uploadToken(account, { scope: `${BUCKET}:${key}` });
  expect((await uploadForm(url, content, { token, key, mimeType })).status).toBe(200);
}
const read = (key: string, query = '') => fetch(`${url}/${BUCKET}/${key}${query}`);
const set = (key: string, name: string, value: string) =>
  sendSigned(
    { target: `/chgm/${formatEntry(BUCKET, key)}/x-qn-meta-!${name}/${encodeBase64Text(value)}` },
    { url, keys: account, dialect: dialects.qiniu },
  );

describe('the SDK', () => {
  test('changes the type', async () => {
    await put('mime');
    expect((await manager.changeMime(BUCKET, 'mime', 'image/png')).resp.statusCode).toBe(200);
    expect((await read('mime')).headers.get('content-type')).toBe('image/png');
  });

  test('changes response headers', async () => {
    await put('sdk');
    const { resp } = await manager.changeHeaders(BUCKET, 'sdk', {
      'Content-Type': 'application/octet-stream',
      'Last-Modified': 'Wed, 21 Oct 2015 07:00:00 GMT',
      'Cache-Control': 'max-age=60',
      'x-custom-head-key': 'x-custom-head-value',
    });
    expect(resp.statusCode).toBe(200);
    const { headers, status } = await read('sdk');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('last-modified')).toBe('Wed, 21 Oct 2015 07:00:00 GMT');
    expect(headers.get('cache-control')).toBe('max-age=60');
    expect(headers.get('x-custom-head-key')).toBe('x-custom-head-value');
  });

  test('changes the class and restores', async () => {
    await put('class');
    expect((await manager.changeType(BUCKET, 'class', 2)).resp.statusCode).toBe(200);
    expect((await read('class')).status).toBe(403);
    expect((await manager.restoreAr(`${BUCKET}:class`, 2)).resp.statusCode).toBe(200);
    await rows.passTime('class', 60);
    expect(await (await read('class')).text()).toBe('hello');
  });
});

describe('a header that the owner set', () => {
  test('is replaced, removed, and gone with an overwrite', async () => {
    await put('changed');
    expect((await set('changed', 'Cache-Control', 'no-cache')).status).toBe(200);
    expect((await set('changed', 'cache-control', 'no-store')).status).toBe(200);
    expect((await read('changed')).headers.get('cache-control')).toBe('no-store');
    await put('changed', 'new content');
    expect((await read('changed')).headers.get('cache-control')).not.toBe('no-store');
    await set('changed', 'Cache-Control', 'no-cache');
    expect((await set('changed', 'Cache-Control', '')).status).toBe(200);
    expect((await read('changed')).headers.get('cache-control')).not.toBe('no-cache');
  });

  test('counts towards the 2048 bytes of headers, whatever it is called [headers-04]', async () => {
    await put('sum');
    expect((await set('sum', 'x-a', 'v'.repeat(1024))).status).toBe(200);
    expect((await set('sum', 'x-b', 'v'.repeat(1019))).status).toBe(400);
    expect((await set('sum', 'x-b', 'v'.repeat(1018))).status).toBe(200);
  });

  test('may name a file to save under, but cannot make a page of a download', async () => {
    await put('named', 'x', 'image/png');
    await set('named', 'Content-Disposition', 'inline; filename="a.png"');
    expect((await read('named')).headers.get('content-disposition')).toBe('inline; filename="a.png"');
    expect((await read('named', '?attname=b.png')).headers.get('content-disposition')).toBe(
      'attachment; filename="b.png"',
    );
    await put('page', '<script>', 'text/html');
    await set('page', 'Content-Disposition', 'inline');
    expect((await read('page')).headers.get('content-disposition')).toBe('attachment');
    await put('disguised', '<script>', 'image/png');
    await set('disguised', 'Content-Type', 'text/html');
    const { headers } = await read('disguised');
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      'text/html',
      'attachment',
    ]);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(/sandbox/);
  });

  test.each([
    'Set-Cookie',
    'Location',
    'X-Accel-Redirect',
    'X-LiteSpeed-Location',
    'X-Reproxy-URL',
    'Content-Length',
    'X-Reqid',
  ])('is not %s', async (name) => {
    await put('refused');
    const answer = await set('refused', name, 'x');
    expect([answer.status, answer.json()]).toMatchObject([400, { error: 'invalid argument' }]);
  });

  test('cannot end its line', async () => {
    await put('lines');
    expect((await set('lines', 'x-a', 'v\r\nset-cookie: a=1')).status).toBe(400);
  });
});
