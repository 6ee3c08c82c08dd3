import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringOf } from '../../test/arbitraries.ts';
import { type Dialect, dialects } from '../dialect.ts';
import { parseCredential, parseUploadAuthorization } from './credential.ts';
import { parseSignature } from './hmac.ts';

const { svc, qiniu } = dialects;
const SIGNED = 'ak:NDN8cM0rwosxhHJ6QAcI7ialr0g=';
const signature = parseSignature(SIGNED)?.signature;
const fresh = { kind: 'signature', scheme: 'new', accessKey: 'ak', signature };
const old = { ...fresh, scheme: 'old' };
const token = { kind: 'token', token: 'LvIaQm6bTrgtp6._-~+/==' };

describe('credentials', () => {
  test.each<[string, Dialect, unknown]>([
    [`Svc ${SIGNED}`, svc, fresh],
    ['Svc LvIaQm6bTrgtp6._-~+/==', svc, token],
    [`Qiniu ${SIGNED}`, qiniu, fresh],
    ['Qiniu LvIaQm6bTrgtp6._-~+/==', qiniu, token],
    [`QBox ${SIGNED}`, qiniu, old],
    [`SvcCb ${SIGNED}`, { ...svc, oldSigning: true }, old],
    // Words of the other dialect
    [`Qiniu ${SIGNED}`, svc, undefined],
    [`QBox ${SIGNED}`, svc, undefined],
    [`Svc ${SIGNED}`, qiniu, undefined],
    // An access token is never sent under the old word
    ['QBox LvIaQm6bTrgtp6', qiniu, undefined],
    // A colon makes it a signature or nothing
    ['Svc LvIaQm6b:Trgtp6', svc, undefined],
    ['Svc :', svc, undefined],
    [`Svc ${SIGNED}:`, svc, undefined],
    // One space, nothing around
    [`Svc  ${SIGNED}`, svc, undefined],
    [`Svc\t${SIGNED}`, svc, undefined],
    [` Svc ${SIGNED}`, svc, undefined],
    [`Svc ${SIGNED} `, svc, undefined],
    [`svc ${SIGNED}`, svc, undefined],
    ['Svc', svc, undefined],
    ['Svc ', svc, undefined],
    ['Svc a b', svc, undefined],
    ['Svc =', svc, undefined],
    [`Svc ${'a'.repeat(4097)}`, svc, undefined],
    [`UpToken ${SIGNED}`, svc, undefined],
    [`UpToken ${SIGNED}`, qiniu, undefined],
    ['Bearer abc', svc, { kind: 'token', token: 'abc' }],
    ['Bearer abc', qiniu, { kind: 'token', token: 'abc' }],
    [`Bearer ${SIGNED}`, svc, undefined],
    [`Bearer ${SIGNED}`, qiniu, undefined],
    ['bearer abc', svc, undefined],
    ['Bearer  abc', svc, undefined],
    ['', svc, undefined],
  ])('%j', (authorization, dialect, credential) => {
    expect(parseCredential(authorization, dialect)).toEqual(credential);
  });

  test('no header is no credential', () => {
    expect(parseCredential(undefined, svc)).toBeUndefined();
    expect(parseUploadAuthorization(undefined)).toBeUndefined();
  });

  test('the word of a callback is no management credential by default [G49]', () => {
    expect(parseCredential(`SvcCb ${SIGNED}`, svc)).toBeUndefined();
  });

  test('a text is a signature if and only if it holds a colon', () => {
    fc.assert(
      fc.property(stringOf('ab:=-._ é', 40), (text) => {
        const credential = parseCredential(`Svc ${text}`, svc);
        if (credential !== undefined)
          expect(credential.kind).toBe(text.includes(':') ? 'signature' : 'token');
      }),
    );
  });

  test('an upload token has its own word', () => {
    expect(parseUploadAuthorization('UpToken ak:sign:policy')).toBe('ak:sign:policy');
    expect(parseUploadAuthorization('UpToken ')).toBeUndefined();
    expect(parseUploadAuthorization(`Svc ${SIGNED}`)).toBeUndefined();
  });
});
