import { describe, expect, test } from 'vitest';
import { hashing } from '../../../test/hashing.ts';
import { codeOf, s3FaultOf } from '../../../test/s3-faults.ts';
import {
  DATE,
  EMPTY_SHA256,
  KEY,
  presign,
  SECRET,
  type SignedRequest,
  signHeader,
  TIME,
} from '../../../test/s3-signer.ts';
import { readCredentials } from './credentials.ts';
import type { S3Request } from './head.ts';
import { verifyCredentials } from './verify.ts';

const scope = '20130524/us-east-1/s3/aws4_request';
const headers: [string, string][] = [
  ['Host', '127.0.0.1:9000'],
  ['x-amz-content-sha256', EMPTY_SHA256],
];
const signed = signHeader({ method: 'GET', path: '/b/k', headers });
const presigned = presign({ method: 'PUT', path: '/b/k', headers: [['Host', 'h']] });

function verify(request: S3Request, allowsV2 = true) {
  const credentials = readCredentials(request, { allowsV2 });
  if (credentials.kind === 'anonymous') return credentials;
  verifyCredentials(hashing, credentials, SECRET, { now: TIME });
  return credentials;
}

const withAuthorization = (value: string): SignedRequest => ({
  ...signed,
  rawHeaders: signed.rawHeaders.with(signed.rawHeaders.indexOf('Authorization') + 1, value),
});
const withHeader = (request: SignedRequest, name: string, value: string): SignedRequest => ({
  ...request,
  rawHeaders: [...request.rawHeaders, name, value],
});
const withoutHeader = (request: SignedRequest, name: string): SignedRequest => ({
  ...request,
  rawHeaders: request.rawHeaders.toSpliced(request.rawHeaders.indexOf(name), 2),
});
const withQuery = (from: string | RegExp, to: string): SignedRequest => ({
  ...presigned,
  query: presigned.query?.replace(from, to),
});

test('requests without credentials are anonymous', () => {
  for (const rawHeaders of [
    ['Host', 'h'],
    ['Host', 'h', 'Authorization', ''],
  ])
    expect(verify({ method: 'GET', path: '/b/k', query: undefined, rawHeaders }).kind).toBe('anonymous');
});

