import { describe, expect, test } from 'vitest';
import { hashing } from '../../../test/hashing.ts';
import { codeOf, s3FaultOf } from '../../../test/s3-faults.ts';
import {
  DATE,
  type Draft,
  EMPTY_SHA256,
  KEY,
  presign,
  SECRET,
  type SignedRequest,
  sha256,
  signHeader,
  signingKey,
  TIME,
} from '../../../test/s3-signer.ts';
import { encodeHex } from '../encodings.ts';
import { canonicalRequest, deriveSigningKey } from './canonical.ts';
import { readCredentials } from './credentials.ts';
import { readRequestHead } from './head.ts';
import { createSigningKeys } from './signing-keys.ts';
import { verifyCredentials } from './verify.ts';

const HOST = 'examplebucket.s3.amazonaws.com';
const MINUTE = 60_000;

function verify(request: SignedRequest, now = TIME) {
  const credentials = readCredentials(request, { allowsV2: true });
  if (credentials.kind === 'anonymous') throw new Error('anonymous');
  return { credentials, signing: verifyCredentials(hashing, credentials, SECRET, { now }) };
}

function sent(
  method: string,
  target: string,
  headers: Record<string, string>,
  signature: string,
): SignedRequest {
  const [path = '', query] = target.split('?');
  const names = Object.keys(headers).sort().join(';');
  const authorization = `AWS4-HMAC-SHA256 Credential=${KEY}/20130524/us-east-1/s3/aws4_request, SignedHeaders=${names}, Signature=${signature}`;
  return {
    method,
    path,
    query,
    rawHeaders: [...Object.entries(headers).flat(), 'authorization', authorization],
  };
}

const plain = (payload = EMPTY_SHA256) => ({
  host: HOST,
  'x-amz-content-sha256': payload,
  'x-amz-date': DATE,
});

