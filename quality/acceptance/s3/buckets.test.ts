/** Buckets by S3: how they begin, are found, listed and end. */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { bucketDo, bucketJson } from '../support/objects/buckets.ts';
import { beginUpload } from '../support/objects/multipart.ts';
import { codeOf, elementsIn, expectS3Refusal, newS3Bucket, putNatively, s3 } from '../support/s3/signed.ts';
import { newBucket, target } from '../support/target.ts';

const newName = () => `s3-${randomBytes(6).toString('hex')}`;
const create = (name: string, body?: string, headers: Record<string, string> = {}) =>
  s3(`/${name}`, { method: 'PUT', headers, ...(body !== undefined && { body }) });
const configuration = (inside: string) => `<CreateBucketConfiguration>${inside}</CreateBucketConfiguration>`;
const isPrivate = async (bucket: string) =>
  (await bucketJson<{ private: number }>(`/v2/bucketInfo?bucket=${bucket}`)).private === 1;

describe('creating a bucket', () => {
  test('it is private, and is a bucket of the interface at once [S49]', async () => {
    const bucket = newName();
    const answer = await create(bucket);
    expect([answer.status, answer.headers.get('location'), answer.text]).toEqual([200, `/${bucket}`, '']);
    expect(await isPrivate(bucket)).toBe(true);
    await putNatively(bucket, 'k', 'secret');
    expectS3Refusal(await s3(`/${bucket}/k`, { by: 'nobody' }), 403, 'AccessDenied');
  });

  test('creating it again is 200 and changes nothing, not even who may read [S50]', async () => {
    const bucket = await newBucket();
    expect(await isPrivate(bucket)).toBe(false);
    expect((await create(bucket)).status).toBe(200);
    expect(await isPrivate(bucket)).toBe(false);
  });

  test('an empty configuration, our region, the default region and tags are taken [S54]', async () => {
    expect((await create(newName(), '<CreateBucketConfiguration/>')).status).toBe(200);
    for (const region of ['z0', 'us-east-1'])
      expect(
        (await create(newName(), configuration(`<LocationConstraint>${region}</LocationConstraint>`))).status,
      ).toBe(200);
    const bucket = newName();
    const tag = '<Tags><Tag><Key>team</Key><Value>a&amp;b</Value></Tag></Tags>';
    expect((await create(bucket, configuration(tag), { 'x-amz-acl': 'private' })).status).toBe(200);
    const tags = await bucketJson<{ Tags: unknown }>(`/bucketTagging?bucket=${bucket}`, { method: 'GET' });
    expect(tags.Tags).toEqual([{ Key: 'team', Value: 'a&b' }]);
  });

  test.each<[string, number, string, Record<string, string>, string?]>([
    ['an ACL', 400, 'InvalidBucketAclWithObjectOwnership', { 'x-amz-acl': 'public-read' }],
    ['an ACL of nonsense', 400, 'InvalidArgument', { 'x-amz-acl': 'public-ready' }],
    ['a grant', 400, 'AccessControlListNotSupported', { 'x-amz-grant-read': 'id="1"' }],
    ['other owners of objects', 501, 'NotImplemented', { 'x-amz-object-ownership': 'ObjectWriter' }],
    ['object lock', 501, 'NotImplemented', { 'x-amz-bucket-object-lock-enabled': 'true' }],
    [
      'another region',
      400,
      'InvalidLocationConstraint',
      {},
      configuration('<LocationConstraint>mars</LocationConstraint>'),
    ],
    ['a body of another kind', 400, 'MalformedXML', {}, '<Other/>'],
  ])('%s is refused', async (_, status, code, headers, body) => {
    const bucket = newName();
    expectS3Refusal(await create(bucket, body, headers), status, code);
    expect((await s3(`/${bucket}`, { method: 'HEAD' })).status).toBe(404);
  });

  test.each(['ab', 'Ab-cd', 'a_b', 'a..b', '-ab', 'a'.repeat(64), 'my.bucket'])(
    'the name %s is none',
    async (name) => {
      expectS3Refusal(await create(name), 400, 'InvalidBucketName');
    },
  );

  test('a name that another account has is taken', async () => {
    const bucket = newName();
    expect((await s3(`/${bucket}`, { method: 'PUT', by: target.stranger })).status).toBe(200);
    expectS3Refusal(await create(bucket), 409, 'BucketAlreadyExists');
  });
});