describe('credentials that are malformed', () => {
  const parts = `SignedHeaders=host;x-amz-date;x-amz-content-sha256,Signature=${'0'.repeat(64)}`;
  test.each([
    ['', 'AWS4-HMAC-SHA256'],
    ['the scope has too few parts', `AWS4-HMAC-SHA256 Credential=${KEY}/us-east-1/s3/aws4_request,${parts}`],
    ['no access key', `AWS4-HMAC-SHA256 Credential=${scope},${parts}`],
    ['the day', `AWS4-HMAC-SHA256 Credential=${KEY}/2013-05-24/us-east-1/s3/aws4_request,${parts}`],
    ['another day', `AWS4-HMAC-SHA256 Credential=${KEY}/20130525/us-east-1/s3/aws4_request,${parts}`],
    ['another end', `AWS4-HMAC-SHA256 Credential=${KEY}/20130524/us-east-1/s3/aws3_request,${parts}`],
    ['no credential', `AWS4-HMAC-SHA256 ${parts}`],
    ['no signature', `AWS4-HMAC-SHA256 Credential=${KEY}/${scope},SignedHeaders=host`],
    ['an empty signature', `AWS4-HMAC-SHA256 Credential=${KEY}/${scope},SignedHeaders=host,Signature=`],
    ['an empty name', `AWS4-HMAC-SHA256 Credential=${KEY}/${scope},SignedHeaders=host;;a,Signature=0`],
    ['a part twice', `AWS4-HMAC-SHA256 Credential=${KEY}/${scope},${parts},${parts}`],
    ['a part of another name', `AWS4-HMAC-SHA256 Credential=${KEY}/${scope},${parts},A=b`],
  ])('%s (header)', (_, authorization) => {
    expect(codeOf(() => verify(withAuthorization(authorization)))).toBe('AuthorizationHeaderMalformed');
  });

  test.each([
    ['an algorithm', withQuery('AWS4-HMAC-SHA256', 'AWS4-HMAC-SHA1')],
    ['a date', withQuery(DATE, '20130524T250000Z')],
    ['another day', withQuery(DATE, '20130525T000000Z')],
    ['a number', withQuery('X-Amz-Expires=3600', 'X-Amz-Expires=1h')],
    ['another service', withQuery('%2Fs3%2F', '%2Fec2%2F')],
    ['a parameter that is there twice', withQuery(/$/, '&X-Amz-Expires=3600')],
    ...['Algorithm', 'Credential', 'Date', 'Expires', 'SignedHeaders', 'Signature'].map(
      (name): [string, SignedRequest] => [
        `X-Amz-${name} missing`,
        withQuery(new RegExp(`X-Amz-${name}=[^&]*`), ''),
      ],
    ),
    ['names in another case', withQuery('X-Amz-Expires', 'x-amz-expires')],
  ])('%s (query)', (_, request) => {
    expect(codeOf(() => verify(request))).toBe('AuthorizationQueryParametersError');
  });

  test('an access key that can not be one', () => {
    const fault = s3FaultOf(() =>
      verify(withAuthorization(`AWS4-HMAC-SHA256 Credential=a b/${scope},${parts}`)),
    );
    expect(fault?.code).toBe('InvalidAccessKeyId');
    expect(fault?.details.AWSAccessKeyId).toBe('a b');
  });

  test('two kinds of credentials, two headers, an unknown kind, version 2 in a header', () => {
    const both = { ...signed, query: presigned.query };
    const v2 = { ...signed, query: 'AWSAccessKeyId=a&Signature=b&Expires=1' };
    const twice = withHeader(signed, 'authorization', signed.rawHeaders.at(-1) ?? '');
    for (const request of [both, v2, twice, withAuthorization('Basic YTpi')])
      expect(codeOf(() => verify(request))).toBe('InvalidArgument');
    expect(codeOf(() => verify(withAuthorization('AWS a:b')))).toBe('InvalidRequest');
  });

  test('a session token', () => {
    expect(codeOf(() => verify(withHeader(signed, 'x-amz-security-token', 't')))).toBe('InvalidToken');
    expect(codeOf(() => verify(withQuery(/^/, 'X-Amz-Security-Token=t&')))).toBe('InvalidToken');
  });
});

describe('payloads', () => {
  const payload = (value: string) =>
    verify(
      signHeader({
        method: 'PUT',
        path: '/b/k',
        headers: [
          ['host', 'h'],
          ['x-amz-content-sha256', value],
        ],
      }),
    ).payload;

  test('each value has its kind', () => {
    expect(payload(EMPTY_SHA256)).toEqual({ kind: 'hashed', sha256: EMPTY_SHA256 });
    expect(payload('UNSIGNED-PAYLOAD')).toEqual({ kind: 'unsigned' });
    expect(payload('STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER')).toEqual({
      kind: 'chunked',
      signed: true,
      trailers: true,
    });
    expect(codeOf(() => payload('STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD'))).toBe('NotImplemented');
    for (const value of ['abc', EMPTY_SHA256.toUpperCase(), 'STREAMING-UNSIGNED-PAYLOAD'])
      expect(codeOf(() => payload(value))).toBe('InvalidArgument');
  });

  test('a signed request without x-amz-content-sha256 is told so', () => {
    const fault = s3FaultOf(() => verify(withoutHeader(signed, 'x-amz-content-sha256')));
    expect(fault?.message).toBe('Missing required header for this request: x-amz-content-sha256');
  });

  test('signed chunks need a signature in the header', () => {
    const value = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD';
    const rawHeaders = ['Host', 'h', 'x-amz-content-sha256', value];
    expect(codeOf(() => verify({ method: 'PUT', path: '/b/k', query: undefined, rawHeaders }))).toBe(
      'InvalidRequest',
    );
    const request = presign({
      method: 'PUT',
      path: '/b/k',
      headers: [['host', 'h']],
      parameters: [['X-Amz-Content-Sha256', value]],
    });
    expect(codeOf(() => verify(request))).toBe('InvalidRequest');
  });
});

