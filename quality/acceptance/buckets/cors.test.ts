/** CORS on downloads, as a browser sees it: what it asks first, and what it lets a page read. */
import { beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expectations.ts';
import { bucketCall, bucketDo, bucketJson, form } from '../support/objects/buckets.ts';
import { rawFetch } from '../support/raw.ts';
import { newBucket, upload } from '../support/target.ts';

const APP = 'https://app.example.com';
const OTHER = 'https://other.example.org';

function preflight(path: string, origin: string, method: string, headers?: string, host?: string) {
  return rawFetch({
    method: 'OPTIONS',
    target: path,
    ...(host === undefined ? {} : { host }),
    headers: [
      ['Origin', origin],
      ['Access-Control-Request-Method', method],
      ...(headers === undefined ? [] : [['Access-Control-Request-Headers', headers] as const]),
    ],
  });
}

function get(path: string, origin?: string, method = 'GET') {
  return rawFetch({ method, target: path, headers: origin === undefined ? [] : [['Origin', origin]] });
}

const listed = (value: string | undefined) => (value ?? '').toLowerCase().split(/\s*,\s*/);

async function bucketWith(rules: unknown): Promise<string> {
  const bucket = await newBucket();
  await upload({ scope: bucket }, 'content', { key: 'k' });
  if (rules !== undefined) await bucketDo(`/corsRules/set/${bucket}`, { body: JSON.stringify(rules) });
  return bucket;
}

describe('without rules', () => {
  let bucket: string;
  beforeAll(async () => {
    bucket = await bucketWith(undefined);
  });

  test('a preflight of a read is answered, and X-Reqid is exposed [answer-09]', async () => {
    for (const host of [undefined, `${bucket}.dl.example.test`]) {
      const path = host === undefined ? `/${bucket}/k` : '/k';
      const answer = await preflight(path, APP, 'GET', 'range, x-own', host);
      expect(answer.status).toBe(200);
      expect(answer.header('access-control-allow-origin')).toBe('*');
      expect(listed(answer.header('access-control-allow-methods'))).toEqual(['get', 'head']);
      expect(listed(answer.header('access-control-allow-headers'))).toEqual(['range', 'x-own']);
      expect(Number(answer.header('access-control-max-age'))).toBeGreaterThan(0);
      expect(listed(answer.header('access-control-expose-headers'))).toContain('x-reqid');
      expect(answer.header('x-reqid')).toMatch(/./);
      expect(answer.body.length).toBe(0);
    }
  });

  test('a page of any origin may read, refusals too, never with credentials [answer-10]', async () => {
    for (const [path, status, method] of [
      [`/${bucket}/k`, 200, 'GET'],
      [`/${bucket}/k`, 200, 'HEAD'],
      [`/${bucket}/none`, 404, 'GET'],
    ] as const) {
      const answer = await get(path, APP, method);
      expect([answer.status, answer.header('access-control-allow-origin')]).toEqual([status, '*']);
      expect(listed(answer.header('access-control-expose-headers'))).toContain('x-reqid');
      expect(answer.header('access-control-allow-credentials')).toBeUndefined();
    }
    await bucketDo('/private', { body: form({ bucket, private: 1 }) });
    await expect.poll(async () => (await get(`/${bucket}/k`, APP)).status).toBe(401);
    expect((await get(`/${bucket}/k`, APP)).header('access-control-allow-origin')).toBe('*');
    await bucketDo('/private', { body: form({ bucket, private: 0 }) });
    await expect.poll(async () => (await get(`/${bucket}/k`, APP)).status).toBe(200);
  });

  test('without an Origin nothing is said of it [answer-10]', async () => {
    const answer = await get(`/${bucket}/k`);
    expect(answer.headers.filter(([name]) => name.startsWith('access-control-') || name === 'vary')).toEqual(
      [],
    );
  });

  test('a preflight of a write is refused; one that is none answers 400 [answer-10]', async () => {
    for (const method of ['PUT', 'DELETE', 'POST'])
      expect((await preflight(`/${bucket}/k`, APP, method)).status).toBe(403);
    expect((await rawFetch({ method: 'OPTIONS', target: `/${bucket}/k` })).status).toBe(400);
    expect((await preflight(`/${bucket}/k`, APP, 'GET', 'a b;c')).status).toBe(400);
    expect((await preflight('/no-such-bucket/k', APP, 'GET')).status).toBe(404);
  });
});

describe('with rules', () => {
  const rules = [
    {
      allowed_origin: [APP, 'http://*.Example.net'],
      allowed_method: ['get', 'HEAD'],
      allowed_header: ['Range', 'X-Own-*'],
      exposed_header: ['X-One', 'x-two'],
      max_age: 77,
    },
    { allowed_origin: ['https://put.example.com'], allowed_method: ['PUT'] },
  ];
  let bucket: string;
  beforeAll(async () => {
    bucket = await bucketWith(rules);
  });

  test('they are kept and shown; an empty list takes them away [bucket-11]', async () => {
    for (const method of ['GET', 'POST'] as const) {
      expect(await bucketJson(`/corsRules/get/${bucket}`, { method })).toEqual([
        {
          allowed_origin: [APP, 'http://*.example.net'],
          allowed_method: ['GET', 'HEAD'],
          allowed_header: ['Range', 'X-Own-*'],
          exposed_header: ['X-One', 'x-two'],
          max_age: 77,
        },
        {
          allowed_origin: ['https://put.example.com'],
          allowed_method: ['PUT'],
          allowed_header: [],
          exposed_header: [],
          max_age: 0,
        },
      ]);
    }
    const other = await bucketWith(rules);
    await bucketDo(`/corsRules/set/${other}`, { body: '[]', contentType: 'application/json' });
    expect(await bucketJson(`/corsRules/get/${other}`)).toEqual([]);
    const openAgain = async () => (await get(`/${other}/k`, OTHER)).header('access-control-allow-origin');
    await expect.poll(openAgain).toBe('*');
  });

  test.each([
    [APP, 'GET', undefined, true],
    ['HTTPS://APP.EXAMPLE.COM', 'GET', 'range', true],
    ['http://a.example.net', 'HEAD', 'x-own-thing, RANGE', true],
    ['http://.example.net', 'GET', undefined, true],
    ['http://example.net', 'GET', undefined, false],
    ['http://a.example.net.evil.org', 'GET', undefined, false],
    ['https://a.example.net', 'GET', undefined, false],
    [APP, 'PUT', undefined, false],
    [APP, 'GET', 'x-other', false],
    [APP, 'GET', 'range, x-other', false],
    ['https://put.example.com', 'PUT', undefined, true],
    ['https://put.example.com', 'GET', undefined, false],
    ['null', 'GET', undefined, false],
    [OTHER, 'GET', undefined, false],
  ])('a preflight from %s by %s with %s: %s [bucket-11]', async (origin, method, headers, isAllowed) => {
    const answer = await preflight(`/${bucket}/k`, origin, method, headers);
    expect(answer.status).toBe(isAllowed ? 200 : 403);
    expect(answer.header('access-control-allow-origin')).toBe(isAllowed ? origin : undefined);
    expect(answer.header('vary')).toBe('Origin');
  });

  test('a preflight says the methods, headers and age of its rule [bucket-11]', async () => {
    const answer = await preflight(`/${bucket}/k`, APP, 'GET', 'x-own-a');
    expect(answer.header('access-control-allow-methods')).toBe('GET, HEAD');
    expect(answer.header('access-control-allow-headers')).toBe('x-own-a');
    expect(answer.header('access-control-max-age')).toBe('77');
  });

  test('a download answers by them [bucket-11] [answer-10]', async () => {
    const let_in = await get(`/${bucket}/k`, APP);
    expect([let_in.status, let_in.text()]).toEqual([200, 'content']);
    expect(let_in.header('access-control-allow-origin')).toBe(APP);
    expect(listed(let_in.header('access-control-expose-headers'))).toEqual([
      'x-reqid',
      'content-encoding',
      'x-one',
      'x-two',
    ]);
    const shut_out = await get(`/${bucket}/k`, OTHER);
    expect([shut_out.status, shut_out.text()]).toEqual([200, 'content']);
    expect(shut_out.header('access-control-allow-origin')).toBeUndefined();
    for (const answer of [let_in, shut_out, await get(`/${bucket}/k`), await get(`/${bucket}/none`, OTHER)])
      expect(answer.header('vary')).toBe('Origin');
  });

  test('they bind uploads not at all: those have their credential in the request [answer-09]', async () => {
    const answer = await preflight('/', OTHER, 'POST', 'content-type');
    expect([answer.status, answer.header('access-control-allow-origin')]).toEqual([200, '*']);
    expect(listed(answer.header('access-control-expose-headers'))).toContain('x-reqid');
  });
});

test('rules that are not well formed answer 400 and change nothing [bucket-11]', async () => {
  const bucket = await newBucket();
  const rule = { allowed_origin: ['*'], allowed_method: ['GET'] };
  const wrong = [
    '',
    '{',
    '{}',
    'null',
    '[1]',
    '[{}]',
    '[[]]',
    JSON.stringify([{ ...rule, allowed_origin: [] }]),
    JSON.stringify([{ ...rule, allowed_origin: 'x' }]),
    JSON.stringify([{ ...rule, allowed_origin: ['a b'] }]),
    JSON.stringify([{ ...rule, allowed_origin: ['a\r\nb'] }]),
    JSON.stringify([{ ...rule, allowed_origin: ['*.*'] }]),
    JSON.stringify([{ ...rule, allowed_method: ['*'] }]),
    JSON.stringify([{ ...rule, allowed_method: ['TRACE'] }]),
    JSON.stringify([{ ...rule, exposed_header: ['a: b'] }]),
    JSON.stringify([{ ...rule, exposed_header: ['a\r\nb'] }]),
    JSON.stringify([{ ...rule, max_age: -1 }]),
    JSON.stringify([{ ...rule, max_age: '1' }]),
    JSON.stringify([{ ...rule, max_age: 1e9 }]),
    JSON.stringify(Array.from({ length: 11 }, () => rule)),
    JSON.stringify([{ ...rule, allowed_header: Array.from({ length: 51 }, (_, n) => `x${n}`) }]),
    `[${' '.repeat(70_000)}]`,
  ];
  for (const body of wrong)
    await expectRefusal(await bucketCall(`/corsRules/set/${bucket}`, { body }), 400, 'invalid argument');
  expect(await bucketJson(`/corsRules/get/${bucket}`)).toEqual([]);
  await expectRefusal(await bucketCall('/corsRules/set/no-such', { body: '[]' }), 631, 'no such bucket');
});
