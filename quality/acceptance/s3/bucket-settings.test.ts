/** What S3 sets on buckets: policy and public access, ACL, tags, and all that is not configured. */
import { describe, expect, test } from 'vitest';
import { bucketCall, bucketJson } from '../support/objects/buckets.ts';
import { elementsIn, expectS3Refusal, newS3Bucket, putNatively, s3 } from '../support/s3/signed.ts';
import { newBucket, target } from '../support/target.ts';

const put = (bucket: string, setting: string, body: string, headers: Record<string, string> = {}) =>
  s3(`/${bucket}?${setting}`, { method: 'PUT', body, headers });
const remove = (bucket: string, setting: string) => s3(`/${bucket}?${setting}`, { method: 'DELETE' });

describe('policy', () => {
  const policy = (bucket: string, changes: object = {}) =>
    JSON.stringify({
      Version: '2012-10-17',
      Statement: [
        {
          Sid: 'Read',
          Effect: 'Allow',
          Principal: '*',
          Action: 's3:GetObject',
          Resource: `arn:aws:s3:::${bucket}/*`,
          ...changes,
        },
      ],
    });
  const read = async (bucket: string) => (await s3(`/${bucket}/k`, { by: 'nobody' })).status;
  const isPublic = async (bucket: string) => elementsIn(await s3(`/${bucket}?policyStatus`), 'IsPublic')[0];
  const withObject = async (bucket: string) => {
    await putNatively(bucket, 'k', 'x');
    return bucket;
  };

  test('that anybody may read makes a bucket public, and private when it goes [S84]', async () => {
    const bucket = await withObject(await newS3Bucket());
    expectS3Refusal(await s3(`/${bucket}?policy`), 404, 'NoSuchBucketPolicy');
    expect([await read(bucket), await isPublic(bucket)]).toEqual([403, 'false']);
    const set = await put(bucket, 'policy', policy(bucket));
    expect([set.status, set.text]).toEqual([204, '']);
    expect([await read(bucket), await isPublic(bucket)]).toEqual([200, 'true']);
    const shown = await s3(`/${bucket}?policy`);
    expect([shown.text, shown.headers.get('content-type')]).toEqual([policy(bucket), 'application/json']);
    expectS3Refusal(await s3(`/${bucket}`, { by: 'nobody' }), 403, 'AccessDenied');
    expect((await remove(bucket, 'policy')).status).toBe(204);
    expect([await read(bucket), await isPublic(bucket)]).toEqual([403, 'false']);
    expectS3Refusal(await s3(`/${bucket}?policy`), 404, 'NoSuchBucketPolicy');
  });

  test('of a bucket that is public natively is shown', async () => {
    const bucket = await newBucket();
    const shown = JSON.parse((await s3(`/${bucket}?policy`)).text) as { Statement: [{ Resource: string[] }] };
    expect(shown.Statement[0].Resource).toEqual([`arn:aws:s3:::${bucket}/*`]);
    expect((await put(bucket, 'policy', JSON.stringify(shown))).status).toBe(204);
  });

  test('any other is refused, and changes nothing', async () => {
    const bucket = await withObject(await newS3Bucket());
    for (const changes of [
      { Action: 's3:*' },
      { Resource: `arn:aws:s3:::${bucket}/a/*` },
      { Effect: 'Deny' },
    ])
      expectS3Refusal(await put(bucket, 'policy', policy(bucket, changes)), 501, 'NotImplemented');
    expectS3Refusal(await put(bucket, 'policy', '{'), 400, 'MalformedPolicy');
    expect(await read(bucket)).toBe(403);
  });

  test('is held back by the public access block, which keeps its four switches', async () => {
    const bucket = await withObject(await newS3Bucket());
    const block = (names: readonly string[]) =>
      `<PublicAccessBlockConfiguration>${names.map((name) => `<${name}>true</${name}>`).join('')}</PublicAccessBlockConfiguration>`;
    expectS3Refusal(await s3(`/${bucket}?publicAccessBlock`), 404, 'NoSuchPublicAccessBlockConfiguration');
    expect(
      (await put(bucket, 'publicAccessBlock', block(['BlockPublicPolicy', 'BlockPublicAcls']))).status,
    ).toBe(200);
    const shown = await s3(`/${bucket}?publicAccessBlock`);
    expect(
      ['BlockPublicAcls', 'IgnorePublicAcls', 'BlockPublicPolicy', 'RestrictPublicBuckets'].map(
        (name) => elementsIn(shown, name)[0],
      ),
    ).toEqual(['true', 'false', 'true', 'false']);
    expectS3Refusal(await put(bucket, 'policy', policy(bucket)), 403, 'AccessDenied');
    expect((await bucketCall(`/private?bucket=${bucket}&private=0`, {})).status).toBe(403);
    expect((await remove(bucket, 'publicAccessBlock')).status).toBe(204);
    expect((await put(bucket, 'policy', policy(bucket))).status).toBe(204);
    expect((await put(bucket, 'publicAccessBlock', block(['RestrictPublicBuckets']))).status).toBe(200);
    expect([await read(bucket), await isPublic(bucket)]).toEqual([403, 'false']);
    expect((await remove(bucket, 'publicAccessBlock')).status).toBe(204);
    expect(await read(bucket)).toBe(200);
  });
});