describe('what is not signed', () => {
  test('[S7] a header that is added to a presigned PUT is refused by name', () => {
    for (const name of ['x-amz-copy-source', 'X-Amz-Acl', 'x-amz-meta-a']) {
      const fault = s3FaultOf(() => verify(withHeader(presigned, name, 'a')));
      expect(fault?.code).toBe('AccessDenied');
      expect(fault?.details.HeadersNotSigned).toBe(name.toLowerCase());
    }
    expect(verify(withHeader(presigned, 'Content-Type', 'text/plain')).kind).toBe('presigned');
  });

  test('host must be signed', () => {
    const request = presign({ method: 'GET', path: '/b/k', headers: [['range', 'bytes=0-1']] });
    const fault = s3FaultOf(() => verify(withHeader(request, 'Host', 'h')));
    expect(fault?.details.HeadersNotSigned).toBe('host');
  });

  test('[S8] another method and any parameter added are refused', () => {
    for (const request of [
      { ...presigned, method: 'DELETE' },
      { ...presigned, query: `${presigned.query}&acl` },
      { ...presigned, query: `tagging=&${presigned.query}` },
      { ...presigned, path: '/b/K' },
    ])
      expect(codeOf(() => verify(request))).toBe('SignatureDoesNotMatch');
  });

  test('[S10] a refused signature shows what was signed here, and no secret', () => {
    const fault = s3FaultOf(() => verify({ ...signed, rawHeaders: signed.rawHeaders.with(1, '127.0.0.1') }));
    expect(fault?.code).toBe('SignatureDoesNotMatch');
    expect(Object.keys(fault?.details ?? {})).toEqual([
      'AWSAccessKeyId',
      'StringToSign',
      'SignatureProvided',
      'StringToSignBytes',
      'CanonicalRequest',
    ]);
    expect(fault?.details.CanonicalRequest).toContain('host:127.0.0.1\n');
    expect(fault?.details.StringToSignBytes).toMatch(/^41 57 53 34 /);
    expect(JSON.stringify(fault?.details)).not.toContain(SECRET);
  });
});

describe('headers that presigners move into the query', () => {
  const hoisted = (parameters: [string, string][], extra: [string, string][] = []) => {
    const request = presign({ method: 'PUT', path: '/b/k', headers: [['host', 'h'], ...extra], parameters });
    const credentials = verify(request);
    return credentials.kind === 'presigned' ? credentials.hoisted : [];
  };

  test('count as headers, unless that header is there', () => {
    expect(
      hoisted([
        ['x-amz-meta-a', 'é'],
        ['X-Amz-Acl', 'private'],
        ['x-amz-checksum-mode', 'ENABLED'],
      ]),
    ).toEqual([
      ['X-Amz-Acl'.toLowerCase(), 'private'],
      ['x-amz-checksum-mode', 'ENABLED'],
      ['x-amz-meta-a', 'Ã©'],
    ]);
    expect(hoisted([['x-amz-acl', 'a']], [['x-amz-acl', 'b']])).toEqual([]);
  });

  test('[S12] the checksum of nothing that the JS SDK signs into its URLs is not one of them', () => {
    expect(
      hoisted([
        ['x-amz-checksum-crc32', 'AAAAAA=='],
        ['x-amz-sdk-checksum-algorithm', 'CRC32'],
        ['x-id', 'PutObject'],
      ]),
    ).toEqual([['x-amz-sdk-checksum-algorithm', 'CRC32']]);
  });

  test('a line break can not be smuggled into a header', () => {
    expect(codeOf(() => hoisted([['x-amz-meta-a', 'a\r\nSet-Cookie: b']]))).toBe('InvalidArgument');
  });
});
