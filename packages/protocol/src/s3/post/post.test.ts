import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashing } from '../../../test/hashing.ts';
import { codeOf, s3FaultOf } from '../../../test/s3-faults.ts';
import { KEY, SECRET, signingKey } from '../../../test/s3-signer.ts';
import { S3Fault } from '../fault.ts';
import { readPostCredentials, verifyPostCredentials } from './credentials.ts';
import { checkPostPolicy, checkPostSize, parsePostPolicy } from './policy.ts';
import { postKey, postLocation, postResponse } from './response.ts';

const NOW = Date.UTC(2013, 4, 24, 12);
const SCOPE = `${KEY}/20130524/us-east-1/s3/aws4_request`;
const DOCUMENT = `{"expiration":"2013-05-25T00:00:00.000Z","conditions":[{"bucket":"examplebucket"},["starts-with","$key","user/"],{"x-amz-algorithm":"AWS4-HMAC-SHA256"},{"x-amz-credential":"${SCOPE}"},{"x-amz-date":"20130524T000000Z"},["content-length-range",1,1048576]]}`;
const encode = (document: unknown) =>
  Buffer.from(typeof document === 'string' ? document : JSON.stringify(document)).toString('base64');
const fieldsOf = (pairs: Record<string, string>) => new Map(Object.entries(pairs));

const v4Fields = {
  bucket: 'examplebucket',
  key: 'user/a.txt',
  policy: encode(DOCUMENT),
  'x-amz-algorithm': 'AWS4-HMAC-SHA256',
  'x-amz-credential': SCOPE,
  'x-amz-date': '20130524T000000Z',
  'x-amz-signature': 'f69483ec35c0955498ab6c6ba966c2028e3ab6cd666f371ed46c203bc5421745',
};
const v2Fields = {
  bucket: 'examplebucket',
  key: 'user/a.txt',
  policy: encode(DOCUMENT),
  awsaccesskeyid: KEY,
  signature: 'udMAoOy4VznqcdcvsJLmaZjArdk=',
};

function verify(fields: Record<string, string>, allowsV2 = true) {
  const credentials = readPostCredentials(fieldsOf(fields), { allowsV2 });
  if (credentials !== undefined) verifyPostCredentials(hashing, credentials, SECRET);
  return credentials;
}

describe('signatures of forms', () => {
  test('[S11] both versions sign the text of the policy', () => {
    expect(verify(v4Fields)?.accessKey).toBe(KEY);
    expect(verify(v2Fields)?.accessKey).toBe(KEY);
    const kept = { signingKeyOf: () => signingKey() };
    const credentials = readPostCredentials(fieldsOf(v4Fields), { allowsV2: false });
    if (credentials !== undefined) verifyPostCredentials(hashing, credentials, SECRET, kept);
    expect(verify({ bucket: 'b', key: 'k' })).toBeUndefined();
  });

  test('a changed policy or signature is refused, and version 2 where it is turned off', () => {
    for (const fields of [v4Fields, v2Fields]) {
      const policy = encode(DOCUMENT.replace('user/', ''));
      expect(codeOf(() => verify({ ...fields, policy }))).toBe('SignatureDoesNotMatch');
    }
    expect(codeOf(() => verify({ ...v4Fields, 'x-amz-signature': '0' }))).toBe('SignatureDoesNotMatch');
    expect(codeOf(() => verify({ ...v2Fields, signature: 'AAAA' }))).toBe('SignatureDoesNotMatch');
    expect(codeOf(() => verify(v2Fields, false))).toBe('InvalidRequest');
  });

  test.each(['policy', 'x-amz-signature', 'x-amz-credential', 'x-amz-algorithm', 'x-amz-date'])(
    'a form without %s',
    (name) => {
      const { [name]: _, ...fields } = v4Fields as Record<string, string>;
      expect(['InvalidArgument', 'InvalidRequest']).toContain(codeOf(() => verify(fields)));
    },
  );

  test('a form without signature or access key of version 2, of another day, with a token', () => {
    const { signature: _, ...unsigned } = v2Fields;
    const { awsaccesskeyid: __, ...nobody } = v2Fields;
    for (const fields of [unsigned, nobody, { ...v4Fields, 'x-amz-date': '20130525T000000Z' }])
      expect(codeOf(() => verify(fields))).toBe('InvalidArgument');
    expect(codeOf(() => verify({ ...v4Fields, 'x-amz-security-token': 't' }))).toBe('InvalidToken');
    expect(codeOf(() => verify({ ...v4Fields, policy: '\u0141' }))).toBe('InvalidPolicyDocument');
  });

  test('line breaks in a policy are signed and ignored', () => {
    const policy = `${v4Fields.policy.slice(0, 76)}\r\n${v4Fields.policy.slice(76)}`;
    const signature = createHmac('sha256', signingKey()).update(policy).digest('hex');
    expect(verify({ ...v4Fields, policy, 'x-amz-signature': signature })).toBeDefined();
    expect(parsePostPolicy(policy).maxSize).toBe(1_048_576);
  });
});

