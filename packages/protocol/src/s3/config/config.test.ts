import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeUtf8 } from '../../utf8.ts';
import { S3Fault } from '../fault.ts';
import { storageClassName, storageClassOf } from '../storage-class.ts';
import { checkAcl, checkCannedAcl, writeAcl } from './acl.ts';
import { type NamedCorsRule, readCors, writeCors } from './cors.ts';
import { readCreateBucket } from './create-bucket.ts';
import { publicReadPolicy, readPublicPolicy } from './policy.ts';
import { readPublicAccessBlock, writePublicAccessBlock } from './public-access.ts';
import {
  checkOwnershipControls,
  checkRequestPayment,
  checkVersioning,
  writeOwnershipControls,
  writeRequestPayment,
} from './unsupported.ts';

function outcome(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    if (error instanceof S3Fault) return `${error.status} ${error.code}`;
    throw error;
  }
}

describe('CORS configurations', () => {
  const token = fc.string({
    unit: fc.constantFrom(...Array.from('abcXYZ019-._:/&<>')),
    minLength: 1,
    maxLength: 20,
  });
  const pattern = fc.tuple(token, fc.boolean()).map(([word, open]) => (open ? `${word}*` : word));
  const header = fc.string({ unit: fc.constantFrom(...Array.from('abcXYZ-')), minLength: 1, maxLength: 20 });
  const rule: fc.Arbitrary<NamedCorsRule> = fc.record(
    {
      id: fc
        .string({ unit: 'grapheme', maxLength: 9 })
        .filter((id) => id.isWellFormed() && !id.includes('\0')),
      allowed_origin: fc.array(pattern, { minLength: 1, maxLength: 3 }),
      allowed_method: fc.subarray(['GET', 'HEAD', 'POST', 'PUT', 'DELETE'], { minLength: 1 }),
      allowed_header: fc.array(pattern, { maxLength: 3 }),
      exposed_header: fc.array(header, { maxLength: 3 }),
      max_age: fc.nat(86_400),
    },
    { requiredKeys: ['allowed_origin', 'allowed_method', 'allowed_header', 'exposed_header'] },
  );
  test('what was written is read again, in its order', () => {
    fc.assert(
      fc.property(fc.array(rule, { minLength: 1, maxLength: 10 }), (rules) => {
        expect(readCors(encodeUtf8(writeCors(rules)))).toEqual(rules);
      }),
    );
  });

  const one = (inside: string) => `<CORSRule>${inside}</CORSRule>`;
  const open = '<AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod>';
  test.each([
    ['no rules', '', '400 MalformedXML'],
    ['no origin', one('<AllowedMethod>GET</AllowedMethod>'), '400 MalformedXML'],
    ['no method', one('<AllowedOrigin>*</AllowedOrigin>'), '400 MalformedXML'],
    ['a method that is not served', one(`${open}<AllowedMethod>PATCH</AllowedMethod>`), '400 InvalidRequest'],
    ['a method in lower case', one(`${open}<AllowedMethod>get</AllowedMethod>`), '400 InvalidRequest'],
    ['two stars', one(`${open}<AllowedOrigin>*.a.*</AllowedOrigin>`), '400 InvalidRequest'],
    ['a header broken over lines', one(`${open}<ExposeHeader>a&#10;b</ExposeHeader>`), '400 InvalidRequest'],
    ['eleven rules', one(open).repeat(11), '400 InvalidRequest'],
    ['an element nobody knows', one(`${open}<AllowedCookie/>`), '501 NotImplemented'],
  ])('%s: refused', (_, rules, answer) => {
    expect(outcome(() => readCors(encodeUtf8(`<CORSConfiguration>${rules}</CORSConfiguration>`)))).toBe(
      answer,
    );
  });
});

describe('policies', () => {
  const read = (policy: unknown) =>
    outcome(() =>
      readPublicPolicy(encodeUtf8(typeof policy === 'string' ? policy : JSON.stringify(policy)), 'b'),
    );
  const policy = (changes: object = {}) => ({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: 'arn:aws:s3:::b/*', ...changes },
    ],
  });

  test('anybody may read, in every spelling, keeps its text', () => {
    const [statement] = policy().Statement;
    for (const spelling of [
      publicReadPolicy('b'),
      JSON.stringify(policy(), null, 2),
      JSON.stringify(policy({ Sid: 'PublicRead', Principal: { AWS: '*' } })),
      JSON.stringify(policy({ Action: ['s3:getobject'], Resource: ['arn:aws:s3:::b/*'] })),
      JSON.stringify({ Id: 'p', Statement: statement }),
    ])
      expect(read(spelling)).toBe(spelling);
  });

  test.each<[string, object]>([
    ['another action', { Action: ['s3:GetObject', 's3:ListBucket'] }],
    ['every action', { Action: 's3:*' }],
    ['some of the objects', { Resource: 'arn:aws:s3:::b/public/*' }],
    ['another bucket', { Resource: 'arn:aws:s3:::c/*' }],
    ['a condition', { Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } } }],
    ['somebody', { Principal: { AWS: 'arn:aws:iam::1:root' } }],
    ['a service', { Principal: { Service: '*' } }],
    ['a denial', { Effect: 'Deny' }],
    ['all but one', { NotPrincipal: 'x' }],
    ['no action', { Action: [] }],
  ])('%s is refused, never kept without effect', (_, changes) => {
    expect(read(policy(changes))).toBe('501 NotImplemented');
  });

  test('a second statement is judged too', () => {
    const both = { ...policy(), Statement: [...policy().Statement, ...policy({ Effect: 'Deny' }).Statement] };
    expect(read(both)).toBe('501 NotImplemented');
  });

  test.each(['', '{', '[]', '{}', '{"Statement":[]}', '{"Statement":[1]}', ' '.repeat(30_000)])(
    'what is no policy is malformed: %j',
    (text) => expect(read(text)).toBe('400 MalformedPolicy'),
  );
});

