import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  forwardedHeaders,
  type ReceivedRequest,
  verifyCallbackRequest,
  verifyEventRequest,
  verifyRequest,
  verifyWebhookRequest,
} from './index.ts';

const keys = [{ accessKey: 'ak', secretKey: 'sk' }];
const secrets = [`whsec_${Buffer.alloc(32, 7).toString('base64')}`];
const now = 1_700_000_000_000;

const sha1 = (text: string) =>
  createHmac('sha1', 'sk').update(text).digest('base64').replaceAll('+', '-').replaceAll('/', '_');

/** Built by hand, from the documentation's words. */
function event(body = '{"type":"stream"}', overrides: Record<string, string> = {}): ReceivedRequest {
  const text = `POST /events?a=1\nHost: receiver.test:81\nContent-Type: application/json\nX-Svc-Delivery: d\nX-Svc-Sequence: 5\n\n${body}`;
  const signature = createHmac('sha256', Buffer.alloc(32, 7))
    .update(`d.${now / 1000}.${body}`)
    .digest('base64');
  return {
    method: 'POST',
    url: '/events?a=1',
    headers: {
      host: 'receiver.test:81',
      'content-type': 'application/json',
      'x-svc-sequence': '5',
      'x-svc-delivery': 'd',
      'webhook-id': 'd',
      'webhook-timestamp': String(now / 1000),
      'webhook-signature': `v1,${signature}`,
      authorization: `Svc ak:${sha1(text)}`,
      ...overrides,
    },
    body: Buffer.from(body),
  };
}

describe('an event', () => {
  test('is verified in both forms', () => {
    expect(verifyRequest(event(), { keys, secrets, now })).toEqual({
      webhook: true,
      event: true,
      callback: undefined,
      ok: true,
    });
  });

  test('with anything changed is not', () => {
    const original = event();
    const changed: ReceivedRequest[] = [
      { ...original, body: Buffer.from('{"type":"device"}') },
      { ...original, url: '/events' },
      { ...original, method: 'PUT' },
      event(undefined, { host: 'other.test' }),
      event(undefined, { 'x-svc-sequence': '6' }),
      event(undefined, { 'x-svc-more': '1' }),
      event(undefined, { authorization: 'Svc ak:x' }),
    ];
    for (const request of changed) expect(verifyEventRequest(request, { keys })).toBe(false);
    expect(verifyEventRequest(original, { keys: [{ accessKey: 'ak', secretKey: 'other' }] })).toBe(false);
    expect(verifyEventRequest(original, { keys: [] })).toBe(false);
    expect(verifyRequest(original, {}).ok).toBe(false);
  });

  test('too old, or by another secret, fails the webhook form', () => {
    const request = event();
    expect(verifyWebhookRequest(request, { secrets, now: now + 299_000 })).toBe(true);
    expect(verifyWebhookRequest(request, { secrets, now: now + 301_000 })).toBe(false);
    expect(verifyWebhookRequest(request, { secrets: ['whsec_AAAA'], now })).toBe(false);
    expect(verifyWebhookRequest(request, { secrets: ['whsec_AAAA', ...secrets], now })).toBe(true);
    expect(verifyRequest(request, { keys, secrets: ['whsec_AAAA'], now }).ok).toBe(false);
  });
});

describe('a callback', () => {
  const callback = (type: string, body: string, signed: string): ReceivedRequest => ({
    method: 'POST',
    url: '/cb?a=1',
    headers: { 'content-type': type, authorization: `SvcCb ak:${sha1(signed)}` },
    body: Buffer.from(body),
  });

  test('signs the body of a form, and not that of JSON', () => {
    const form = 'application/x-www-form-urlencoded';
    const encoded = Buffer.from('k=1').toString('base64url');
    expect(verifyCallbackRequest(callback(form, 'k=1', `/cb?a=1\n${encoded}`), { keys })).toBe(true);
    expect(verifyCallbackRequest(callback(form, 'k=2', `/cb?a=1\n${encoded}`), { keys })).toBe(false);
    const json = callback('application/json', '{}', '/cb?a=1\n');
    expect(verifyRequest(json, { keys })).toEqual({
      webhook: undefined,
      event: undefined,
      callback: true,
      ok: false,
    });
    expect(verifyRequest(callback(form, 'k=1', `/cb?a=1\n${encoded}`), { keys }).ok).toBe(true);
    expect(verifyRequest(callback('application/json', '', '/cb?a=1\n'), { keys }).ok).toBe(true);
  });

  test('covers the Base64 of a form, in the dialect qiniu its bytes, and a server may say otherwise', () => {
    const form = 'application/x-www-form-urlencoded';
    const body = 'n=??>>';
    const [base64url, raw] = [`/cb?a=1\n${Buffer.from(body).toString('base64url')}`, `/cb?a=1\n${body}`];
    const verifies = (signed: string, how: Partial<Parameters<typeof verifyCallbackRequest>[1]> = {}) => {
      const request = callback(form, body, signed);
      const authorization = String(request.headers.authorization);
      const headers = {
        ...request.headers,
        authorization: how.dialect === 'qiniu' ? authorization.replace('SvcCb', 'QBox') : authorization,
      };
      return verifyCallbackRequest({ ...request, headers }, { keys, ...how });
    };
    expect([verifies(base64url), verifies(raw)]).toEqual([true, false]);
    const qiniu = { dialect: 'qiniu' } as const;
    expect([verifies(base64url, qiniu), verifies(raw, qiniu)]).toEqual([false, true]);
    expect(verifies(raw, { signedBody: 'raw' })).toBe(true);
    expect(verifies(base64url, { ...qiniu, signedBody: 'base64url' })).toBe(true);
  });

  test('is no stand-in for a webhook signature that was left out', () => {
    // Seen once with another body: the callback form does not cover one of JSON.
    const forged = callback('application/json', '{"paid":true}', '/cb?a=1\n');
    expect(verifyRequest(forged, { keys, secrets, now })).toEqual({
      webhook: false,
      event: undefined,
      callback: true,
      ok: false,
    });
  });
});