describe("Amazon's own examples verify", () => {
  test.each<[string, SignedRequest]>([
    [
      'a range',
      sent(
        'GET',
        '/test.txt',
        { ...plain(), range: 'bytes=0-9' },
        'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
      ),
    ],
    ...['/test$file.text', '/test%24file.text'].map((path): [string, SignedRequest] => [
      `[S2] ${path}`,
      sent(
        'PUT',
        path,
        {
          ...plain(sha256('Welcome to Amazon S3.')),
          date: 'Fri, 24 May 2013 00:00:00 GMT',
          'x-amz-storage-class': 'REDUCED_REDUNDANCY',
        },
        '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
      ),
    ]),
    [
      '[S4] a sub-resource',
      sent('GET', '/?lifecycle', plain(), 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'),
    ],
    [
      '[S4] a sub-resource with an empty value',
      sent(
        'GET',
        '/?lifecycle=',
        plain(),
        'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
      ),
    ],
    [
      'parameters',
      sent(
        'GET',
        '/?prefix=J&max-keys=2',
        plain(),
        '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
      ),
    ],
    [
      '[S1] [S5] a path with // and /./, a value with runs of spaces',
      sent(
        'PUT',
        '/examplebucket/a%20b%2Bc//./x',
        {
          host: '127.0.0.1:9000',
          'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
          'x-amz-date': DATE,
          'x-amz-meta-a': '  two   spaces ',
        },
        '47fb9f12cc519cd4e699ec1c317adfdc927378dc491f6d53bf11029fd0a55004',
      ),
    ],
    [
      'a presigned URL',
      {
        method: 'GET',
        path: '/test.txt',
        query: `X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${KEY}%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=${DATE}&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404`,
        rawHeaders: ['Host', HOST],
      },
    ],
  ])('%s', (_, request) => {
    expect(verify(request).signing?.accessKey).toBe(KEY);
    expect(s3FaultOf(() => verify({ ...request, method: 'DELETE' }))?.code).toBe('SignatureDoesNotMatch');
  });

  test('the canonical request, to the byte', () => {
    const head = readRequestHead({
      method: 'PUT',
      path: '/examplebucket/a%20b%2Bc//./x',
      query: undefined,
      rawHeaders: [
        'Host',
        '127.0.0.1:9000',
        'X-Amz-Meta-A',
        '  two   spaces ',
        'x-amz-date',
        DATE,
        'x-amz-content-sha256',
        'UNSIGNED-PAYLOAD',
      ],
    });
    const canonical = canonicalRequest(head, {
      signedHeaders: 'host;x-amz-content-sha256;x-amz-date;x-amz-meta-a',
      payloadHash: 'UNSIGNED-PAYLOAD',
    });
    expect(sha256(canonical)).toBe('57a9661a7654cacb19d9ff522642154cc7cb672fd31b7a95a951e567875877ae');
  });

  test('the signing key, also when it is kept', () => {
    const expected = 'dbb893acc010964918f1fd433add87c70e8b0db6be30c1fbeafefa5ec6ba8378';
    const keep = createSigningKeys(hashing, 2);
    expect(encodeHex(deriveSigningKey(hashing, Buffer.from(SECRET), '20130524', 'us-east-1'))).toBe(expected);
    for (let round = 0; round < 2; round++)
      for (const region of ['us-east-1', 'z0', 'US'])
        expect(encodeHex(keep(SECRET, '20130524', region))).toBe(signingKey(region).toString('hex'));
    expect(encodeHex(keep(SECRET, '20130524', 'us-east-1'))).toBe(expected);
    expect(encodeHex(keep(`${SECRET}x`, '20130524', 'us-east-1'))).not.toBe(expected);
  });

  test('requests whose chunks are signed give what the chunks need', () => {
    const request = sent(
      'PUT',
      '/examplebucket/chunkObject.txt',
      {
        host: 's3.amazonaws.com',
        'content-encoding': 'aws-chunked',
        'content-length': '66824',
        'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
        'x-amz-date': DATE,
        'x-amz-decoded-content-length': '66560',
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      },
      '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9',
    );
    const { credentials, signing } = verify(request);
    expect(credentials.payload).toEqual({ kind: 'chunked', signed: true, trailers: false });
    expect(signing).toMatchObject({
      date: DATE,
      scope: '20130524/us-east-1/s3/aws4_request',
      seed: '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9',
    });
  });

  test('an unsigned chunked body with trailers', () => {
    const request = sent(
      'PUT',
      '/examplebucket/hello.txt',
      {
        'content-encoding': 'aws-chunked',
        host: '127.0.0.1:9000',
        'x-amz-date': DATE,
        'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
        'x-amz-trailer': 'x-amz-checksum-crc32',
        'x-amz-decoded-content-length': '16',
        'x-amz-sdk-checksum-algorithm': 'CRC32',
      },
      '732a98353e01ea112269c14dd8a325a01f3b825877e5df9eb75cc9e2bf7e41bf',
    );
    expect(verify(request).credentials.payload).toEqual({ kind: 'chunked', signed: false, trailers: true });
  });
});

const draft = (more: Partial<Draft> = {}): Draft => ({
  method: 'GET',
  path: '/b/k',
  headers: [
    ['Host', '127.0.0.1:9000'],
    ['x-amz-content-sha256', EMPTY_SHA256],
  ],
  ...more,
});

describe('requests as clients write them', () => {
  test.each(['&', '$', '(', '!', "'", '~', ',', ';', '=', '@', ':'])(
    '[S2] %s bare in a path verifies like the escape',
    (character) => {
      const request = signHeader(draft({ path: `/b/a${character}c` }));
      for (const path of [`/b/a${character}c`, `/b/a%${character.charCodeAt(0).toString(16)}c`])
        expect(verify({ ...request, path }).signing).toBeDefined();
    },
  );

  test('[S1] dots, double slashes and slashes at the end are signed as they are', () => {
    for (const path of ['/b/a//b', '/b/./a', '/b/../a', '/b//', '/b/a/']) {
      const request = signHeader(draft({ path }));
      expect(verify(request).signing).toBeDefined();
      expect(codeOf(() => verify({ ...request, path: '/b/a' }))).toBe('SignatureDoesNotMatch');
    }
  });

  test('[S3] a bare slash in a query verifies, and a plus is a space; in a path it is a plus', () => {
    const listed = signHeader(draft({ path: '/b', parameters: [['prefix', 'a/b c']] }));
    for (const query of ['prefix=a/b+c', 'prefix=a%2Fb%20c', 'prefix=a%2fb c'])
      expect(verify({ ...listed, query }).signing).toBeDefined();
    const put = signHeader(draft({ path: '/b/a+b' }));
    expect(verify({ ...put, path: '/b/a+b' }).signing).toBeDefined();
    expect(codeOf(() => verify({ ...put, path: '/b/a%20b' }))).toBe('SignatureDoesNotMatch');
  });

  test('[S4] ?uploads, ?uploads= and ?x-id=…&uploads= verify', () => {
    const request = signHeader(draft({ parameters: [['uploads', '']] }));
    for (const query of ['uploads', 'uploads=', '&uploads&'])
      expect(verify({ ...request, query }).signing).toBeDefined();
    const named = signHeader(
      draft({
        parameters: [
          ['x-id', 'X'],
          ['uploads', ''],
        ],
      }),
    );
    expect(verify({ ...named, query: 'x-id=X&uploads' }).signing).toBeDefined();
  });

  test('[S5] two headers of one name verify in their order only', () => {
    const twice = (a: string, b: string) =>
      [...draft().headers, ['x-amz-meta-a', a], ['x-amz-meta-a', b]] as [string, string][];
    const request = signHeader(draft({ headers: twice('1', ' 2\t 3 ') }));
    expect(verify(request).signing).toBeDefined();
    const swapped = request.rawHeaders.map((text) =>
      text === '1' ? '2 3' : text === ' 2\t 3 ' ? '1' : text,
    );
    expect(codeOf(() => verify({ ...request, rawHeaders: swapped }))).toBe('SignatureDoesNotMatch');
  });

  test('[S6] any region is accepted, also none; another service is not', () => {
    for (const region of ['us-east-1', 'z0', 'US', '', 'auto'])
      expect(verify(signHeader(draft({ region }))).signing).toBeDefined();
    expect(codeOf(() => verify(signHeader(draft({ service: 'ec2' }))))).toBe('AuthorizationHeaderMalformed');
  });

  test('an access key may contain slashes, and the parts come in any order, with spaces or none', () => {
    const request = signHeader(draft({ accessKey: 'a/b' }));
    expect(verify(request).signing?.accessKey).toBe('a/b');
    const at = request.rawHeaders.indexOf('Authorization') + 1;
    const [one, two, three] = (request.rawHeaders[at] ?? '').slice('AWS4-HMAC-SHA256 '.length).split(',');
    const rawHeaders = request.rawHeaders.with(at, `AWS4-HMAC-SHA256   ${three}  ,${one},   ${two}`);
    expect(verify({ ...request, rawHeaders }).signing).toBeDefined();
  });

  test.each(['GMT', '-0000'])('the time may come as Date, in %s', (zone) => {
    const request = signHeader(draft());
    const at = request.rawHeaders.indexOf('x-amz-date');
    const unsigned = request.rawHeaders.toSpliced(at, 2, 'Date', `Fri, 24 May 2013 00:00:00 ${zone}`);
    // x-amz-date is signed as empty now, so the signature differs; but the time was understood.
    expect(codeOf(() => verify({ ...request, rawHeaders: unsigned }))).toBe('SignatureDoesNotMatch');
    expect(codeOf(() => verify({ ...request, rawHeaders: request.rawHeaders.toSpliced(at, 2) }))).toBe(
      'AccessDenied',
    );
  });

  test('non-ASCII bytes of a header are signed as they came', () => {
    const value = Buffer.from('é', 'utf8').toString('latin1');
    const request = signHeader(draft());
    const credentials = readCredentials(
      { ...request, rawHeaders: [...request.rawHeaders, 'x-amz-meta-a', value] },
      { allowsV2: false },
    );
    expect(canonicalRequest(credentials.head, { signedHeaders: 'x-amz-meta-a', payloadHash: '' })).toContain(
      `x-amz-meta-a:${value}\n`,
    );
  });
});

describe('time', () => {
  test('[S9] 14 minutes off is accepted, 16 minutes are refused with the time of the server', () => {
    const request = signHeader(draft());
    for (const minutes of [-14, 14]) expect(verify(request, TIME + minutes * MINUTE).signing).toBeDefined();
    for (const minutes of [-16, 16]) {
      const fault = s3FaultOf(() => verify(request, TIME + minutes * MINUTE));
      expect(fault?.code).toBe('RequestTimeTooSkewed');
      expect(fault?.details).toMatchObject({ RequestTime: DATE, MaxAllowedSkewMilliseconds: '900000' });
      expect(fault?.details.ServerTime).toBe(minutes < 0 ? '2013-05-23T23:44:00Z' : '2013-05-24T00:16:00Z');
    }
  });

  test('a presigned URL is valid from 15 minutes before its date until it expires', () => {
    const request = presign(draft({ headers: [['host', 'h']] }), 60);
    for (const now of [TIME - 15 * MINUTE, TIME, TIME + MINUTE])
      expect(verify(request, now).signing).toBeDefined();
    const expired = s3FaultOf(() => verify(request, TIME + MINUTE + 1));
    expect(expired?.message).toBe('Request has expired');
    expect(expired?.details).toEqual({
      'X-Amz-Expires': '60',
      Expires: '2013-05-24T00:01:00Z',
      ServerTime: '2013-05-24T00:01:00Z',
    });
    expect(s3FaultOf(() => verify(request, TIME - 16 * MINUTE))?.message).toBe('Request is not valid yet');
  });

  test('a week at most; zero and negative numbers have expired', () => {
    const expiring = (seconds: number) => presign(draft({ headers: [['host', 'h']] }), seconds);
    expect(verify(expiring(604_800)).signing).toBeDefined();
    expect(codeOf(() => verify(expiring(604_801)))).toBe('AuthorizationQueryParametersError');
    for (const seconds of [0, -1])
      expect(s3FaultOf(() => verify(expiring(seconds)))?.message).toBe('Request has expired');
  });
});
