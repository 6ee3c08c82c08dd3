import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringOf } from '../../test/arbitraries.ts';
import { faultOf } from '../../test/faults.ts';
import { hashing } from '../../test/hashing.ts';
import { dialects } from '../dialect.ts';
import { parseSignature } from './hmac.ts';
import {
  type ManagementRequest,
  managementCandidates,
  signManagement,
  verifyManagement,
} from './management.ts';

const { svc, qiniu } = dialects;
const keys = { accessKey: 'ak', secretKey: 'sk' };
const bytes = (text: string) => new TextEncoder().encode(text);
const signatureOf = (sign: string) => parseSignature(`ak:${sign}`)?.signature ?? new Uint8Array();

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const J = '{"name": "test"}';
const F = 'name=test&language=go';
const A: [string, string][] = [
  ['X-Qiniu-Bbb', 'BBB'],
  ['x-qiniu-aaa', 'DDD'],
];
const EMPTY: [string, string][] = [
  ['X-Qiniu-Aaa', ''],
  ['X-Qiniu-Bbb', ''],
];
const DATE: [string, string][] = [['X-Qiniu-Date', '20260102T030405Z']];
const IGNORED: [string, string][] = [
  ['X-Qiniu-', 'a'],
  ['X-Qiniu', 'b'],
  ['Accept', '*/*'],
];

function request(
  [method = '', target = '']: string[],
  host: string,
  contentType: string | undefined,
  headers: [string, string][],
  body: string,
): ManagementRequest {
  return { method, target, host, contentType, headers: [...IGNORED, ...headers], body: bytes(body) };
}

const UP = 'upload.qiniup.com';
const RESTORE = '/restoreAr/Yjpr/freezeAfterDays/3';

describe('new signing: vectors', () => {
  test.each<[string, string, string, [string, string][], string, string]>([
    ['GET ', '', FORM, [], J, '0i1vKClRDWFyNkcTFzwcE7PzX74='],
    ['GET ', '', JSON_TYPE, [], J, 'K1DI0goT05yhGizDFE5FiPJxAj4='],
    ['POST ', '', JSON_TYPE, [], J, '0ujEjW_vLRZxebsveBgqa3JyQ-w='],
    ['GET ', UP, FORM, [], J, 'GShw5NitGmd5TLoo38nDkGUofRw='],
    ['GET ', UP, JSON_TYPE, EMPTY, J, '-fB4yn26QtKrW3jb_owJha4-W1I='],
    ['GET ', UP, FORM, EMPTY, F, 'PSssnOFa3sUvpEjTfACJ9WWKBS4='],
    ['GET ', UP, JSON_TYPE, A, J, 'DhNA1UCaBqSHCsQjMOLRfVn63GQ='],
    ['GET ', UP, FORM, A, F, 'KUAhrYh32P9bv0COD8ugZjDCmII='],
    ['GET /mkfile/sdf.jpg', UP, FORM, A, F, 'fkRck5_LeyfwdkyyLk-hyNwGKac='],
    ['GET /mkfile/sdf.jpg?s=er3&df', UP, FORM, A, F, 'PUFPWsEUIpk_dzUvvxTTmwhp3p4='],
    ['GET /', 'rs.qbox.me', FORM, [], J, 'CK4wBVOL6sLbVE4G4mrXqL_yEc4='],
    ['GET /', 'rs.qbox.me', JSON_TYPE, [], J, 'ksh7bJBnBzFO0yxJ_tLLUcg0csM='],
    ['POST /', 'rs.qbox.me', JSON_TYPE, [], J, 'IlW01tHjGQ0pGPXV_3jjR1AdD34='],
    ['GET /', UP, FORM, [], J, '156x8Q4x1zadPcAyMRVDsioIyAk='],
    ['GET /', UP, JSON_TYPE, A, J, 'eOaX4RziJPW9ywnJ02jshmEMfhI='],
    ['GET /', UP, 'application/octet-stream', A, J, 'GQQrYvDCdN_RaVjyJC7hIkv5TYk='],
    ['GET /', UP, FORM, A, F, 'A5PMXECSPZQxitJqLj0op2B2GEM='],
    [`POST ${RESTORE}`, '127.0.0.1:8080', FORM, DATE, '', 'FKtpwSLNVrEPM5pYKK25Zv3jdv0='],
    [`POST ${RESTORE}`, '127.0.0.1:8080:8080', FORM, DATE, '', '60WOWPcKuO-sjE79th7IYJkn0VA='],
  ])('%s %s %s %j %s', (line, host, contentType, headers, body, sign) => {
    const signed = request(line.split(' '), host, contentType, headers, body);
    expect(signManagement(hashing, keys, signed, qiniu)).toBe(`Qiniu ak:${sign}`);
    expect(verifyManagement(hashing, 'sk', signed, signatureOf(sign), qiniu)).toBe(true);
  });
});

