/** CORS on the S3 listener: its rules are S3's, also where those of our own hosts differ. */
import { describe, expect, test } from 'vitest';
import { bucketDo, bucketJson } from '../support/objects/buckets.ts';
import { elementsIn, expectS3Refusal, newS3Bucket, s3 } from '../support/s3/signed.ts';
import { newBucket } from '../support/target.ts';

const ORIGIN = 'https://app.example';
const RULE =
  '<CORSRule><ID>one</ID><AllowedHeader>x-amz-*</AllowedHeader><AllowedHeader>Content-Type</AllowedHeader>' +
  '<AllowedMethod>PUT</AllowedMethod><AllowedMethod>GET</AllowedMethod><AllowedOrigin>https://App.other</AllowedOrigin>' +
  `<AllowedOrigin>${ORIGIN}</AllowedOrigin><ExposeHeader>ETag</ExposeHeader><MaxAgeSeconds>60</MaxAgeSeconds></CORSRule>`;
const setRules = (bucket: string, rules: string) =>
  s3(`/${bucket}?cors`, { method: 'PUT', body: `<CORSConfiguration>${rules}</CORSConfiguration>` });
const preflight = (path: string, headers: Record<string, string>) =>
  s3(path, { method: 'OPTIONS', by: 'nobody', headers });
const ASKED = { origin: ORIGIN, 'access-control-request-method': 'PUT' };

async function ruledBucket(): Promise<string> {
  const bucket = await newS3Bucket();
  expect((await setRules(bucket, RULE)).status).toBe(200);
  return bucket;
}

describe('rules', () => {
  test('are given back as they were set, and shown natively', async () => {
    const bucket = await ruledBucket();
    const shown = await s3(`/${bucket}?cors`);
    expect(shown.text).toContain(RULE);
    expect(elementsIn(shown, 'AllowedMethod')).toEqual(['PUT', 'GET']);
    const [native] = await bucketJson<Record<string, unknown>[]>(`/corsRules/get/${bucket}`, {
      method: 'GET',
    });
    expect(native).toEqual({
      allowed_origin: ['https://App.other', ORIGIN],
      allowed_method: ['PUT', 'GET'],
      allowed_header: ['x-amz-*', 'Content-Type'],
      exposed_header: ['ETag'],
      max_age: 60,
    });
    expect((await s3(`/${bucket}?cors`, { method: 'DELETE' })).status).toBe(204);
    expectS3Refusal(await s3(`/${bucket}?cors`), 404, 'NoSuchCORSConfiguration');
  });

  test('set natively apply here', async () => {
    const bucket = await newBucket();
    const rule = { allowed_origin: [ORIGIN], allowed_method: ['PUT'], max_age: 5 };
    await bucketDo(`/corsRules/set/${bucket}`, { body: JSON.stringify([rule]) });
    expect((await preflight(`/${bucket}/k`, ASKED)).headers.get('access-control-max-age')).toBe('5');
  });

  test.each([
    ['no rule', '', 400, 'MalformedXML'],
    ['no method', '<CORSRule><AllowedOrigin>*</AllowedOrigin></CORSRule>', 400, 'MalformedXML'],
    ['another method', RULE.replace('PUT', 'PATCH'), 400, 'InvalidRequest'],
    ['eleven rules', RULE.repeat(11), 400, 'InvalidRequest'],
  ])('%s: refused, and what was there stays', async (_, rules, status, code) => {
    const bucket = await ruledBucket();
    expectS3Refusal(await setRules(bucket, rules), status, code);
    expect((await s3(`/${bucket}?cors`)).text).toContain(RULE);
  });
});

describe('a preflight [S80]', () => {
  test('needs no signature, and is answered by the rule', async () => {
    const bucket = await ruledBucket();
    const headers = { ...ASKED, 'access-control-request-headers': 'x-amz-date, content-type' };
    const answer = await preflight(`/${bucket}/any/key`, headers);
    expect(answer.status).toBe(200);
    expect(
      Object.fromEntries([...answer.headers].filter(([name]) => /^access-control|^vary$/.test(name))),
    ).toEqual({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'PUT, GET',
      'access-control-allow-headers': 'x-amz-date, content-type',
      'access-control-expose-headers': 'ETag',
      'access-control-max-age': '60',
      'access-control-allow-credentials': 'true',
      vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
    });
  });

  test('of another origin, method or header is forbidden; origins are exact', async () => {
    const bucket = await ruledBucket();
    for (const changes of [
      { origin: 'https://other.example' },
      { origin: 'https://app.other' },
      { 'access-control-request-method': 'DELETE' },
      { 'access-control-request-headers': 'authorization' },
    ])
      expectS3Refusal(await preflight(`/${bucket}/k`, { ...ASKED, ...changes }), 403, 'AccessForbidden');
    const { origin, ...withoutOrigin } = ASKED;
    expectS3Refusal(await preflight(`/${bucket}/k`, withoutOrigin), 400, 'BadRequest');
    expectS3Refusal(await preflight(`/${bucket}/k`, { origin }), 400, 'BadRequest');
  });

  test('without rules is forbidden, though natively everybody may read', async () => {
    const bucket = await newBucket();
    expectS3Refusal(await preflight(`/${bucket}/k`, ASKED), 403, 'AccessForbidden');
    const answer = await s3(`/${bucket}/k`, { by: 'nobody', headers: { origin: ORIGIN } });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('every answer to a page', () => {
  test('has the headers, also 403 and 404 [S81]', async () => {
    const bucket = await ruledBucket();
    const headers = { origin: ORIGIN };
    const stored = await s3(`/${bucket}/k`, { method: 'PUT', body: 'x', headers });
    const found = await s3(`/${bucket}/k`, { headers });
    const missing = await s3(`/${bucket}/none`, { headers });
    const refused = await s3(`/${bucket}/k`, { headers, by: 'nobody' });
    expect([stored, found, missing, refused].map(({ status }) => status)).toEqual([200, 200, 404, 403]);
    for (const answer of [stored, found, missing, refused]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(answer.headers.get('access-control-expose-headers')).toBe('ETag');
      expect(answer.headers.get('vary')).toContain('Origin');
    }
    const other = await s3(`/${bucket}/k`, { headers: { origin: 'https://other.example' } });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
  });
});
