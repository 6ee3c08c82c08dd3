/** Uploads by browsers: forms whose policy somebody signed for them. */
import { createHash, createHmac } from 'node:crypto';
import { request } from 'node:http';
import type { Account } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { bucketDo } from '../support/objects/buckets.ts';
import { BOUNDARY, field, file, type Part, wholeBody } from '../support/raw-form.ts';
import { json, useReceiver } from '../support/receivers/receiver.ts';
import { elementsIn, expectS3Refusal, newS3Bucket, type S3Response, s3 } from '../support/s3/signed.ts';
import { target } from '../support/target.ts';

const receiver = useReceiver();

type Fields = Record<string, string>;
interface Signing {
  readonly by?: Account;
  readonly conditions?: readonly unknown[];
  readonly expiresIn?: number;
  readonly version?: 2 | 4;
}

/** The fields with a policy that covers them, unless it is told otherwise, and its signature. */
function signedForm(bucket: string, fields: Fields, signing: Signing = {}): Fields {
  const { by = target.account, expiresIn = 600_000, version = 4 } = signing;
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');
  const scope = `${day}/us-east-1/s3/aws4_request`;
  const own: Fields =
    version === 2
      ? {}
      : {
          'x-amz-algorithm': 'AWS4-HMAC-SHA256',
          'x-amz-date': `${day}T000000Z`,
          'x-amz-credential': `${by.accessKey}/${scope}`,
        };
  const eq = (pairs: Fields) => Object.entries(pairs).map(([name, value]) => ({ [name]: value }));
  const conditions = [{ bucket }, ...(signing.conditions ?? eq(fields)), ...eq(own)];
  const expiration = new Date(Date.now() + expiresIn).toISOString();
  const policy = Buffer.from(JSON.stringify({ expiration, conditions })).toString('base64');
  if (version === 2) {
    const signature = createHmac('sha1', by.secretKey).update(policy).digest('base64');
    return { ...fields, policy, AWSAccessKeyId: by.accessKey, signature };
  }
  const key = scope
    .split('/')
    .reduce<string | Buffer>(
      (secret, part) => createHmac('sha256', secret).update(part).digest(),
      `AWS4${by.secretKey}`,
    );
  return {
    ...fields,
    ...own,
    policy,
    'x-amz-signature': createHmac('sha256', key).update(policy).digest('hex'),
  };
}

