/** Presigned URLs and signed bodies over HTTP: they do what they say, and nothing else. */
import { createHash, createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createParent, operate } from '../support/accounts/operator.ts';
import { presigned, putChunked } from '../support/s3/presigned.ts';
import { elementsIn, expectS3Refusal, newS3Bucket, type S3Call, s3 } from '../support/s3/signed.ts';
import { target } from '../support/target.ts';

const by = (path: string, call: Omit<S3Call, 'by'> = {}) => s3(path, { ...call, by: 'nobody' });
const MINUTE = 60_000;
/** What a gateway knows of a key is no older. */
const CONTROL_CACHE_MS = 5000;

describe('a key', () => {
  test('[S13] that is disabled is refused within 5 s, also by URLs that it signed before', async () => {
    const owner = await createParent();
    const path = '/s3-of-a-disabled-key/k';
    await s3(path.slice(0, -2), { method: 'PUT', by: owner });
    expect((await s3(path, { method: 'PUT', body: 'hello', by: owner })).status).toBe(200);
    const url = presigned('GET', path, { by: owner, expires: 3600 });
    expect((await by(url)).text).toBe('hello');
    await operate(['key', 'disable', owner.accessKey]);
    await setTimeout(CONTROL_CACHE_MS);
    expectS3Refusal(await by(url), 403, 'InvalidAccessKeyId');
    expectS3Refusal(await s3(path, { by: owner }), 403, 'InvalidAccessKeyId');
    await operate(['key', 'enable', owner.accessKey]);
    await setTimeout(CONTROL_CACHE_MS);
    expect((await by(url)).text).toBe('hello');
  });
});

describe('a presigned URL', () => {
  test('reads, writes and removes, each by its own', async () => {
    const bucket = await newS3Bucket();
    const path = `/${bucket}/k`;
    expect((await by(presigned('PUT', path), { method: 'PUT', body: 'hello' })).status).toBe(200);
    expect((await by(presigned('GET', path))).text).toBe('hello');
    expect((await by(presigned('DELETE', path), { method: 'DELETE' })).status).toBe(204);
    expectS3Refusal(await by(presigned('GET', path)), 404, 'NoSuchKey');
  });

  test('[S7] takes no header that was not signed: a copy would read any object', async () => {
    const bucket = await newS3Bucket();
    await s3(`/${bucket}/secret`, { method: 'PUT', body: 'secret' });
    const url = presigned('PUT', `/${bucket}/k`);
    const added = { 'x-amz-copy-source': `/${bucket}/secret`, 'x-amz-acl': 'private', 'x-amz-meta-a': 'b' };
    for (const [name, value] of Object.entries(added)) {
      const answer = await by(url, { method: 'PUT', body: 'x', headers: { [name]: value } });
      expectS3Refusal(answer, 403, 'AccessDenied');
      expect(elementsIn(answer, 'HeadersNotSigned')).toEqual([name]);
    }
    expect((await s3(`/${bucket}/k`)).status).toBe(404);
  });

  test('[S8] does nothing else: no other method, parameter, key or bucket', async () => {
    const [bucket, other] = [await newS3Bucket(), await newS3Bucket()];
    await s3(`/${bucket}/k`, { method: 'PUT', body: 'hello' });
    const url = presigned('GET', `/${bucket}/k`);
    for (const method of ['DELETE', 'PUT', 'POST'])
      expectS3Refusal(await by(url, { method }), 403, 'SignatureDoesNotMatch');
    for (const changed of [
      `${url}&tagging`,
      `${url}&acl=`,
      `${url}&response-content-type=text%2Fhtml`,
      `${url}&versionId=null`,
      url.replace('/k?', '/l?'),
      url.replace('/k?', '/?'),
      url.replace(bucket, other),
    ])
      expectS3Refusal(await by(changed), 403, 'SignatureDoesNotMatch');
    expect((await s3(`/${bucket}/k`)).text).toBe('hello');
  });

  test('[S9] ends when it says, begins not long before, and lasts a week at most', async () => {
    const bucket = await newS3Bucket();
    await s3(`/${bucket}/k`, { method: 'PUT', body: 'hello' });
    const read = (expires: number, minutes: number) =>
      by(presigned('GET', `/${bucket}/k`, { expires, at: new Date(Date.now() + minutes * MINUTE) }));
    expect((await read(604_800, -10_000)).status).toBe(200);
    expect((await read(60, 14)).status).toBe(200);
    const expired = await read(60, -2);
    expectS3Refusal(expired, 403, 'AccessDenied');
    expect([elementsIn(expired, 'Message'), expired.headers.has('date')]).toEqual([
      ['Request has expired'],
      true,
    ]);
    expectS3Refusal(await read(60, 16), 403, 'AccessDenied');
    expectS3Refusal(await read(604_801, 0), 400, 'AuthorizationQueryParametersError');
  });

  test('[S12] of the JS SDK takes any body, though it names the checksum of none; its headers count', async () => {
    const bucket = await newS3Bucket();
    const parameters = {
      'x-amz-checksum-crc32': 'AAAAAA==',
      'x-amz-sdk-checksum-algorithm': 'CRC32',
      'x-id': 'PutObject',
      'x-amz-meta-a': 'b',
    };
    const url = presigned('PUT', `/${bucket}/k`, { parameters });
    expect((await by(url, { method: 'PUT', body: 'any body' })).status).toBe(200);
    const read = await s3(`/${bucket}/k`);
    expect([read.text, read.headers.get('x-amz-meta-a')]).toEqual(['any body', 'b']);
  });

  test('of version 2 does nothing else, however names of parameters are spelled: a copy is no put', async () => {
    const bucket = await newS3Bucket();
    await s3(`/${bucket}/source`, { method: 'PUT', body: 'the source' });
    const source = encodeURIComponent(`/${bucket}/source`);
    const path = `/${bucket}/k`;
    const expires = Math.floor(Date.now() / 1000) + 60;
    const text = `PUT\n\n\n${expires}\nx-amz-acl:private\nx-amz-copy-source:/${bucket}/source\n${path}`;
    const { accessKey, secretKey } = target.account;
    const signature = encodeURIComponent(createHmac('sha1', secretKey).update(text).digest('base64'));
    const url = `${path}?AWSAccessKeyId=${accessKey}&Expires=${expires}&Signature=${signature}`;
    const forged = `${url}&${encodeURIComponent('x-amz-acl:private\nx-amz-copy-source')}=${source}`;
    expectS3Refusal(await by(forged, { method: 'PUT', body: 'of the holder' }), 400, 'InvalidArgument');
    const honest = `${url}&x-amz-acl=private&x-amz-copy-source=${source}`;
    expect((await by(honest, { method: 'PUT' })).status).toBe(200);
    expect((await s3(path)).text).toBe('the source');
  });

  test('cannot give an object metadata with a name that no header has', async () => {
    const path = `/${await newS3Bucket()}/k`;
    const parameters = { 'x-amz-meta-a\nb': '1' };
    expectS3Refusal(
      await by(presigned('PUT', path, { parameters }), { method: 'PUT', body: 'x' }),
      400,
      'InvalidArgument',
    );
    expect((await s3(path)).status).toBe(404);
  });

  test("signed by another's key opens nothing", async () => {
    const bucket = await newS3Bucket();
    await s3(`/${bucket}/k`, { method: 'PUT', body: 'hello' });
    const stranger = target.stranger;
    expectS3Refusal(await by(presigned('GET', `/${bucket}/k`, { by: stranger })), 403, 'AccessDenied');
    const wrong = { ...target.account, secretKey: stranger.secretKey };
    expectS3Refusal(await by(presigned('GET', `/${bucket}/k`, { by: wrong })), 403, 'SignatureDoesNotMatch');
    const unknown = { ...target.account, accessKey: 'nobody' };
    expectS3Refusal(await by(presigned('GET', `/${bucket}/k`, { by: unknown })), 403, 'InvalidAccessKeyId');
  });
});