describe('finding a bucket', () => {
  test('its region is told to its owner, and to whoever is refused [S52]', async () => {
    const bucket = await newS3Bucket();
    for (const [by, status] of [
      [target.account, 200],
      [target.stranger, 403],
      ['nobody', 403],
    ] as const) {
      const answer = await s3(`/${bucket}`, { method: 'HEAD', by });
      expect([answer.status, answer.headers.get('x-amz-bucket-region'), answer.text]).toEqual([
        status,
        'z0',
        '',
      ]);
    }
    expect((await s3(`/${newName()}`, { method: 'HEAD' })).status).toBe(404);
  });

  test('its location is never empty [S51]', async () => {
    const bucket = await newS3Bucket();
    for (const path of [`/${bucket}?location`, `/${bucket}/?location=`]) {
      const { status, text } = await s3(path);
      expect(status).toBe(200);
      expect(text).toMatch(/<LocationConstraint xmlns="[^"]+">z0<\/LocationConstraint>$/);
    }
    expectS3Refusal(await s3('/probe-bsign-0123456789/?location='), 404, 'NoSuchBucket');
  });
});

describe('listing buckets', () => {
  test('by name, all or a page at a time, those of the interface too', async () => {
    const start = `l${randomBytes(4).toString('hex')}`;
    const names = ['a', 'b', 'c'].map((end) => `${start}-${end}`);
    for (const name of names.toReversed()) await create(name);
    const all = await s3('/');
    expect(elementsIn(all, 'Name')).toEqual(expect.arrayContaining(names));
    expect(elementsIn(all, 'ID')).toEqual([String(target.account.uid)]);
    expect(elementsIn(all, 'DisplayName')).toEqual([target.account.email]);
    expect(all.text).not.toContain('ContinuationToken');
    expect(elementsIn(all, 'CreationDate')[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
    const first = await s3(`/?prefix=${start}&max-buckets=2`);
    expect([elementsIn(first, 'Name'), elementsIn(first, 'Prefix')]).toEqual([names.slice(0, 2), [start]]);
    const [token = ''] = elementsIn(first, 'ContinuationToken');
    const rest = await s3(`/?prefix=${start}&max-buckets=2&continuation-token=${encodeURIComponent(token)}`);
    expect(elementsIn(rest, 'Name')).toEqual(names.slice(2));
    expect(rest.text).not.toContain('ContinuationToken');
    expect(elementsIn(await s3(`/?prefix=${start}&bucket-region=mars`), 'Name')).toEqual([]);
  });

  test.each([
    'max-buckets=0',
    'max-buckets=10001',
    'max-buckets=x',
    'continuation-token=%00',
    'continuation-token=a',
  ])('%s is refused', async (query) => expectS3Refusal(await s3(`/?${query}`), 400, 'InvalidArgument'));

  test('nobody without a key has any', async () => {
    expectS3Refusal(await s3('/', { by: 'nobody' }), 403, 'AccessDenied');
  });
});

describe('deleting a bucket', () => {
  test('with an object it is refused, with an unfinished upload it is not [S53]', async () => {
    const bucket = await newS3Bucket();
    await putNatively(bucket, 'k', 'x');
    expect((await s3(`/${bucket}/other?uploads`, { method: 'POST' })).status).toBe(200);
    await beginUpload(bucket, { key: 'native' });
    expectS3Refusal(await s3(`/${bucket}`, { method: 'DELETE' }), 409, 'BucketNotEmpty');
    expect((await s3(`/${bucket}/k`, { method: 'DELETE' })).status).toBe(204);
    expectS3Refusal(await s3(`/${bucket}`, { method: 'DELETE', by: target.stranger }), 403, 'AccessDenied');
    const gone = await s3(`/${bucket}`, { method: 'DELETE' });
    expect([gone.status, gone.text]).toEqual([204, '']);
    expectS3Refusal(await s3(`/${bucket}`, { method: 'DELETE' }), 404, 'NoSuchBucket');
  });

  test('a bucket of the interface goes the same way', async () => {
    const bucket = await newBucket();
    expect((await s3(`/${bucket}`, { method: 'DELETE' })).status).toBe(204);
    expect(await bucketJson<string[]>('/buckets')).not.toContain(bucket);
  });
});

test('a setting of another account’s bucket is refused', async () => {
  const bucket = await newS3Bucket();
  for (const setting of ['cors', 'lifecycle', 'tagging', 'policy', 'acl', 'publicAccessBlock', 'versioning'])
    expect([setting, codeOf(await s3(`/${bucket}?${setting}`, { by: target.stranger }))]).toEqual([
      setting,
      'AccessDenied',
    ]);
  await bucketDo(`/private?bucket=${bucket}&private=0`, {});
  expectS3Refusal(await s3(`/${bucket}?policy`, { by: 'nobody' }), 403, 'AccessDenied');
});
