/**
 * Bytes that are no UTF-8, wherever a call has a name or a value: refused. A server that reads U+FFFD in their place
 * takes two passwords for one, and one key for another.
 */
import { encodeBase64, FORM_TYPE } from '@millpond/protocol';
import { uploadToken } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccountError } from '../support/accounts/account-errors.ts';
import { newChild, newEmail, type Person } from '../support/accounts/accounts.ts';
import { type Stored, store } from '../support/objects/objects.ts';
import { type RawResponse, rawFetch } from '../support/raw.ts';
import { field, file, postParts } from '../support/raw-form.ts';
import { secureSend, secureSigned } from '../support/running/secure.ts';
import { target } from '../support/target.ts';

/** Two passwords in Latin-1, which differ. */
const [UMLAUTS, OTHERS] = ['Gr%FC%DFe-aus-Berlin', 'Gr%E4%E5e-aus-Berlin'];
/** A lone continuation byte, an overlong slash, half a surrogate pair, a cut sequence, a value beyond Unicode. */
const MALFORMED = ['%80', '%C0%AF', '%ED%A0%80', 'x%E4%B8', '%F4%90%80%80', '%ff%fex'];

let object: Stored;
let child: Person;
beforeAll(async () => {
  object = await store('\ufffd\ufffdx', 'the object whose key is spelled with U+FFFD');
  child = await newChild();
});

function expectRefused(answer: RawResponse): void {
  expect([answer.status, answer.json()]).toMatchObject([
    400,
    { error: expect.any(String), hint: expect.stringContaining('UTF-8') },
  ]);
}

describe('a password that is no UTF-8', () => {
  const create = (email: string, password: string) =>
    secureSigned({
      target: '/v1/user/create_child',
      body: `email=${encodeURIComponent(email)}&password=${password}`,
    });
  const logIn = (email: string, password: string) =>
    secureSend({
      target: '/oauth2/token',
      body: `grant_type=password&username=${encodeURIComponent(email)}&password=${password}`,
    });

  test('registers nobody', async () => {
    const email = newEmail();
    expectAccountError(await create(email, UMLAUTS), 8);
    expectAccountError(await logIn(email, encodeURIComponent('Gr\ufffd\ufffde-aus-Berlin')), 11);
  });

  test('logs nobody in, whatever it would be read as', async () => {
    const email = newEmail();
    expect((await create(email, encodeURIComponent('Gr\ufffd\ufffde-aus-Berlin'))).status).toBe(200);
    for (const password of [UMLAUTS, OTHERS]) expectAccountError(await logIn(email, password), 8);
    const password = encodeURIComponent('Gr\ufffd\ufffde-aus-Berlin');
    expect((await logIn(email, password)).status).toBe(200);
  });
});

describe('names and values of account calls', () => {
  test.each(MALFORMED)('%s as an e-mail, a uid, a reason or a token is malformed', async (bytes) => {
    const forms = [
      ['create_child', `email=${bytes}%40example.com&password=correct+horse`],
      ['create_child', `email=a%40example.com&password=correct+horse&${bytes}=1`],
      ['disable_child', `uid=${child.uid}&reason=${bytes}`],
      ['enable_child', `uid=${child.uid}&reason=${bytes}`],
      ['create_key', `kind=${bytes}`],
      ['disable_key', `key=${bytes}`],
      ['exchange_webhook_secret', `keep_old=${bytes}`],
    ];
    for (const [name, body = ''] of forms)
      expectAccountError(await secureSigned({ target: `/v1/user/${name}`, body }), 8);
    for (const query of [`children?limit=1&x=${bytes}`, `child_key?email=${bytes}`])
      expectAccountError(await secureSigned({ method: 'GET', target: `/v1/user/${query}` }), 8);
    const refresh = { target: '/oauth2/token', body: `grant_type=refresh_token&refresh_token=${bytes}` };
    expectAccountError(await secureSend(refresh), 8);
  });
});