describe('new signing', () => {
  const restore = request(['POST', RESTORE], '127.0.0.1:8080', FORM, DATE, '');

  test('the doubled port of one client is tolerated by its dialect only', () => {
    const doubled = signatureOf('60WOWPcKuO-sjE79th7IYJkn0VA=');
    expect(verifyManagement(hashing, 'sk', restore, doubled, qiniu)).toBe(true);
    const strict = { ...qiniu, toleratesDoubledPort: false };
    expect(verifyManagement(hashing, 'sk', restore, doubled, strict)).toBe(false);
    expect(managementCandidates({ ...restore, host: '[::1]:80' }, qiniu)[1]?.[0]).toContain('[::1]:80:80\n');
    expect(managementCandidates({ ...restore, host: '[::1]' }, qiniu)).toHaveLength(1);
    expect(managementCandidates({ ...restore, host: 'example.com' }, qiniu)).toHaveLength(1);
  });

  test('a port that was signed but not sent is tolerated by the same dialect, if the request came to it', () => {
    const signature = signatureOf('FKtpwSLNVrEPM5pYKK25Zv3jdv0=');
    const sent = { ...restore, host: '127.0.0.1' };
    expect(verifyManagement(hashing, 'sk', { ...sent, port: 8080 }, signature, qiniu)).toBe(true);
    expect(verifyManagement(hashing, 'sk', { ...sent, port: 8081 }, signature, qiniu)).toBe(false);
    expect(verifyManagement(hashing, 'sk', sent, signature, qiniu)).toBe(false);
    const strict = { ...qiniu, toleratesMissingPort: false };
    expect(verifyManagement(hashing, 'sk', { ...sent, port: 8080 }, signature, strict)).toBe(false);
    expect(
      managementCandidates({ ...restore, host: 'a:1', port: 2 }, qiniu)
        .flat()
        .join(),
    ).not.toContain(':2\n');
  });

  test('headers that can be read only once are enough for every candidate', () => {
    function* once(): Generator<[string, string]> {
      yield* DATE;
    }
    const doubled = signatureOf('60WOWPcKuO-sjE79th7IYJkn0VA=');
    expect(verifyManagement(hashing, 'sk', { ...restore, headers: once() }, doubled, qiniu)).toBe(true);
  });

  test('a body that some clients leave out is tolerated by that dialect, but never for form or JSON', () => {
    const text = request(['POST', '/a'], 'h', 'text/plain', [], 'content');
    const bodyless = signManagement(hashing, keys, { ...text, body: undefined }, qiniu);
    const signature = signatureOf(bodyless.slice('Qiniu ak:'.length));
    expect(verifyManagement(hashing, 'sk', text, signature, qiniu)).toBe(true);
    expect(verifyManagement(hashing, 'sk', text, signature, { ...qiniu, toleratesUnsignedBody: false })).toBe(
      false,
    );
    for (const contentType of [FORM, JSON_TYPE]) {
      const typed = { ...text, contentType };
      const header = signManagement(hashing, keys, { ...typed, body: undefined }, qiniu);
      const unsigned = signatureOf(header.slice('Qiniu ak:'.length));
      expect(verifyManagement(hashing, 'sk', typed, unsigned, qiniu)).toBe(false);
    }
  });

  test('without a Content-Type there is no line and no body', () => {
    const bare = request(['DELETE', '/a?b'], 'h', undefined, [['x-svc-date', 'D']], 'body');
    expect(managementCandidates(bare, svc)).toEqual([['DELETE /a?b\nHost: h\nX-Svc-Date: D\n\n']]);
    expect(managementCandidates({ ...bare, contentType: '' }, svc)).toEqual(managementCandidates(bare, svc));
  });

  test('the body is handed on as it is, not copied', () => {
    const body = bytes(F);
    const [text] = managementCandidates({ ...restore, body }, svc);
    expect(text).toHaveLength(2);
    expect(text?.[1]).toBe(body);
  });

  test('only the headers of the dialect are signed', () => {
    expect(managementCandidates(restore, svc)).toEqual([
      [`POST ${RESTORE}\nHost: 127.0.0.1:8080\nContent-Type: ${FORM}\n\n`],
    ]);
  });

  test('the target is signed as received, without decoding', () => {
    const raw = request(['POST', '/chgm/YTpi/mime//x-svc-meta-a/%41é?'], 'h', undefined, [], '');
    expect(managementCandidates(raw, svc)[0]?.[0]).toMatch(
      /^POST \/chgm\/YTpi\/mime\/\/x-svc-meta-a\/%41é\n/,
    );
  });

  test('a change anywhere in the request breaks the signature', () => {
    const line = stringOf('ab/?&=:é ', 20);
    const change = fc.constantFrom('method', 'target', 'host', 'contentType', 'body', 'header');
    fc.assert(
      fc.property(line, line, fc.uint8Array({ minLength: 1 }), change, (target, value, body, changed) => {
        const signed: ManagementRequest = {
          method: 'POST',
          target: `/${target}`,
          host: 'rs.example.com',
          contentType: FORM,
          headers: [['X-Svc-Date', value]],
          body,
        };
        const signature = signatureOf(signManagement(hashing, keys, signed, svc).slice('Svc ak:'.length));
        expect(verifyManagement(hashing, 'sk', signed, signature, svc)).toBe(true);
        const other: ManagementRequest = {
          method: changed === 'method' ? 'PUT' : signed.method,
          target: changed === 'target' ? `${signed.target}x` : signed.target,
          host: changed === 'host' ? 'io.example.com' : signed.host,
          contentType: changed === 'contentType' ? JSON_TYPE : FORM,
          headers: changed === 'header' ? [['X-Svc-Date', `${value}1`]] : signed.headers,
          body: changed === 'body' ? Uint8Array.of(...body, 0) : body,
        };
        expect(verifyManagement(hashing, 'sk', other, signature, svc)).toBe(false);
      }),
    );
  });

  test('a line break cannot be smuggled into the text', () => {
    for (const part of [
      { target: '/a\nHost: b' },
      { host: 'a\nb' },
      { contentType: 'a\r\nb' },
      { method: 'A\nB' },
    ]) {
      expect(faultOf(() => signManagement(hashing, keys, { ...restore, ...part }, svc))).toBe(
        'invalidArgument',
      );
    }
    for (const header of [['X-Svc-A', 'a\n'] as const, ['X-Svc-A\nB', ''] as const]) {
      expect(faultOf(() => managementCandidates({ ...restore, headers: [header] }, svc))).toBe(
        'invalidArgument',
      );
    }
  });
});