describe('ACL', () => {
  test('of buckets and objects gives the owner all, and may be set again [S66]', async () => {
    const bucket = await newS3Bucket();
    await putNatively(bucket, 'k', 'x');
    for (const path of [`/${bucket}?acl`, `/${bucket}/k?acl`]) {
      const acl = await s3(path);
      expect(acl.status).toBe(200);
      expect(elementsIn(acl, 'ID')).toEqual(Array(2).fill(String(target.account.uid)));
      expect(elementsIn(acl, 'Permission')).toEqual(['FULL_CONTROL']);
      expect(acl.text).toContain('xsi:type="CanonicalUser"');
      expect((await s3(path, { method: 'PUT', body: acl.text })).status).toBe(200);
      expect((await s3(path, { method: 'PUT', headers: { 'x-amz-acl': 'private' } })).status).toBe(200);
      const refused = 'AccessControlListNotSupported';
      expectS3Refusal(
        await s3(path, { method: 'PUT', headers: { 'x-amz-acl': 'public-read' } }),
        400,
        refused,
      );
      expectS3Refusal(
        await s3(path, { method: 'PUT', headers: { 'x-amz-grant-read': 'id="1"' } }),
        400,
        refused,
      );
      const stranger = acl.text.replaceAll(String(target.account.uid), String(target.stranger.uid));
      expectS3Refusal(await s3(path, { method: 'PUT', body: stranger }), 400, refused);
      expectS3Refusal(
        await s3(path, { method: 'PUT', headers: { 'x-amz-acl': 'public-ready' } }),
        400,
        'InvalidArgument',
      );
    }
    expectS3Refusal(await s3(`/${bucket}/none?acl`), 404, 'NoSuchKey');
  });
});

describe('tags', () => {
  const tagging = (tags: readonly [string, string][]) =>
    `<Tagging><TagSet>${tags.map(([key, value]) => `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`).join('')}</TagSet></Tagging>`;

  test('of a bucket are those of the interface', async () => {
    const bucket = await newS3Bucket();
    expectS3Refusal(await s3(`/${bucket}?tagging`), 404, 'NoSuchTagSet');
    expect(
      (
        await put(
          bucket,
          'tagging',
          tagging([
            ['b', '2'],
            ['a', '1'],
          ]),
        )
      ).status,
    ).toBe(204);
    const shown = await s3(`/${bucket}?tagging`);
    expect([elementsIn(shown, 'Key'), elementsIn(shown, 'Value')]).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
    const native = await bucketJson<{ Tags: unknown[] }>(`/bucketTagging?bucket=${bucket}`, {
      method: 'GET',
    });
    expect(native.Tags).toHaveLength(2);
    expect((await remove(bucket, 'tagging')).status).toBe(204);
    expectS3Refusal(await s3(`/${bucket}?tagging`), 404, 'NoSuchTagSet');
  });

  test('of an object that has none are an empty set [S65]', async () => {
    const bucket = await newS3Bucket();
    await putNatively(bucket, 'k', 'x');
    const answer = await s3(`/${bucket}/k?tagging`);
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(/<TagSet(?:\/>|><\/TagSet>)/);
  });

  test('are at most ten, each once', async () => {
    const bucket = await newS3Bucket();
    const many = Array.from({ length: 11 }, (_, n): [string, string] => [`k${n}`, 'v']);
    expectS3Refusal(await put(bucket, 'tagging', tagging(many)), 400, 'InvalidTag');
    expectS3Refusal(
      await put(
        bucket,
        'tagging',
        tagging([
          ['a', '1'],
          ['a', '2'],
        ]),
      ),
      400,
      'InvalidTag',
    );
  });
});

