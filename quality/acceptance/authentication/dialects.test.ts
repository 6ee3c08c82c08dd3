import { createHmac } from 'node:crypto';
import {
  dialects,
  FORM_TYPE,
  formatRequestDate,
  type LegacyRequest,
  signLegacyManagement,
} from '@millpond/protocol';
import {
  type Account,
  createDeployment,
  type Deployment,
  hashing,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Stored, statTarget, store } from '../support/objects/objects.ts';
import type { RawResponse } from '../support/raw.ts';
import { authorize, type Call, send, sendSigned } from '../support/signing.ts';
import { target } from '../support/target.ts';

let deployment: Deployment;
let url: string;
let account: Account;
let object: Stored;
const stat = statTarget('dialects', 'a.txt');

beforeAll(async () => {
  deployment = await createDeployment({ store: target.store, settings: { MILLPOND_DIALECT: 'qiniu' } });
  account = await deployment.createAccount(undefined, 'dialects');
  ({ url } = await deployment.start());
  const token = uploadToken(account, { scope: 'dialects' });
  expect((await uploadForm(url, 'hello world', { token, key: 'a.txt' })).status).toBe(200);
  object = await store('a.txt', 'hello world');
});
afterAll(() => deployment?.destroy());

function expectBadToken(answer: RawResponse): void {
  expect(answer.status).toBe(401);
  expect(answer.json()).toEqual({ error: 'bad token' });
}

const sendQiniu = (call: Call) => sendSigned(call, { url, keys: account, dialect: dialects.qiniu });

function old(
  request: Pick<LegacyRequest, 'target'> & Partial<LegacyRequest>,
  keys: Account,
  word: string,
): string {
  const signed = { contentType: FORM_TYPE, body: undefined, ...request };
  return signLegacyManagement(hashing, keys, signed, { ...dialects.qiniu, callbackScheme: word });
}

/** A signature over a Host line that has the port twice, as Qiniu's Node SDK writes it. */
function doubledPort(path: string, keys: Account, at: string, word: string): string {
  const { host, port } = new URL(at);
  const text = `POST ${path}\nHost: ${host}:${port}\nContent-Type: ${FORM_TYPE}\n\n`;
  const sign = createHmac('sha1', keys.secretKey).update(text).digest('base64url');
  return `${word} ${keys.accessKey}:${sign}=`;
}

describe('the preset svc', () => {
  test('has its own words and takes no others [dialect-01]', async () => {
    const call = { target: object.stat };
    expect((await send(call, authorize(call))).status).toBe(200);
    for (const word of ['Qiniu', 'QBox'])
      expectBadToken(await send(call, authorize(call).replace('Svc', word)));
    // Headers of the other preset are none of the signed text.
    const foreign = { ...call, headers: [['X-Qiniu-Date', '20200101T000000Z']] as const };
    expect((await send(foreign, authorize(call))).status).toBe(200);
  });

  test('does not take the old signing, under no word [sign-old-02]', async () => {
    for (const word of ['Svc', 'SvcCb', 'QBox', 'Qiniu']) {
      expectBadToken(await send({ target: object.stat }, old({ target: object.stat }, target.account, word)));
    }
  });

  test('does not take a Host line with the port twice [dialect-03]', async () => {
    const authorization = doubledPort(object.stat, target.account, target.url, 'Svc');
    expectBadToken(await send({ target: object.stat }, authorization));
  });
});