const expiration = '2013-05-25T00:00:00Z';

describe('policies that are none', () => {
  test.each<[string, unknown]>([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no expiration', { conditions: [] }],
    ['no conditions', { expiration }],
    ['names in capitals', { EXPIRATION: expiration, conditions: [] }],
    ['conditions in capitals', { expiration, CONDITIONS: [] }],
    ['another date', { expiration: '2013-05-25 00:00:00', conditions: [] }],
    ['no date', { expiration: '2013-13-45T00:00:00Z', conditions: [] }],
    ['an empty condition', { expiration, conditions: [{}] }],
    ['two fields in one', { expiration, conditions: [{ a: 'b', c: 'd' }] }],
    ['a number for a text', { expiration, conditions: [{ a: 1 }] }],
    ['an unknown operator', { expiration, conditions: [['ends-with', '$key', 'a']] }],
    ['too few arguments', { expiration, conditions: [['content-length-range', 0]] }],
    ['too many arguments', { expiration, conditions: [['eq', '$key', 'a', 'b']] }],
    ['a negative size', { expiration, conditions: [['content-length-range', -1, 0]] }],
    ['sizes the wrong way round', { expiration, conditions: [['content-length-range', 2, 1]] }],
    ['a field without $', { expiration, conditions: [['eq', 'key', 'a']] }],
    ['a text for a condition', { expiration, conditions: ['eq'] }],
  ])('%s', (_, document) => {
    expect(codeOf(() => parsePostPolicy(encode(document)))).toBe('InvalidPolicyDocument');
  });

  test('whatever a policy is, it is read or refused', () => {
    fc.assert(
      fc.property(fc.anything(), (conditions) => {
        try {
          parsePostPolicy(encode(JSON.stringify({ expiration, conditions }) ?? ''));
        } catch (error) {
          expect(error).toBeInstanceOf(S3Fault);
        }
      }),
    );
    expect(codeOf(() => parsePostPolicy('not base64'))).toBe('InvalidPolicyDocument');
  });
});