describe('ACLs', () => {
  const owner = { id: '1380000001', name: 'a&b@example.com' };
  const check = (text: string) => outcome(() => checkAcl(encodeUtf8(text), owner));

  test('what is read may be written again [S66]', () => {
    expect(check(writeAcl(owner))).toBeUndefined();
  });

  test('nobody else gets anything', () => {
    expect(check(writeAcl({ ...owner, id: '2' }))).toBe('400 AccessControlListNotSupported');
    expect(check(writeAcl(owner).replace('FULL_CONTROL', 'READ'))).toBe('400 AccessControlListNotSupported');
    const grant = /<Grant>.*<\/Grant>/.exec(writeAcl(owner))?.[0] ?? '';
    const everybody = grant.replace(
      /<ID>.*<\/DisplayName>/,
      '<URI>http://acs.amazonaws.com/groups/global/AllUsers</URI>',
    );
    expect(check(writeAcl(owner).replace(grant, grant + everybody))).toBe(
      '400 AccessControlListNotSupported',
    );
    expect(check('<AccessControlPolicy/>')).toBe('400 MalformedXML');
  });

  test('canned ACLs that give nothing are accepted', () => {
    expect(outcome(() => checkCannedAcl('private', 'bucket'))).toBeUndefined();
    expect(outcome(() => checkCannedAcl('bucket-owner-full-control', 'object'))).toBeUndefined();
    expect(outcome(() => checkCannedAcl('bucket-owner-full-control', 'bucket'))).toBe(
      '400 AccessControlListNotSupported',
    );
    expect(outcome(() => checkCannedAcl('public-read', 'object'))).toBe('400 AccessControlListNotSupported');
    expect(outcome(() => checkCannedAcl('public-ready', 'bucket'))).toBe('400 InvalidArgument');
  });
});

describe('other configurations', () => {
  test('the four switches of the public access block', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), ([a, b, c, d]) => {
        const block = {
          BlockPublicAcls: a ?? false,
          IgnorePublicAcls: b ?? false,
          BlockPublicPolicy: c ?? false,
          RestrictPublicBuckets: d ?? false,
        };
        expect(readPublicAccessBlock(encodeUtf8(writePublicAccessBlock(block)))).toEqual(block);
      }),
    );
  });

  test('the body of CreateBucket may be empty, and so may its element [S54]', () => {
    const read = (text: string) => outcome(() => readCreateBucket(encodeUtf8(text)));
    expect(read('')).toEqual({});
    expect(read('<CreateBucketConfiguration/>')).toEqual({});
    const constraint = '<LocationConstraint>z0</LocationConstraint>';
    expect(read(`<CreateBucketConfiguration>${constraint}</CreateBucketConfiguration>`)).toEqual({
      location: 'z0',
    });
    expect(read('<Other/>')).toBe('400 MalformedXML');
    expect(read('<CreateBucketConfiguration><Bucket/></CreateBucketConfiguration>')).toBe(
      '501 NotImplemented',
    );
  });

  test('what a bucket is already may be set again, nothing else', () => {
    const versioning = (status: string) =>
      outcome(() =>
        checkVersioning(
          encodeUtf8(`<VersioningConfiguration><Status>${status}</Status></VersioningConfiguration>`),
        ),
      );
    expect(versioning('Suspended')).toBeUndefined();
    expect(versioning('Enabled')).toBe('501 NotImplemented');
    expect(versioning('On')).toBe('400 MalformedXML');
    expect(outcome(() => checkOwnershipControls(encodeUtf8(writeOwnershipControls())))).toBeUndefined();
    const written = writeOwnershipControls().replace('BucketOwnerEnforced', 'ObjectWriter');
    expect(outcome(() => checkOwnershipControls(encodeUtf8(written)))).toBe('501 NotImplemented');
    expect(outcome(() => checkRequestPayment(encodeUtf8(writeRequestPayment())))).toBeUndefined();
  });

  test('storage classes have names', () => {
    expect(['STANDARD', 'STANDARD_IA', 'GLACIER', 'DEEP_ARCHIVE'].map(storageClassOf)).toEqual([0, 1, 2, 3]);
    expect([0, 1, 2, 3].map(storageClassName)).toEqual([
      'STANDARD',
      'STANDARD_IA',
      'GLACIER',
      'DEEP_ARCHIVE',
    ]);
    expect(storageClassOf(undefined)).toBe(0);
    expect(outcome(() => storageClassOf('GLACIER_IR'))).toBe('400 InvalidStorageClass');
  });
});
