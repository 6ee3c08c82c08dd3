/** Lifecycle rules by S3: kept as they are written, and carried out by S3's rule. */
import { openRegionDatabase, type RegionDatabase } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bucketCall, bucketJson, form } from '../support/objects/buckets.ts';
import { elementsIn, expectS3Refusal, newS3Bucket, putNatively, s3 } from '../support/s3/signed.ts';
import { newBucket, target } from '../support/target.ts';

/** The job comes round every second here; the machine may be slow. */
const SOON = { timeout: 300_000, interval: 200 };
const MINIMUM = 'x-amz-transition-default-minimum-object-size';

let database: RegionDatabase;
beforeAll(async () => {
  database = await openRegionDatabase(target.environment.MILLPOND_REGION_DB ?? '');
});
afterAll(() => database?.close());

const set = (bucket: string, rules: string, headers: Record<string, string> = {}) =>
  s3(`/${bucket}?lifecycle`, {
    method: 'PUT',
    headers,
    body: `<LifecycleConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${rules}</LifecycleConfiguration>`,
  });
const rule = (id: string, filter: string, actions: string, status = 'Enabled') =>
  `<Rule><ID>${id}</ID>${filter}<Status>${status}</Status>${actions}</Rule>`;
const prefix = (text: string) => `<Filter><Prefix>${text}</Prefix></Filter>`;
const days = (count: number) => `<Expiration><Days>${count}</Days></Expiration>`;

describe('a configuration', () => {
  const RULES =
    rule('in the rule', '<Prefix>old/</Prefix>', days(31)) +
    rule('off & on', '<Filter></Filter>', days(2), 'Disabled') +
    rule(
      'everything',
      '<Filter><And><Prefix>a/</Prefix><Tag><Key>k</Key><Value>v</Value></Tag><ObjectSizeGreaterThan>1</ObjectSizeGreaterThan><ObjectSizeLessThan>9</ObjectSizeLessThan></And></Filter>',
      `${days(90)}<Transition><Days>30</Days><StorageClass>STANDARD_IA</StorageClass></Transition>` +
        '<Transition><Days>60</Days><StorageClass>GLACIER</StorageClass></Transition>' +
        '<NoncurrentVersionExpiration><NoncurrentDays>3</NoncurrentDays><NewerNoncurrentVersions>2</NewerNoncurrentVersions></NoncurrentVersionExpiration>',
    ).replace('off & on', 'off &amp; on') +
    rule('date', prefix('d/'), '<Expiration><Date>2040-01-01T00:00:00.000Z</Date></Expiration>') +
    rule(
      'markers',
      prefix('m/'),
      '<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>',
    ) +
    rule(
      'uploads',
      prefix(''),
      '<AbortIncompleteMultipartUpload><DaysAfterInitiation>2</DaysAfterInitiation></AbortIncompleteMultipartUpload>',
    );
  const written = RULES.replace('off & on', 'off &amp; on');

  test('is read as it was written, with the header that Terraform compares [S82 S83]', async () => {
    const bucket = await newS3Bucket();
    expectS3Refusal(await s3(`/${bucket}?lifecycle`), 404, 'NoSuchLifecycleConfiguration');
    const answer = await set(bucket, written);
    expect([answer.status, answer.headers.get(MINIMUM)]).toEqual([200, 'all_storage_classes_128K']);
    const shown = await s3(`/${bucket}?lifecycle`);
    expect(shown.headers.get(MINIMUM)).toBe('all_storage_classes_128K');
    expect(shown.text).toMatch(/^<\?xml[^>]*>\s*<LifecycleConfiguration xmlns="[^"]+">/);
    expect(shown.text.slice(shown.text.indexOf('<Rule>'), shown.text.lastIndexOf('</Life'))).toBe(written);
    expect((await set(bucket, written, { [MINIMUM]: 'varies_by_storage_class' })).status).toBe(200);
    expect((await s3(`/${bucket}?lifecycle`)).headers.get(MINIMUM)).toBe('varies_by_storage_class');
    expect((await s3(`/${bucket}?lifecycle`, { method: 'DELETE' })).status).toBe(204);
    expectS3Refusal(await s3(`/${bucket}?lifecycle`), 404, 'NoSuchLifecycleConfiguration');
  });

  test('names rules that have no ID', async () => {
    const bucket = await newS3Bucket();
    await set(bucket, `<Rule><Prefix>a/</Prefix><Status>Enabled</Status>${days(1)}</Rule>`);
    const [first = ''] = elementsIn(await s3(`/${bucket}?lifecycle`), 'ID');
    expect(first).not.toBe('');
    expect(elementsIn(await s3(`/${bucket}?lifecycle`), 'ID')).toEqual([first]);
  });

  test.each([
    [
      'the same ID twice',
      rule('a', prefix('a'), days(1)) + rule('a', prefix('b'), days(1)),
      400,
      'InvalidArgument',
    ],
    ['0 days', rule('a', prefix('a'), days(0)), 400, 'InvalidArgument'],
    ['a status in lower case', rule('a', prefix('a'), days(1), 'enabled'), 400, 'MalformedXML'],
    ['no action', rule('a', prefix('a'), ''), 400, 'InvalidRequest'],
    ['an action nobody knows', rule('a', prefix('a'), '<AllVersionsExpiration/>'), 501, 'NotImplemented'],
    [
      'a class that is not here',
      rule(
        'a',
        prefix('a'),
        '<Transition><Days>1</Days><StorageClass>GLACIER_IR</StorageClass></Transition>',
      ),
      400,
      'InvalidStorageClass',
    ],
  ])('with %s is refused whole', async (_, rules, status, code) => {
    const bucket = await newS3Bucket();
    await set(bucket, rule('before', prefix(''), days(1)));
    expectS3Refusal(await set(bucket, rules), status, code);
    expect(elementsIn(await s3(`/${bucket}?lifecycle`), 'ID')).toEqual(['before']);
  });
});