describe('conditions', () => {
  const judge = (conditions: unknown[], fields: Record<string, string>, now = NOW) =>
    s3FaultOf(() =>
      checkPostPolicy(parsePostPolicy(encode({ expiration, conditions })), fieldsOf(fields), now),
    );

  test("the example's form satisfies its policy, until it expires", () => {
    const policy = parsePostPolicy(v4Fields.policy);
    checkPostPolicy(policy, fieldsOf(v4Fields), NOW);
    expect(
      s3FaultOf(() => checkPostPolicy(policy, fieldsOf(v4Fields), Date.UTC(2013, 4, 25, 0, 0, 1)))?.message,
    ).toBe('Invalid according to Policy: Policy expired.');
    for (const changed of [{ bucket: 'other' }, { key: 'a.txt' }, { 'x-amz-date': '20130524T000001Z' }])
      expect(codeOf(() => checkPostPolicy(policy, fieldsOf({ ...v4Fields, ...changed }), NOW))).toBe(
        'AccessDenied',
      );
  });

  test('operators and names are of any case, values are exact', () => {
    const conditions = [{ bUcKeT: 'b' }, ['StArTs-WiTh', '$KeY', 'Foo'], ['EQ', '$aCl', 'private']];
    expect(judge(conditions, { bucket: 'b', key: 'Foo1', acl: 'private' })).toBeUndefined();
    expect(judge(conditions, { bucket: 'b', key: 'foo1', acl: 'private' })?.code).toBe('AccessDenied');
    expect(judge(conditions, { bucket: 'b', key: 'Foo1', acl: 'Private' })?.code).toBe('AccessDenied');
  });

  test('[S78] a field that no condition covers is refused by name, checksums and x-ignore- are not', () => {
    const conditions = [{ bucket: 'b' }, ['starts-with', '$key', '']];
    const free = {
      'x-ignore-a': '1',
      'x-amz-checksum-crc32': 'AAAAAA==',
      policy: 'p',
      signature: 's',
      awsaccesskeyid: 'k',
    };
    expect(judge(conditions, { bucket: 'b', key: 'k', ...free })).toBeUndefined();
    for (const extra of [
      'acl',
      'x-amz-meta-a',
      'content-type',
      'success_action_redirect',
      'tagging',
      'x-amz-storage-class',
    ])
      expect(judge(conditions, { bucket: 'b', key: 'k', [extra]: 'a' })?.message).toContain(extra);
    expect(judge([['starts-with', '$key', '']], { bucket: 'b', key: 'k' })?.message).toContain('bucket');
  });

  test('a field that is missing satisfies only what anything satisfies', () => {
    expect(judge([{ bucket: 'b' }, ['starts-with', '$x-amz-meta-a', 'bar']], { bucket: 'b' })?.code).toBe(
      'AccessDenied',
    );
    expect(judge([{ bucket: 'b' }, ['starts-with', '$x-amz-meta-a', '']], { bucket: 'b' })).toBeUndefined();
  });

  test('each type of a list must begin as the condition says', () => {
    const conditions = [{ bucket: 'b' }, ['starts-with', '$Content-Type', 'image/']];
    const type = (value: string) => judge(conditions, { bucket: 'b', 'content-type': value });
    expect(type('image/png, image/jpeg')).toBeUndefined();
    expect(type('image/png,text/html')?.code).toBe('AccessDenied');
  });

  test('sizes', () => {
    const policy = parsePostPolicy(
      encode({
        expiration,
        conditions: [
          ['content-length-range', 2, '10'],
          ['Content-Length-Range', 0, 5],
        ],
      }),
    );
    checkPostSize(policy, 0, false);
    checkPostSize(policy, 2, true);
    checkPostSize(policy, 5, true);
    expect(codeOf(() => checkPostSize(policy, 1, true))).toBe('EntityTooSmall');
    expect(codeOf(() => checkPostSize(policy, 6, false))).toBe('EntityTooLarge');
    checkPostSize(parsePostPolicy(encode({ expiration, conditions: [] })), 2 ** 40, true);
  });
});

describe('answers', () => {
  const object = { bucket: 'b', key: 'a b&"é', etag: 'e', location: 'http://h/b/k' };
  const answer = (fields: Record<string, string>) => postResponse(fieldsOf(fields), object);

  test('are 204, or what the form asks for, with ETag and Location', () => {
    for (const fields of [{}, { success_action_status: '404' }, { success_action_status: '' }])
      expect(answer(fields)).toEqual({
        status: 204,
        headers: { etag: '"e"', location: 'http://h/b/k' },
        body: undefined,
      });
    expect(answer({ success_action_status: '200' }).status).toBe(200);
    const created = answer({ success_action_status: '201' });
    expect(created.status).toBe(201);
    expect(created.body).toContain(
      '<PostResponse><Location>http://h/b/k</Location><Bucket>b</Bucket><Key>a b&amp;&quot;é</Key><ETag>&quot;e&quot;</ETag></PostResponse>',
    );
  });

  test('redirect to web addresses only, and say what was stored', () => {
    const redirected = answer({ success_action_redirect: 'http://example.org/done?x=1' });
    expect(redirected.status).toBe(303);
    expect(redirected.headers.location).toBe(
      'http://example.org/done?x=1&bucket=b&key=a%20b%26%22%C3%A9&etag=%22e%22',
    );
    for (const url of ['javascript:alert(1)', '/relative', 'http://'])
      expect(answer({ redirect: url, success_action_status: '200' }).status).toBe(200);
  });

  test('keys contain the name of the file, without folders and without surprises', () => {
    expect(postKey(`user/\${filename}`, 'C:\\a\\b.txt')).toBe('user/b.txt');
    expect(postKey(`\${filename}-\${filename}`, '$&')).toBe('$&-$&');
    expect(postKey('k', 'a')).toBe('k');
    expect(postLocation('http://h', 'b', 'a b/é')).toBe('http://h/b/a%20b/%C3%A9');
  });
});