describe('a request that was passed on to another address', () => {
  const direct = event();
  const passedOn = (request: ReceivedRequest): ReceivedRequest => ({
    ...request,
    url: '/hooks',
    headers: { ...request.headers, host: '127.0.0.1:3000', ...forwardedHeaders(request) },
  });

  test('is verified by the Host and target that it had, where the receiver says so', () => {
    const good = { webhook: true, event: true, callback: undefined, ok: true };
    expect(verifyRequest(passedOn(direct), { keys, secrets, now, forwarded: true })).toEqual(good);
    // One that came by itself is verified as ever.
    expect(verifyRequest(direct, { keys, secrets, now, forwarded: true })).toEqual(good);
  });

  test('is not where it does not: anybody can write those headers', () => {
    expect(verifyRequest(passedOn(direct), { keys, secrets, now })).toMatchObject({
      event: false,
      ok: false,
    });
  });

  test('and is not with anything changed', () => {
    const request = passedOn(direct);
    const changed: ReceivedRequest[] = [
      { ...request, body: Buffer.from('{"type":"device"}') },
      { ...request, headers: { ...request.headers, ...forwardedHeaders({ ...direct, url: '/other' }) } },
      { ...request, headers: { ...request.headers, ...forwardedHeaders({ ...direct, headers: {} }) } },
      { ...request, headers: { ...request.headers, 'x-svc-sequence': '6' } },
    ];
    for (const each of changed)
      expect(verifyRequest(each, { keys, secrets, now, forwarded: true }).ok).toBe(false);
  });
});

describe('a receiver whose settings are missing', () => {
  const hmac = (algorithm: string, text: string) => createHmac(algorithm, '').update(text).digest('base64');
  const urlSafe = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_');

  test.each(['', 'whsec_', undefined])('secret %j: refuses what anybody can sign with no key', (secret) => {
    const signed = hmac('sha256', `d.${now / 1000}.{"type":"stream"}`);
    const forged = event(undefined, { 'webhook-signature': `v1,${signed}` });
    expect(verifyRequest(forged, { secrets: [secret], now }).ok).toBe(false);
    expect(verifyRequest(event(), { secrets: [secret, ...secrets], now }).ok).toBe(true);
  });

  test.each([
    { accessKey: 'ak', secretKey: '' },
    { accessKey: 'ak', secretKey: undefined },
    { accessKey: undefined, secretKey: undefined },
  ])('key %j: the same', (key) => {
    const missing = { keys: [key as { accessKey: string; secretKey: string }], now };
    const callback: ReceivedRequest = {
      method: 'POST',
      url: '/cb',
      headers: { authorization: `SvcCb ak:${urlSafe(hmac('sha1', '/cb\n'))}` },
      body: Buffer.of(),
    };
    const signed = `POST /cb\nHost: receiver.test\nContent-Type: application/json\n\n{}`;
    const notification: ReceivedRequest = {
      ...callback,
      headers: {
        host: 'receiver.test',
        'content-type': 'application/json',
        authorization: `Svc ak:${urlSafe(hmac('sha1', signed))}`,
      },
      body: Buffer.from('{}'),
    };
    const unreadable = { ...callback, headers: { authorization: 'SvcCb ?' } };
    for (const request of [callback, notification, unreadable])
      expect(verifyRequest(request, missing).ok).toBe(false);
  });
});

test('no header makes a verifier throw, or say yes', () => {
  const name = fc.constantFrom(
    'authorization',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
    'host',
    'x-svc-date',
    'millpond-forwarded-host',
    'millpond-forwarded-target',
  );
  const headers = fc.dictionary(
    name,
    fc.oneof(fc.string(), fc.constant('Svc ak:'), fc.constant('SvcCb ak:x')),
  );
  fc.assert(
    fc.property(headers, fc.string(), (given, body) => {
      const request = { method: 'POST', url: '/', headers: given, body: Buffer.from(body) };
      for (const forwarded of [true, false])
        expect(verifyRequest(request, { keys, secrets, now, forwarded }).ok).toBe(false);
    }),
  );
});