describe('names and values of other calls', () => {
  test('pfop does not work on the object whose key it would be read as', async () => {
    const pfop = (key: string) =>
      secureSigned({ target: '/pfop/', body: `bucket=${object.bucket}&key=${key}&fops=qhash%2Fsha1` });
    expect((await pfop(encodeURIComponent('\ufffd\ufffdx'))).status).toBe(200);
    expectRefused(await pfop('%ff%fex'));
  });

  test.each([
    '/list?bucket=BUCKET&prefix=BYTES',
    '/list?bucket=BUCKET&marker=&BYTES=x',
    '/v2/list?bucket=BUCKET&prefix=BYTES',
    '/v2/bucketInfo?bucket=BUCKET&x=BYTES',
    '/buckets?region=BYTES',
    '/bucketTagging?bucket=BUCKET&x=BYTES',
    '/v2/domains?tbl=BUCKET&x=BYTES',
    '/rules/get?bucket=BUCKET&x=BYTES',
    '/v1/usage?bucket=BUCKET&from=BYTES',
    '/v1/tasks?bucket=BUCKET&key=BYTES',
    '/v1/workflows?marker=BYTES',
    '/v1/deliveries?state=BYTES',
    '/v1/deliveries/endpoints?marker=BYTES',
    '/v1/namespaces?prefix=BYTES',
    '/sisyphus/fetch?id=BYTES',
    '/status/get/prefop?id=BYTES',
    '/v4/query?ak=BYTES&bucket=BUCKET',
  ])('GET %s', async (path) => {
    for (const bytes of MALFORMED) {
      const filled = path.replace('BUCKET', object.bucket).replace('BYTES', bytes);
      expectRefused(await secureSigned({ method: 'GET', target: filled }));
    }
  });

  test.each([
    ['/batch', 'op=/stat/x&op=BYTES'],
    ['/private', 'bucket=BUCKET&private=0&x=BYTES'],
    ['/rules/add', 'bucket=BUCKET&name=BYTES&prefix=p&delete_after_days=1'],
    ['/rules/add', 'bucket=BUCKET&name=r&prefix=BYTES&delete_after_days=1'],
    ['/rules/delete', 'bucket=BUCKET&name=BYTES'],
    ['/v1/deliveries/recover', 'since=1&state=BYTES'],
    ['/v1/deliveries/replay', 'since=BYTES'],
    ['/pfop/', 'bucket=BUCKET&key=k&fops=BYTES'],
    ['/pfop/', 'bucket=BUCKET&key=k&fops=qhash%2Fsha1&notifyURL=BYTES'],
  ])('POST %s %s', async (path, form) => {
    for (const bytes of MALFORMED) {
      const body = form.replace('BUCKET', object.bucket).replace('BYTES', bytes);
      expectRefused(await secureSigned({ target: path, body }));
    }
  });

  test.each(['attname=BYTES', 'imageView2/2/w/BYTES', 'imageMogr2/BYTES'])(
    'a download with %s',
    async (query) => {
      for (const bytes of MALFORMED) {
        const path = `/${object.bucket}/${encodeURIComponent(object.key)}?${query.replace('BYTES', bytes)}`;
        expectRefused(await rawFetch({ target: path }));
      }
    },
  );

  test('bytes that are not escaped', async () => {
    const body = Buffer.from('grant_type=password&username=a%40example.com&password=Gr\xfc\xdfe', 'latin1');
    const headers = [['Content-Type', FORM_TYPE]] as const;
    const answer = await rawFetch({ method: 'POST', target: '/oauth2/token', headers, body });
    expect(answer.status).toBe(400);
  });

  test.each([
    ['/v1/triggers', { bucket: 'BUCKET', workflow: 'w', prefix: 'BYTES' }],
    ['/v1/namespaces', { name: 'BYTES' }],
    ['/sisyphus/fetch', { url: 'http://127.0.0.1:1/', bucket: 'BUCKET', key: 'BYTES' }],
    ['/corsRules/set/BUCKET', [{ allowed_origin: ['BYTES'], allowed_method: ['GET'] }]],
  ])('JSON with half a surrogate pair: %s', async (path, value) => {
    const body = JSON.stringify(value).replace('BUCKET', object.bucket).replace('BYTES', '\\ud800');
    const call = { target: path.replace('BUCKET', object.bucket), contentType: 'application/json', body };
    expect((await secureSigned(call)).status).toBe(400);
  });

  test('a field of an upload form', async () => {
    const token = uploadToken(target.account, { scope: object.bucket });
    for (const name of ['key', 'x:a', 'x-svc-meta-a', 'token']) {
      const parts = [field('token', token), field(name, Uint8Array.of(0xfc)), file('x')];
      const answer = await postParts(target.url, name === 'token' ? parts.slice(1) : parts);
      expect([name, answer.status]).toEqual([name, 400]);
    }
  });

  test('the path of a resumable upload', async () => {
    const bad = encodeBase64(Uint8Array.of(0xff, 0xfe));
    for (const name of ['key', 'fname', 'mimeType', 'x:a', 'x-svc-meta-a']) {
      const answer = await rawFetch({
        method: 'POST',
        target: `/mkfile/0/${name}/${bad}`,
        headers: [['Authorization', `UpToken ${uploadToken(target.account, { scope: object.bucket })}`]],
        body: '',
      });
      expect([name, answer.status]).toEqual([name, 400]);
    }
  });
});
