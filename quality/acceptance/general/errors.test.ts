import { FORM_TYPE } from '@millpond/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Stored, statTarget, store } from '../support/objects/objects.ts';
import { rawFetch } from '../support/raw.ts';
import { send, sendSigned } from '../support/signing.ts';
import { newBucket, upload } from '../support/target.ts';

let object: Stored;
beforeAll(async () => {
  object = await store('a.txt', 'hello world');
});

describe('a failed call', () => {
  test('answers a JSON object with the error as a string [error-01]', async () => {
    const answer = await sendSigned({ target: '/stat/***' });
    expect(answer.status).toBe(400);
    const body = answer.json() as Record<string, unknown>;
    expect(body.error).toBe('invalid argument');
    expect(Object.keys(body).filter((name) => name !== 'hint')).toEqual(['error']);
  });

  test('carries Content-Type application/json, on object and on upload calls [answer-01]', async () => {
    const stat = await sendSigned({ target: statTarget(object.bucket, 'missing') });
    expect([stat.status, stat.header('content-type')]).toEqual([612, 'application/json']);
    expect(stat.json()).toEqual({ error: 'no such file or directory' });
    const uploaded = await upload({ scope: object.bucket, deadline: 1 }, 'x', { key: 'k' });
    expect([uploaded.status, uploaded.headers.get('content-type')]).toEqual([401, 'application/json']);
    expect(await uploaded.json()).toEqual({ error: 'expired token' });
  });

  test('answers statuses from 600 on as they are [error-03 G45]', async () => {
    // Raw, because what a client library makes of such a status is another matter.
    const answer = await sendSigned({ target: statTarget(object.bucket, 'missing') });
    expect(answer.status).toBe(612);
    expect((await sendSigned({ target: statTarget('no-such-bucket', 'a') })).status).toBe(631);
    await store('taken', 'one', { bucket: object.bucket });
    const refused = await upload({ scope: object.bucket }, 'another', { key: 'taken' });
    expect([refused.status, await refused.json()]).toEqual([614, { error: 'file exists' }]);
  });

  test('for a missing object is 612 [answer-06]', async () => {
    const encoded = statTarget(object.bucket, 'missing').replace('/stat/', '/delete/');
    for (const path of [statTarget(object.bucket, 'missing'), encoded]) {
      const answer = await sendSigned({ target: path });
      expect([answer.status, answer.json()]).toEqual([612, { error: 'no such file or directory' }]);
    }
  });

  test('for a missing bucket is 631 [answer-07]', async () => {
    const answer = await sendSigned({ target: statTarget('no-such-bucket', 'a') });
    expect([answer.status, answer.json()]).toEqual([631, { error: 'no such bucket' }]);
    const form = await sendSigned({ target: '/private', body: 'bucket=no-such-bucket&private=1' });
    expect([form.status, form.json()]).toEqual([631, { error: 'no such bucket' }]);
  });

  test('for a bad management credential is 401 [answer-05]', async () => {
    const answer = await send({ target: object.stat }, 'Svc nobody:AAAAAAAAAAAAAAAAAAAAAAAAAAA=');
    expect([answer.status, answer.json()]).toEqual([401, { error: 'bad token' }]);
  });
});

describe('an empty 200', () => {
  test('carries Content-Type application/json [answer-02]', async () => {
    const bucket = await newBucket();
    const answer = await sendSigned({ target: '/private', body: `bucket=${bucket}&private=1` });
    expect(answer.status).toBe(200);
    expect(answer.text()).toBe('');
    expect(answer.header('content-length')).toBe('0');
    expect(answer.header('content-type')).toBe('application/json');
  });

  test('answers an empty body with the form Content-Type [request-01]', async () => {
    const { bucket } = await store('gone.txt', 'x');
    const deleted = await sendSigned({
      target: statTarget(bucket, 'gone.txt').replace('/stat/', '/delete/'),
      contentType: FORM_TYPE,
      body: '',
    });
    expect([deleted.status, deleted.text()]).toEqual([200, '']);
    expect(deleted.header('content-type')).toBe('application/json');
    expect((await sendSigned({ target: statTarget(bucket, 'gone.txt') })).status).toBe(612);
  });
});

describe('routes', () => {
  test('that do not exist answer 404 with an error [answer-03]', async () => {
    for (const path of [
      '/nothing',
      '/no/such/thing/at/all',
      '/',
      '/~domain/example.test/a',
      '/%7Ebucket/a/b',
    ]) {
      const answer = await rawFetch({ target: path });
      expect(answer.status, path).toBe(path === '/' ? 405 : 404);
      expect(answer.header('content-type')).toBe('application/json');
      expect(answer.json()).toMatchObject({ error: path === '/' ? 'method not allowed' : 'not found' });
    }
  });

  test('are not found under an asterisk or a bad escape', async () => {
    const asterisk = await rawFetch({ method: 'OPTIONS', target: '*' });
    expect([asterisk.status, asterisk.json()]).toMatchObject([404, { error: 'not found' }]);
    expect(asterisk.header('x-reqid')).toMatch(/./);
    const answer = await rawFetch({ target: `/${object.bucket}/100%` });
    expect([answer.status, answer.json()]).toMatchObject([400, { error: 'invalid argument' }]);
  });

  test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    'answer 405 to %s where they do not take it [answer-04]',
    async (method) => {
      const answer = await send({ target: object.stat, method });
      expect(answer.status).toBe(405);
      expect(answer.json()).toMatchObject({ error: 'method not allowed' });
    },
  );

  test('say with every 405 what they do take', async () => {
    for (const [method, path, allowed] of [
      ['PUT', object.stat, ['GET', 'POST']],
      ['GET', '/batch', ['POST']],
      ['GET', '/', ['OPTIONS', 'POST']],
      ['PATCH', object.path, ['GET', 'HEAD', 'OPTIONS']],
      ['PUT', '/v1/user/info', ['POST']],
      ['GET', '/oauth2/token', ['POST']],
      ['POST', '/v1/openapi.json', ['GET', 'OPTIONS']],
    ] as const) {
      const answer = await rawFetch({ method, target: path });
      const allow = answer.header('allow')?.split(', ').toSorted();
      expect([path, answer.status, allow]).toEqual([path, 405, allowed]);
    }
  });

  test('take no method in another case', async () => {
    const answer = await send({ target: object.stat, method: 'get' });
    expect(answer.status).toBe(400);
    expect(answer.header('x-reqid')).toMatch(/./);
    expect(answer.json()).toMatchObject({ error: 'invalid argument' });
  });
});