async function post(bucket: string, parts: readonly Part[]): Promise<S3Response> {
  const answer = await fetch(`${target.s3.url}/${bucket}`, {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: new Uint8Array(wholeBody(parts)),
    redirect: 'manual',
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const partsOf = (fields: Fields) => Object.entries(fields).map(([name, value]) => field(name, value));
const send = (bucket: string, fields: Fields, content = 'hello', name = 'a.txt') =>
  post(bucket, [...partsOf(fields), file(content, name, 'text/ignored')]);
const md5 = (text: string) => createHash('md5').update(text).digest('hex');

describe('a form that is signed', () => {
  test('is told as an event of its own way [bucket-17]', async () => {
    const [bucket, endpoint] = [await newS3Bucket(), receiver.at(json({}))];
    const rule = { name: 'forms', url: endpoint.url, events: ['created.s3-post'] };
    await bucketDo(`/eventRules/set/${bucket}`, { body: JSON.stringify([rule]) });
    await s3(`/${bucket}/put`, { method: 'PUT', body: 'not by a form' });
    expect((await send(bucket, signedForm(bucket, { key: 'k' }))).status).toBe(204);
    await expect.poll(() => endpoint.requests.length, { timeout: 300_000, interval: 50 }).toBe(1);
    expect(JSON.parse(endpoint.requests[0]?.text ?? '')).toMatchObject({
      type: 'millpond.object.created',
      data: { key: 'k', way: 's3-post', size: 5 },
    });
  });

  test('stores the file with the type, headers and metadata of its fields', async () => {
    const bucket = await newS3Bucket();
    const fields = {
      key: 'user/é a.txt',
      'Content-Type': 'text/plain',
      'Cache-Control': 'max-age=5',
      'x-amz-meta-a': 'é',
      acl: 'private',
      'x-amz-storage-class': 'STANDARD_IA',
    };
    const answer = await send(bucket, signedForm(bucket, fields));
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.get('etag')).toBe(`"${md5('hello')}"`);
    expect(answer.headers.get('location')).toBe(`${target.s3.url}/${bucket}/user/%C3%A9%20a.txt`);
    const read = await s3(`/${bucket}/user/%C3%A9%20a.txt`);
    expect([read.status, read.text]).toEqual([200, 'hello']);
    expect(
      ['content-type', 'cache-control', 'x-amz-storage-class'].map((name) => read.headers.get(name)),
    ).toEqual(['text/plain', 'max-age=5', 'STANDARD_IA']);
    expect(Buffer.from(read.headers.get('x-amz-meta-a') ?? '', 'latin1').toString()).toBe('é');
  });

  test('[S11] may be signed by version 2, as boto3 does', async () => {
    const bucket = await newS3Bucket();
    const fields = signedForm(bucket, { key: 'k' }, { version: 2 });
    expect((await send(bucket, fields)).status).toBe(204);
    expectS3Refusal(await send(bucket, { ...fields, signature: 'AAAA' }), 403, 'SignatureDoesNotMatch');
  });

  test('puts the name of the file into the key, and judges the result', async () => {
    const bucket = await newS3Bucket();
    const fields = signedForm(
      bucket,
      { key: `up/\${filename}` },
      { conditions: [['starts-with', '$key', 'up/a']] },
    );
    expect((await send(bucket, fields, 'hello', 'a.txt')).status).toBe(204);
    expect((await s3(`/${bucket}/up/a.txt`)).text).toBe('hello');
    expectS3Refusal(await send(bucket, fields, 'hello', 'b.txt'), 403, 'AccessDenied');
  });

  test('is answered as it asks: 201 with XML, or a redirect', async () => {
    const bucket = await newS3Bucket();
    const created = await send(bucket, signedForm(bucket, { key: 'a&b', success_action_status: '201' }));
    expect([created.status, elementsIn(created, 'Key'), elementsIn(created, 'Bucket')]).toEqual([
      201,
      ['a&amp;b'],
      [bucket],
    ]);
    const redirect = 'http://example.org/done?x=1';
    const moved = await send(bucket, signedForm(bucket, { key: 'k', success_action_redirect: redirect }));
    expect([moved.status, moved.headers.get('location')]).toEqual([
      303,
      `${redirect}&bucket=${bucket}&key=k&etag=%22${md5('hello')}%22`,
    ]);
  });

  test('has tags as XML, a checksum that is verified, and fields after the file that are ignored', async () => {
    const bucket = await newS3Bucket();
    const tagging = '<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>';
    const fields = signedForm(bucket, { key: 'k', tagging });
    const parts = [
      ...partsOf({ ...fields, 'x-amz-checksum-crc32': 'NhCmhg==' }),
      file('hello'),
      field('key', 'other'),
    ];
    expect((await post(bucket, parts)).status).toBe(204);
    expect(elementsIn(await s3(`/${bucket}/k?tagging`), 'Value')).toEqual(['b']);
    expect((await s3(`/${bucket}/other`)).status).toBe(404);
    const wrong = { ...signedForm(bucket, { key: 'wrong' }), 'x-amz-checksum-crc32': 'AAAAAA==' };
    expectS3Refusal(await send(bucket, wrong), 400, 'BadDigest');
    expect((await s3(`/${bucket}/wrong`)).status).toBe(404);
  });
});

test('[S25] a client that waits for 100 Continue is told to send its form, or that there is no such bucket', async () => {
  const bucket = await newS3Bucket();
  const body = wholeBody([...partsOf(signedForm(bucket, { key: 'k' })), file('x'.repeat(100_000))]);
  const waiting = (name: string) =>
    new Promise<[continued: boolean, status: number | undefined]>((resolve, reject) => {
      let continued = false;
      const sending = request(`${target.s3.url}/${name}`, {
        method: 'POST',
        headers: {
          'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
          'content-length': body.length,
          expect: '100-continue',
        },
      });
      sending.on('continue', () => {
        continued = true;
        sending.end(body);
      });
      sending.on('response', (answer) => {
        answer.resume();
        resolve([continued, answer.statusCode]);
        if (!continued) sending.destroy();
      });
      sending.on('error', reject);
      sending.flushHeaders();
    });
  expect(await waiting(bucket)).toEqual([true, 204]);
  expect(await waiting(`${bucket}-none`)).toEqual([false, 404]);
});

describe('a form never does more than its policy says', () => {
  test('[S78] a field that no condition covers is refused; x-ignore- and checksums need none', async () => {
    const bucket = await newS3Bucket();
    const fields = signedForm(bucket, { key: 'k' });
    for (const extra of ['acl', 'x-amz-meta-a', 'Content-Type', 'success_action_redirect'])
      expectS3Refusal(await send(bucket, { ...fields, [extra]: 'private' }), 403, 'AccessDenied');
    expect((await send(bucket, { ...fields, 'x-ignore-a': 'b' })).status).toBe(204);
  });

  test('another key, another bucket, a changed policy, and a policy that has expired', async () => {
    const [bucket, other] = [await newS3Bucket(), await newS3Bucket()];
    const fields = signedForm(bucket, { key: 'k' });
    expectS3Refusal(await send(bucket, { ...fields, key: 'l' }), 403, 'AccessDenied');
    expectS3Refusal(await send(other, fields), 403, 'AccessDenied');
    const policy = Buffer.from('{"expiration":"2099-01-01T00:00:00Z","conditions":[]}').toString('base64');
    expectS3Refusal(await send(bucket, { ...fields, policy }), 403, 'SignatureDoesNotMatch');
    expectS3Refusal(
      await send(bucket, signedForm(bucket, { key: 'k' }, { expiresIn: -1000 })),
      403,
      'AccessDenied',
    );
    expect((await s3(`/${bucket}/k`)).status).toBe(404);
  });

  test('a file that is too small or too large, and nothing of it is kept', async () => {
    const bucket = await newS3Bucket();
    const conditions = [{ key: 'k' }, ['content-length-range', 4, 10]];
    const fields = signedForm(bucket, { key: 'k' }, { conditions });
    expectS3Refusal(await send(bucket, fields, 'abc'), 400, 'EntityTooSmall');
    expectS3Refusal(await send(bucket, fields, 'x'.repeat(200_000)), 400, 'EntityTooLarge');
    expect((await s3(`/${bucket}/k`)).status).toBe(404);
    expect((await send(bucket, fields, 'abcd')).status).toBe(204);
  });

  test("another account's signature, or none", async () => {
    const bucket = await newS3Bucket();
    const by = target.stranger;
    expectS3Refusal(await send(bucket, signedForm(bucket, { key: 'k' }, { by })), 403, 'AccessDenied');
    expectS3Refusal(await send(bucket, { key: 'k' }), 403, 'AccessDenied');
    const unknown = signedForm(bucket, { key: 'k' }, { by: { ...by, accessKey: 'nobody' } });
    expectS3Refusal(await send(bucket, unknown), 403, 'InvalidAccessKeyId');
  });
});

describe('a form that is malformed', () => {
  test('without key, without file, without signature, to no bucket', async () => {
    const bucket = await newS3Bucket();
    const fields = signedForm(bucket, { key: 'k' });
    expectS3Refusal(await send(bucket, signedForm(bucket, {})), 400, 'InvalidArgument');
    expectS3Refusal(await post(bucket, partsOf(fields)), 400, 'InvalidArgument');
    const { 'x-amz-signature': _, ...unsigned } = fields;
    expectS3Refusal(await send(bucket, unsigned), 400, 'InvalidArgument');
    expectS3Refusal(await send(`${bucket}-none`, fields), 404, 'NoSuchBucket');
    expectS3Refusal(
      await post(bucket, [field('key', 'a'), field('KEY', 'b'), file('x')]),
      400,
      'MalformedPOSTRequest',
    );
  });

  test('a policy that is none', async () => {
    const bucket = await newS3Bucket();
    const fields = signedForm(bucket, { key: 'k' }, { conditions: [['content-length-range', 0]] });
    expectS3Refusal(await send(bucket, fields), 400, 'InvalidPolicyDocument');
  });

  test('[S79] 2 MB of fields before the file are refused, and not read to their end', async () => {
    const bucket = await newS3Bucket();
    const answer = await send(bucket, {
      'x-ignore-a': 'x'.repeat(2_000_000),
      ...signedForm(bucket, { key: 'k' }),
    });
    expectS3Refusal(answer, 400, 'MaxPostPreDataLengthExceeded');
  });

  test('[S64] promises that nobody keeps, and values that no header can have', async () => {
    const bucket = await newS3Bucket();
    const refused = async (extra: Fields, status: number, code: string) =>
      expectS3Refusal(await send(bucket, signedForm(bucket, { key: 'k', ...extra })), status, code);
    await refused({ 'x-amz-server-side-encryption': 'AES256' }, 501, 'NotImplemented');
    await refused({ acl: 'public-read' }, 400, 'AccessControlListNotSupported');
    await refused({ 'x-amz-storage-class': 'GLACIER_IR' }, 400, 'InvalidStorageClass');
    await refused({ 'x-amz-meta-a': 'b\r\nSet-Cookie: c' }, 400, 'InvalidArgument');
    expect((await s3(`/${bucket}/k`)).status).toBe(404);
  });
});
