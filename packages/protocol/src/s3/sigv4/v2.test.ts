import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashing } from '../../../test/hashing.ts';
import { codeOf, s3FaultOf } from '../../../test/s3-faults.ts';
import { KEY, SECRET } from '../../../test/s3-signer.ts';
import { readCredentials } from './credentials.ts';
import { readRequestHead, type S3Request } from './head.ts';
import { stringToSignV2 } from './v2.ts';
import { verifyCredentials } from './verify.ts';

const sign = (text: string) => createHmac('sha1', SECRET).update(text).digest('base64');
const EXPIRES = '1175139620';
const NOW = Number(EXPIRES) * 1000 - 1000;

function presignV2(request: S3Request, more: readonly string[] = []): S3Request {
  const unsigned = readRequestHead({ ...request, query: [request.query, ...more].filter(Boolean).join('&') });
  const signature = encodeURIComponent(sign(stringToSignV2(unsigned, EXPIRES)));
  const query = `${unsigned.query}&AWSAccessKeyId=${KEY}&Expires=${EXPIRES}&Signature=${signature}`;
  return { ...request, query };
}

function verify(request: S3Request, now = NOW) {
  const credentials = readCredentials(request, { allowsV2: true });
  if (credentials.kind !== 'presignedV2') throw new Error(credentials.kind);
  verifyCredentials(hashing, credentials, SECRET, { now });
  return credentials;
}

/** White space around a header's value is no part of it, and an empty type is none. */
function meaningOf([name, value]: readonly [string, string]): [string, string] {
  return [name, name.startsWith('x-amz-') ? value.trim() : value];
}

const get: S3Request = {
  method: 'GET',
  path: '/johnsmith/photos/puppy.jpg',
  query: undefined,
  rawHeaders: [],
};