describe('what is not configured [S85]', () => {
  let bucket: string;
  const first = async () => (bucket ??= await newS3Bucket());

  test.each([
    ['object-lock', 404, 'ObjectLockConfigurationNotFoundError'],
    ['policy', 404, 'NoSuchBucketPolicy'],
    ['publicAccessBlock', 404, 'NoSuchPublicAccessBlockConfiguration'],
    ['encryption', 404, 'ServerSideEncryptionConfigurationNotFoundError'],
    ['replication', 404, 'ReplicationConfigurationNotFoundError'],
    ['website', 404, 'NoSuchWebsiteConfiguration'],
    ['cors', 404, 'NoSuchCORSConfiguration'],
    ['lifecycle&withUpdatedAt=true', 404, 'NoSuchLifecycleConfiguration'],
    ['tagging', 404, 'NoSuchTagSet'],
    ['metrics&id=a', 404, 'NoSuchConfiguration'],
    ['analytics&id=a', 404, 'NoSuchConfiguration'],
    ['inventory&id=a', 404, 'NoSuchConfiguration'],
    ['intelligent-tiering&id=a', 404, 'NoSuchConfiguration'],
    ['session', 501, 'NotImplemented'],
  ])('?%s is %i %s', async (setting, status, code) => {
    expectS3Refusal(await s3(`/${await first()}?${setting}`), status, code);
  });

  const root = (name: string, inside = '') => new RegExp(`<${name} xmlns="[^"]+">${inside}</${name}>$`);
  test.each([
    ['versioning', root('VersioningConfiguration')],
    ['logging', root('BucketLoggingStatus')],
    ['accelerate', root('AccelerateConfiguration')],
    ['notification', root('NotificationConfiguration')],
    ['requestPayment', root('RequestPaymentConfiguration', '<Payer>BucketOwner</Payer>')],
    ['policyStatus', root('PolicyStatus', '<IsPublic>false</IsPublic>')],
    [
      'ownershipControls',
      root('OwnershipControls', '<Rule><ObjectOwnership>BucketOwnerEnforced</ObjectOwnership></Rule>'),
    ],
    ['metrics', /<IsTruncated>false<\/IsTruncated>/],
    ['analytics', /<IsTruncated>false<\/IsTruncated>/],
    ['inventory', /<IsTruncated>false<\/IsTruncated>/],
    ['intelligent-tiering', /<IsTruncated>false<\/IsTruncated>/],
  ])('?%s is 200, and may be set to that again', async (setting, expected) => {
    const answer = await s3(`/${await first()}?${setting}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/xml']);
    expect(answer.text).toMatch(expected);
    if (['logging', 'notification', 'requestPayment', 'ownershipControls'].includes(setting))
      expect((await put(await first(), setting, answer.text)).status).toBe(200);
  });

  test('versions can be off, and that is all', async () => {
    const versioning = (status: string) =>
      put(
        bucket,
        'versioning',
        `<VersioningConfiguration><Status>${status}</Status></VersioningConfiguration>`,
      );
    bucket = await first();
    expect((await versioning('Suspended')).status).toBe(200);
    expectS3Refusal(await versioning('Enabled'), 501, 'NotImplemented');
  });

  test.each(['policy', 'website', 'encryption', 'replication', 'publicAccessBlock', 'lifecycle', 'cors'])(
    'removing ?%s is 204',
    async (setting) => expect((await remove(await first(), setting)).status).toBe(204),
  );

  test('setting what can not be carried out is refused', async () => {
    const body = '<ServerSideEncryptionConfiguration/>';
    for (const setting of ['encryption', 'object-lock', 'replication', 'website'])
      expectS3Refusal(await put(await first(), setting, body), 501, 'NotImplemented');
  });

  test('an object has no torrent, and none is taken for the object [s3-torrent-01]', async () => {
    const path = `/${await first()}/torrent`;
    await putNatively(bucket, 'torrent', 'x');
    for (const target of [`${path}?torrent`, `/${bucket}/missing?torrent`, '/no-such-bucket-here/k?torrent'])
      expectS3Refusal(await s3(target), 501, 'NotImplemented');
    expectS3Refusal(await s3(`${path}?torrent`, { by: 'nobody' }), 501, 'NotImplemented');
  });

  test('an object has no retention and no legal hold', async () => {
    const path = `/${await first()}/k`;
    await putNatively(bucket, 'k', 'x');
    for (const setting of ['retention', 'legal-hold'])
      for (const method of ['GET', 'PUT'])
        expectS3Refusal(await s3(`${path}?${setting}`, { method }), 400, 'InvalidRequest');
    expect((await s3(path)).text).toBe('x');
  });
});