describe('a body whose chunks are signed', () => {
  const chunks = ['a'.repeat(70_000), 'c'.repeat(10_000), 'b'.repeat(3)];
  const whole = chunks.join('');

  test('[S15] [S20] is stored decoded, with the MD5 of that; an empty one too', async () => {
    const bucket = await newS3Bucket();
    for (const parts of [chunks, []]) {
      const answer = await putChunked(`/${bucket}/k`, parts);
      const md5 = createHash('md5').update(parts.join('')).digest('hex');
      expect([answer.status, answer.headers.get('etag')]).toEqual([200, `"${md5}"`]);
      const read = await s3(`/${bucket}/k`);
      expect([read.text === parts.join(''), read.headers.get('content-encoding')]).toEqual([true, null]);
    }
  });

  test.each<[string, (body: string) => string, number, string]>([
    ['data', (body) => body.replace('bbb', 'bxb'), 403, 'SignatureDoesNotMatch'],
    [
      'a signature',
      (body) => body.replace(/(3;chunk-signature=)\w{4}/, '$10000'),
      403,
      'SignatureDoesNotMatch',
    ],
    ['a size', (body) => body.replace('\r\n3;', '\r\n2;'), 403, 'SignatureDoesNotMatch'],
    ['an extension', (body) => body.replace('\r\n3;', '\r\n3;a=b;'), 400, 'IncompleteBody'],
    ['the end', (body) => body.slice(0, -90), 400, 'IncompleteBody'],
    ['more after the end', (body) => `${body}x`, 400, 'IncompleteBody'],
    ['a size beyond all', (body) => body.replace('\r\n3;', '\r\nffffffffffffffff;'), 400, 'IncompleteBody'],
  ])('[S17] [S22] with %s changed leaves the old object', async (_, change, status, code) => {
    const bucket = await newS3Bucket();
    await s3(`/${bucket}/k`, { method: 'PUT', body: 'old' });
    expectS3Refusal(await putChunked(`/${bucket}/k`, chunks, { change }), status, code);
    expect((await s3(`/${bucket}/k`)).text).toBe('old');
  });

  test('may have less than 8 KiB in its last chunk only, as on AWS', async () => {
    const bucket = await newS3Bucket();
    const refused = await putChunked(`/${bucket}/k`, ['a'.repeat(8191), 'b']);
    expectS3Refusal(refused, 403, 'InvalidChunkSizeError');
    expect((await s3(`/${bucket}/k`)).status).toBe(404);
    expect((await putChunked(`/${bucket}/k`, ['a'.repeat(8192), 'b'])).status).toBe(200);
  });

  test('[S21] that is longer or shorter than it says is refused', async () => {
    const bucket = await newS3Bucket();
    for (const decodedLength of [whole.length - 1, whole.length + 1])
      expectS3Refusal(await putChunked(`/${bucket}/k`, chunks, { decodedLength }), 400, 'IncompleteBody');
    expect((await s3(`/${bucket}/k`)).status).toBe(404);
  });
});