describe('the preset qiniu', () => {
  test('has its own words and takes no others [dialect-02]', async () => {
    expect((await sendQiniu({ target: stat })).status).toBe(200);
    const call = { target: stat };
    expectBadToken(await send(call, authorize(call, { url, keys: account }), url));
    const authorization = authorize(call, { url, keys: account, dialect: dialects.qiniu });
    for (const word of ['Svc', 'SvcCb']) {
      expectBadToken(await send(call, authorization.replace('Qiniu', word), url));
    }
    const now = formatRequestDate(new Date());
    expect((await sendQiniu({ target: stat, headers: [['X-Qiniu-Date', now]] })).status).toBe(200);
    expectBadToken(await send({ target: stat, headers: [['X-Qiniu-Date', now]] }, authorization, url));
    expect((await send({ target: stat, headers: [['X-Svc-Date', 'x']] }, authorization, url)).status).toBe(
      200,
    );
  });

  test('takes the old signing over target and form body [sign-old-01]', async () => {
    const answer = await send({ target: stat }, old({ target: stat }, account, 'QBox'), url);
    expect(answer.status).toBe(200);
    const query = `${stat}?x=1`;
    expect((await send({ target: query }, old({ target: query }, account, 'QBox'), url)).status).toBe(200);
    expectBadToken(await send({ target: query }, old({ target: stat }, account, 'QBox'), url));
    const body = Buffer.from('bucket=dialects&private=0');
    const form = { target: '/private', body: body.toString() };
    expect((await send(form, old({ target: '/private', body }, account, 'QBox'), url)).status).toBe(200);
    expectBadToken(
      await send(
        { ...form, body: 'bucket=dialects&private=1' },
        old({ target: '/private', body }, account, 'QBox'),
        url,
      ),
    );
  });

  test('takes the old signing for looking and posting only, and for nothing under /v1/', async () => {
    const path = '/bucketTagging?bucket=dialects';
    const authorization = old({ target: path }, account, 'QBox');
    const seen = { target: path, contentType: null };
    const tags = {
      target: path,
      contentType: 'application/json',
      body: '{"Tags":[{"Key":"a","Value":"b"}]}',
    };
    expect((await sendQiniu({ ...tags, method: 'PUT' })).status).toBe(200);
    const looked = await send({ ...seen, method: 'GET' }, authorization, url);
    expect([looked.status, looked.text()]).toEqual([200, expect.stringContaining('"b"')]);
    expectBadToken(await send({ ...seen, method: 'DELETE' }, authorization, url));
    expectBadToken(await send({ ...tags, method: 'PUT' }, authorization, url));
    for (const own of ['/v1/namespaces', '/v1/templates']) {
      const call = { method: 'GET', target: own, contentType: null };
      expectBadToken(await send(call, old({ target: own }, account, 'QBox'), url));
      expect((await sendQiniu(call)).status).toBe(200);
    }
  });

  test('does not read a body that its clients did not sign', async () => {
    const path = '/private?bucket=dialects&private=0';
    const call = { target: path, contentType: 'text/plain' };
    const authorization = authorize(call, { url, keys: account, dialect: dialects.qiniu });
    expect((await send({ ...call, body: 'private=x' }, authorization, url)).status).toBe(200);
    const form = { target: path, contentType: `${FORM_TYPE}; charset=utf-8` };
    const signed = old({ target: path, contentType: form.contentType }, account, 'QBox');
    expect((await send({ ...form, body: 'private=x' }, signed, url)).status).toBe(200);
  });

  describe.each([
    ['old', 'application/json'],
    ['old', 'text/plain'],
    ['old', `${FORM_TYPE}; charset=utf-8`],
    ['old', FORM_TYPE.toUpperCase()],
    ['old', 'application/octet-stream'],
    ['old', null],
    ['new', 'application/octet-stream'],
    ['new', null],
  ] as const)('of a call by the %s signing, with the Content-Type %s', (form, contentType) => {
    /** The body is whatever somebody on the way put there. */
    const forge = (path: string, body: string) => {
      const signed = { target: path, contentType };
      const authorization =
        form === 'old'
          ? old({ target: path, contentType: contentType ?? undefined }, account, 'QBox')
          : authorize(signed, { url, keys: account, dialect: dialects.qiniu });
      return send({ ...signed, body }, authorization, url);
    };

    test('a body that the signature does not cover is no batch', async () => {
      const answer = await forge('/batch', `op=/delete/${stat.split('/')[2]}`);
      expect([answer.status, answer.json()]).toMatchObject([400, { error: 'invalid argument' }]);
      expect((await sendQiniu({ target: stat })).status).toBe(200);
    });

    test('nor a task, nor a setting', async () => {
      const body = 'bucket=dialects&key=a.txt&fops=qhash%2Fsha1';
      for (const path of ['/pfop/', '/pfop']) expect((await forge(path, body)).status).toBe(400);
      expect((await forge('/private', 'bucket=dialects&private=1')).status).toBe(400);
      const rules = '[{"allowed_origin":["https://evil.example"],"allowed_method":["GET"]}]';
      expect((await forge('/corsRules/set/dialects', rules)).status).toBe(400);
      const fetched = JSON.stringify({ url: 'http://example.com/', bucket: 'dialects', key: 'a.txt' });
      expect((await forge('/sisyphus/fetch', fetched)).status).toBe(400);
    });
  });

  test('takes a Host line with the port twice [dialect-03]', async () => {
    expect((await send({ target: stat }, doubledPort(stat, account, url, 'Qiniu'), url)).status).toBe(200);
    const { port } = new URL(url);
    const another = doubledPort(stat, account, url.replace(port, String(Number(port) - 1)), 'Qiniu');
    expectBadToken(await send({ target: stat }, another, url));
  });

  test.each([-16, 16])('answers a date %d minutes off with 403 [date-05]', async (minutes) => {
    const date = formatRequestDate(new Date(Date.now() + minutes * 60_000));
    const answer = await sendQiniu({ target: stat, headers: [['X-Qiniu-Date', date]] });
    expect(answer.status).toBe(403);
    expect(answer.json()).toEqual({ error: 'request time too skewed' });
  });
});