describe('[S11] URLs of version 2', () => {
  test("Amazon's example", () => {
    const text = stringToSignV2(readRequestHead(get), EXPIRES);
    expect(text).toBe(`GET\n\n\n${EXPIRES}\n/johnsmith/photos/puppy.jpg`);
    expect(sign(text)).toBe('NpgCjnDzrM+WFzoENXmpNDUsSn8=');
    const query = `AWSAccessKeyId=${KEY}&Signature=NpgCjnDzrM%2BWFzoENXmpNDUsSn8%3D&Expires=${EXPIRES}`;
    expect(verify({ ...get, query }).accessKey).toBe(KEY);
  });

  test('headers, whether they are sent or in the query, and the path as it came', () => {
    const put = { method: 'PUT', path: '/examplebucket/a%20b.txt', query: undefined };
    const expected = 'PUT\n\ntext/plain\n1369440000\nx-amz-meta-a:b\n/examplebucket/a%20b.txt';
    const rawHeaders = ['Content-Type', 'text/plain', 'X-Amz-Meta-A', 'b'];
    expect(stringToSignV2(readRequestHead({ ...put, rawHeaders }), '1369440000')).toBe(expected);
    const query = 'content-type=text%2Fplain&x-amz-meta-a=b';
    expect(stringToSignV2(readRequestHead({ ...put, query, rawHeaders: [] }), '1369440000')).toBe(expected);
    expect(sign(expected)).toBe('q4D2HGMxYD2fC8k9h3gNsqGJzCk=');
    expect(verify(presignV2({ ...put, query, rawHeaders: [] })).hoisted).toEqual([
      ['content-type', 'text/plain'],
      ['x-amz-meta-a', 'b'],
    ]);
  });

  test('sub-resources are sorted and decoded, and a virtual host is part of the path', () => {
    const query = 'uploadId=a%2Fb&partNumber=2&prefix=x&acl&response-content-type=text%2Fplain';
    const head = readRequestHead({ ...get, path: '/k', query, bucketOfHost: 'b' });
    expect(stringToSignV2(head, '1')).toBe(
      'GET\n\n\n1\n/b/k?acl&partNumber=2&response-content-type=text/plain&uploadId=a/b',
    );
  });

  test('are refused after their time, with a changed signature, method, header or sub-resource', () => {
    const request = presignV2(get);
    expect(s3FaultOf(() => verify(request, NOW + 2000))?.message).toBe('Request has expired');
    for (const changed of [
      { ...request, method: 'DELETE' },
      { ...request, path: '/johnsmith/photos/kitten.jpg' },
      { ...request, query: `${request.query}&acl` },
      { ...request, query: `${request.query}&x-amz-acl=private` },
      { ...request, rawHeaders: ['x-amz-copy-source', '/b/k'] },
      { ...request, query: request.query?.replace(/Signature=./, 'Signature=A') },
    ])
      expect(codeOf(() => verify(changed))).toBe('SignatureDoesNotMatch');
    const later = { ...request, query: request.query?.replace(EXPIRES, '9175139620') };
    expect(codeOf(() => verify(later))).toBe('SignatureDoesNotMatch');
  });

  test('never do more than they say: a sub-resource that version 2 does not sign is refused', () => {
    const request = presignV2(get);
    for (const name of ['publicAccessBlock', 'ownershipControls', 'attributes', 'retention', 'anything'])
      expect(codeOf(() => verify({ ...request, query: `${request.query}&${name}` }))).toBe('AccessDenied');
    expect(verify({ ...request, query: `${request.query}&x-id=GetObject&prefix=a` }).kind).toBe(
      'presignedV2',
    );
  });

  test('a number that is none, a parameter twice, a line break', () => {
    const request = presignV2(get);
    expect(codeOf(() => verify({ ...request, query: request.query?.replace(EXPIRES, 'soon') }))).toBe(
      'AccessDenied',
    );
    expect(codeOf(() => verify({ ...request, query: `${request.query}&Expires=1` }))).toBe('AccessDenied');
    expect(codeOf(() => verify({ ...request, query: `${request.query}&x-amz-meta-a=a%0Ab` }))).toBe(
      'InvalidArgument',
    );
  });

  test('a parameter whose name spells several headers, or whose value spells several parameters', () => {
    const copy = presignV2({
      method: 'PUT',
      path: '/b/k',
      rawHeaders: [],
      query: 'x-amz-acl=private&x-amz-copy-source=%2Fb%2Fsource',
    });
    expect(verify(copy).hoisted).toHaveLength(2);
    for (const name of ['x-amz-acl:private\nx-amz-copy-source', 'x-amz-acl:private\r\nx-amz-copy-source']) {
      const forged = `${encodeURIComponent(name)}=%2Fb%2Fsource`;
      const query = copy.query?.replace('x-amz-acl=private&x-amz-copy-source=%2Fb%2Fsource', forged);
      expect(codeOf(() => verify({ ...copy, query }))).toBe('InvalidArgument');
    }
    const meta = presignV2({ ...copy, query: 'x-amz-meta-a=b%3Ac' });
    expect(verify(meta).hoisted).toEqual([['x-amz-meta-a', 'b:c']]);
    const query = meta.query?.replace('x-amz-meta-a=b%3Ac', 'x-amz-meta-a%3Ab=c');
    expect(codeOf(() => verify({ ...meta, query }))).toBe('InvalidArgument');

    const part = presignV2({ ...copy, query: 'partNumber=1&uploadId=u' });
    expect(verify(part).kind).toBe('presignedV2');
    const merged = part.query?.replace('partNumber=1&uploadId=u', 'partNumber=1%26uploadId%3Du');
    expect(codeOf(() => verify({ ...part, query: merged }))).toBe('InvalidArgument');
    const named = presignV2({
      ...get,
      query: 'response-content-disposition=attachment%3B%20filename%3D%22R%26D%22',
    });
    expect(verify(named).kind).toBe('presignedV2');
  });

  test('of two requests that mean different things, no two are signed alike', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ':', '=', '&', '\n', '\r', ' ', '/', 'x-amz-b', 'acl'),
      maxLength: 4,
    });
    const name = fc.oneof(
      fc.constantFrom('acl', 'partNumber', 'uploadId', 'response-content-type', 'content-type'),
      text.map((end) => `x-amz-${end}`),
    );
    const parameters = fc.uniqueArray(fc.tuple(name, text), {
      maxLength: 3,
      selector: ([of]) => of.toLowerCase(),
    });
    const means = new Map<string, string>();
    fc.assert(
      fc.property(parameters, (chosen) => {
        const query = chosen.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
        const request = presignV2({ method: 'PUT', path: '/b/k', query, rawHeaders: [] });
        if (codeOf(() => verify(request)) !== undefined) return;
        const signed = stringToSignV2(readRequestHead(request), EXPIRES);
        const meaning = JSON.stringify(
          chosen
            .map(meaningOf)
            .filter(([of, value]) => of !== 'content-type' || value !== '')
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        );
        expect(means.get(signed) ?? meaning).toBe(meaning);
        means.set(signed, meaning);
      }),
      { numRuns: 3000 },
    );
  });

  test('can be turned off', () => {
    const fault = s3FaultOf(() => readCredentials(presignV2(get), { allowsV2: false }));
    expect(fault?.code).toBe('InvalidRequest');
    expect(fault?.message).toContain('Please use AWS4-HMAC-SHA256.');
  });
});