describe('beside our own calls', () => {
  const rulesOf = (bucket: string) =>
    bucketJson<{ name: string }[]>(`/rules/get?bucket=${bucket}`, { method: 'GET' });

  test('rules of either are shown by the other, and S3 replaces all', async () => {
    const bucket = await newBucket();
    const native = { bucket, name: 'mine', prefix: 'x/', to_archive_after_days: 3, delete_after_days: 7 };
    expect((await bucketCall('/rules/add', { body: form(native) })).status).toBe(200);
    const shown = await s3(`/${bucket}?lifecycle`);
    expect(elementsIn(shown, 'ID')).toEqual(['mine']);
    expect([elementsIn(shown, 'Days'), elementsIn(shown, 'StorageClass')]).toEqual([['7', '3'], ['GLACIER']]);
    const rules = rule('theirs', prefix('y/'), days(3)) + rule('off', prefix('z/'), days(3), 'Disabled');
    expect((await set(bucket, rules)).status).toBe(200);
    expect(await rulesOf(bucket)).toMatchObject([{ name: 'theirs', prefix: 'y/', delete_after_days: 3 }]);
    expect((await bucketCall('/rules/add', { body: form(native) })).status).toBe(403);
    for (const name of ['theirs', 'off'])
      expect((await bucketCall('/rules/delete', { body: form({ bucket, name }) })).status).toBe(200);
    expectS3Refusal(await s3(`/${bucket}?lifecycle`), 404, 'NoSuchLifecycleConfiguration');
    expect((await bucketCall('/rules/add', { body: form(native) })).status).toBe(200);
  });
});

test('the answers of PUT and of completions say when the object will go', async () => {
  const bucket = await newS3Bucket();
  await set(bucket, rule('short life', prefix('a/'), days(1)));
  const said = /^expiry-date="\w{3}, \d\d \w{3} \d{4} 00:00:00 GMT", rule-id="short%20life"$/;
  const answer = await s3(`/${bucket}/a/k`, { method: 'PUT', body: 'x' });
  expect(answer.headers.get('x-amz-expiration')).toMatch(said);
  expect((await s3(`/${bucket}/b`, { method: 'PUT', body: 'x' })).headers.get('x-amz-expiration')).toBeNull();
  const [upload = ''] = elementsIn(await s3(`/${bucket}/a/p?uploads`, { method: 'POST' }), 'UploadId');
  const part = await s3(`/${bucket}/a/p?partNumber=1&uploadId=${upload}`, { method: 'PUT', body: 'x' });
  const completion = `<Part><PartNumber>1</PartNumber><ETag>${part.headers.get('etag')}</ETag></Part>`;
  const completed = await s3(`/${bucket}/a/p?uploadId=${upload}`, {
    method: 'POST',
    body: `<CompleteMultipartUpload>${completion}</CompleteMultipartUpload>`,
  });
  expect([completed.status, completed.headers.get('x-amz-expiration')]).toEqual([
    200,
    expect.stringMatching(said),
  ]);
});

describe('carried out', () => {
  const TAG = '<Tag><Key>keep</Key><Value>no</Value></Tag>';
  const put = async (bucket: string, key: string, age: number, tags = '') => {
    await putNatively(bucket, key, 'x');
    const body = `<Tagging><TagSet>${tags}</TagSet></Tagging>`;
    expect((await s3(`/${bucket}/${key}?tagging`, { method: 'PUT', body })).status).toBe(200);
    await database.age(key, age);
  };

  test('every rule that matches applies, by tags too; the header says when', async () => {
    const bucket = await newS3Bucket();
    await put(bucket, `a/old-${bucket}`, 5);
    await put(bucket, `a/young-${bucket}`, 0);
    await put(bucket, `b/tagged-${bucket}`, 5, TAG);
    await put(bucket, `b/plain-${bucket}`, 5);
    const tag = `<Filter><And><Prefix>b/</Prefix>${TAG}</And></Filter>`;
    // By our own rule only the longest prefix would count, and keep a/old.
    const rules = rule('short', prefix(''), days(3)).replace('<Prefix></Prefix>', '<Prefix>a</Prefix>');
    await set(bucket, rules + rule('long', prefix('a/'), days(90)) + rule('tagged', tag, days(2)));
    await expect
      .poll(async () => elementsIn(await s3(`/${bucket}`), 'Key'), SOON)
      .toEqual([`a/young-${bucket}`, `b/plain-${bucket}`]);
    const expiration = (await s3(`/${bucket}/a/young-${bucket}`, { method: 'HEAD' })).headers.get(
      'x-amz-expiration',
    );
    expect(expiration).toMatch(/^expiry-date="\w{3}, \d\d \w{3} \d{4} 00:00:00 GMT", rule-id="short"$/);
    expect(
      (await s3(`/${bucket}/b/plain-${bucket}`, { method: 'HEAD' })).headers.get('x-amz-expiration'),
    ).toBeNull();
  });
});
