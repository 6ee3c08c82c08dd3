import { describe, expect, test } from 'vitest';
import { faultOf } from '../../test/faults.ts';
import { hashing } from '../../test/hashing.ts';
import { dialects } from '../dialect.ts';
import { signCallback, verifyCallback } from './callback.ts';
import { parseSignature, signText } from './hmac.ts';
import { verifyLegacyManagement } from './legacy-management.ts';
import { signManagement, verifyManagement } from './management.ts';

const { svc, qiniu } = dialects;
const FORM = 'application/x-www-form-urlencoded';
const keys = { accessKey: 'abcdefghklmnopq', secretKey: '1234567890' };
const bytes = (text: string) => new TextEncoder().encode(text);
const BODY = 'name=sunflower.jpg&hash=Fn6qeQi4VDLQ347NiRm-RlQx_4O2&location=Shanghai&price=1500.00&uid=123';
const request = { target: '/callback', contentType: FORM, body: bytes(BODY) };
const VECTOR = 'abcdefghklmnopq:T7F-SjxX7X2zI4Fc1vANiNt1AUE=';

describe('callback signatures', () => {
  test('the vector of the SDKs, which sign the body as it is sent', () => {
    expect(signCallback(hashing, keys, request, qiniu)).toBe(`QBox ${VECTOR}`);
    expect(verifyCallback(hashing, keys, request, `QBox ${VECTOR}`, qiniu)).toBe(true);
    expect(signCallback(hashing, keys, request, { ...svc, signedBody: 'raw' })).toBe(`SvcCb ${VECTOR}`);
    expect(verifyCallback(hashing, keys, request, `SvcCb ${VECTOR}`, svc)).toBe(false);
  });

  test('the interface signs the URL-safe Base64 of the body', () => {
    const header = signCallback(hashing, keys, request, svc);
    const encoded = Buffer.from(BODY).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
    expect(header).toBe(`SvcCb ${signText(hashing, keys, [`/callback\n${encoded}`])}`);
    expect(verifyCallback(hashing, keys, request, header, svc)).toBe(true);
    expect(verifyCallback(hashing, keys, request, header, { ...svc, signedBody: 'raw' })).toBe(false);
  });

  test('the vector of the new form', () => {
    const headers: [string, string][] = [['X-Qiniu-Bbb', 'BBB']];
    const whole = { ...request, method: 'GET', host: 'test.qiniu.com', headers };
    const expected = 'Qiniu abcdefghklmnopq:ZqS7EZuAKrhZaEIxqNGxDJi41IQ=';
    expect(signManagement(hashing, keys, whole, qiniu)).toBe(expected);
  });

  test('the query belongs to what is signed', () => {
    const withQuery = { ...request, target: '/callback?a=1' };
    const header = signCallback(hashing, keys, withQuery, svc);
    expect(verifyCallback(hashing, keys, withQuery, header, svc)).toBe(true);
    expect(verifyCallback(hashing, keys, request, header, svc)).toBe(false);
  });

  test('a form body is covered, a JSON body is not', () => {
    for (const dialect of [svc, qiniu]) {
      const header = signCallback(hashing, keys, request, dialect);
      expect(verifyCallback(hashing, keys, request, header, dialect)).toBe(true);
      expect(verifyCallback(hashing, keys, { ...request, body: bytes('uid=1') }, header, dialect)).toBe(
        false,
      );
    }
    const json = { target: '/callback', contentType: 'application/json', body: bytes('{"a":1}') };
    const header = signCallback(hashing, keys, json, svc);
    expect(header).toBe(`SvcCb ${signText(hashing, keys, ['/callback\n'])}`);
    expect(verifyCallback(hashing, keys, { ...json, body: bytes('{"a":2}') }, header, svc)).toBe(true);
  });

  test('another key, another word or no header does not verify', () => {
    expect(verifyCallback(hashing, { ...keys, accessKey: 'other' }, request, `QBox ${VECTOR}`, qiniu)).toBe(
      false,
    );
    expect(verifyCallback(hashing, keys, request, `Qiniu ${VECTOR}`, qiniu)).toBe(false);
    expect(verifyCallback(hashing, keys, request, `QBox x${VECTOR}`, qiniu)).toBe(false);
    expect(verifyCallback(hashing, keys, request, undefined, qiniu)).toBe(false);
  });

  test('a callback signature never verifies in the new form, whatever its path and body [G49]', () => {
    const text = 'POST /delete/YTpi\nHost: rs.example.com\n\n';
    expect(faultOf(() => signCallback(hashing, keys, { ...request, target: text }, svc))).toBe(
      'invalidArgument',
    );
    expect(faultOf(() => signCallback(hashing, keys, { ...request, target: 'POST /a' }, svc))).toBe(
      'invalidArgument',
    );
    const header = signCallback(hashing, keys, { ...request, target: '/delete/YTpi' }, qiniu);
    const signature = parseSignature(header.slice('QBox '.length))?.signature ?? new Uint8Array();
    const call = { ...request, target: '/delete/YTpi', method: 'POST', host: 'rs.example.com', headers: [] };
    expect(verifyManagement(hashing, keys.secretKey, call, signature, qiniu)).toBe(false);
  });

  test('it does verify as an old one, so a callback URL must not name one of our routes [G49]', () => {
    const json = { target: '/delete/YTpi', contentType: 'application/json', body: bytes('{}') };
    const header = signCallback(hashing, keys, json, qiniu);
    const signature = parseSignature(header.slice('QBox '.length))?.signature ?? new Uint8Array();
    const call = { target: '/delete/YTpi', contentType: undefined, body: undefined };
    expect(verifyLegacyManagement(hashing, keys.secretKey, call, signature)).toBe(true);
  });
});
