/** Calls that only Qiniu's SDKs make, and calls that they make in another way than its documentation says. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { createDeployment, type Deployment } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  authorizationOf,
  base64,
  dateHeader,
  FORM,
  multipart,
  type Setting,
  send,
  upToken,
} from '../support/qiniu-wire.ts';
import { type RawResponse, rawFetch } from '../support/raw.ts';
import { target } from '../support/target.ts';

const BUCKET = 'family-calls';
const MEBIBYTE = 1024 * 1024;
let deployment: Deployment;
let setting: Setting;

beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    settings: {
      MILLPOND_DIALECT: 'qiniu',
      MILLPOND_DOWNLOAD_SUFFIX: 'dl.family.test',
      MILLPOND_HOSTS:
        'up=up.family.test,io=io.family.test,rs=rs.family.test,uc=uc.family.test,api=api.family.test',
    },
  });
  const keys = await deployment.createAccount(undefined, BUCKET);
  const { url } = await deployment.start();
  setting = { url, host: new URL(url).host, keys, bucket: BUCKET };
});
afterAll(() => deployment?.destroy());

const tokenFor = (policy: object = {}) =>
  upToken(setting.keys, { scope: BUCKET, deadline: Math.floor(Date.now() / 1000) + 3600, ...policy });

function managed(method: string, path: string, host = setting.host): Promise<RawResponse> {
  const headers = [['Content-Type', FORM] as const, dateHeader()];
  return send({ ...setting, host }, { method, target: path, headers, sign: 'Qiniu' });
}

function uploaded(path: string, body: string | Uint8Array, token = tokenFor()): Promise<RawResponse> {
  const headers = [['Content-Type', 'application/octet-stream']] as const;
  return send(setting, { method: 'POST', target: path, headers, body, sign: { upToken: token } });
}

const download = async (key: string) => (await fetch(`${setting.url}/${BUCKET}/${key}`)).text();

describe('a file as Base64 text (Go, browsers)', () => {
  const content = 'base64 content \u{1f600}';
  const body = Buffer.from(content).toString('base64');
  const size = Buffer.byteLength(content);

  test('is stored, with its key, type, checksum and variables', async () => {
    const path = `/putb64/${size}/key/${base64('b64.txt')}/mimeType/${base64('text/x-b64')}/crc32/${crc32(content)}/x:a/${base64('b')}`;
    const answer = await uploaded(
      path,
      body,
      tokenFor({ returnBody: '{"k":$(key),"m":$(mimeType),"a":$(x:a)}' }),
    );
    expect(answer.json()).toEqual({ k: 'b64.txt', m: 'text/x-b64', a: 'b' });
    expect(await download('b64.txt')).toBe(content);
  });

  test('may be of unknown size, without a key, in the URL-safe alphabet, and larger than a small object', async () => {
    const large = Buffer.alloc(MEBIBYTE, 251);
    const answer = await uploaded('/putb64/-1', large.toString('base64url'));
    const { hash, key } = answer.json() as { hash: string; key: string };
    expect(key).toBe(hash);
    const stored = await fetch(`${setting.url}/${BUCKET}/${key}`);
    expect(Buffer.from(await stored.arrayBuffer()).equals(large)).toBe(true);
  });

  test('is refused if it is no Base64, has another size or another checksum', async () => {
    const refused = async (path: string, text = body) => (await uploaded(path, text)).status;
    expect(await refused(`/putb64/${size}`, `${body.slice(0, -2)}*=`)).toBe(400);
    expect(await refused(`/putb64/${size + 1}`)).toBe(400);
    expect(await refused(`/putb64/${size}/crc32/1`)).toBe(406);
    expect(await refused(`/putb64/${size}/crc32/x`)).toBe(400);
    expect(await refused(`/putb64/${size}/crc32`)).toBe(400);
    const unsigned = { method: 'POST', target: `/putb64/${size}`, body };
    expect((await send(setting, unsigned)).status).toBe(401);
  });
});

test('a file as Base64 text takes as long as its token allows', async () => {
  const began = performance.now();
  const body = Buffer.alloc(150_000, 1).toString('base64');
  expect((await uploaded('/putb64/150000', body, tokenFor({ trafficLimit: 819_200 }))).status).toBe(200);
  // 200,000 bytes at 100 KiB a second.
  expect(performance.now() - began).toBeGreaterThan(1500);
});

test('a file of full blocks may end with an empty one (Java)', async () => {
  const block = Buffer.alloc(4 * MEBIBYTE, 7);
  const first = (await uploaded(`/mkblk/${block.length}`, block)).json() as { ctx: string };
  const empty = (await uploaded('/mkblk/0', '')).json() as { ctx: string; offset: number; checksum: string };
  expect(empty).toMatchObject({
    offset: 0,
    crc32: 0,
    checksum: createHash('sha1').digest('base64url').padEnd(28, '='),
  });
  const made = await uploaded(`/mkfile/${block.length}/key/${base64('full')}`, `${first.ctx},${empty.ctx}`);
  expect([made.status, made.json()]).toEqual([200, { key: 'full', hash: expect.any(String) }]);
  expect((await uploaded('/mkblk/0', 'x')).status).toBe(400);
  expect((await uploaded('/mkblk/0/more', '')).status).toBe(400);
});

test('blocks become a file by its entry (Ruby)', async () => {
  const { ctx } = (await uploaded('/mkblk/5', 'hello')).json() as { ctx: string };
  const path = (bucket: string) =>
    `/rs-mkfile/${base64(`${bucket}:by entry`)}/fsize/5/mimeType/${base64('text/x-ruby')}`;
  expect((await uploaded(path('another'), ctx)).status).toBe(403);
  expect((await uploaded(path(BUCKET), ctx)).json()).toMatchObject({ key: 'by entry' });
  expect(await download('by%20entry')).toBe('hello');
});

test('the answer to an upload repeats its custom variables (Go, Node)', async () => {
  const body = multipart('b', [
    ['token', tokenFor()],
    ['key', 'variables'],
    ['x:foo', 'b"r'],
    ['file', 'content', '; filename="f"'],
  ]);
  const headers = [['Content-Type', 'multipart/form-data; boundary=b']] as const;
  const answer = await send(setting, { method: 'POST', target: '/', headers, body });
  expect(answer.json()).toEqual({ key: 'variables', hash: expect.any(String), 'x:foo': 'b"r' });
});

test('a bucket is made private at once (qshell)', async () => {
  expect((await managed('POST', '/mkbucketv3/family-private/region/z0/private/true')).status).toBe(200);
  expect((await managed('POST', '/mkbucketv3/family-public/region/z0/private/false')).status).toBe(200);
  expect((await managed('POST', '/mkbucketv3/family-third/region/z0/private/maybe')).status).toBe(400);
  const infos = (await managed('POST', '/v2/bucketInfos?region=z0')).json() as {
    name: string;
    info: object;
  }[];
  expect(infos.filter(({ name }) => /private|public|third/.test(name))).toEqual([
    { name: 'family-private', info: expect.objectContaining({ private: 1, region: 'z0' }) },
    { name: 'family-public', info: expect.objectContaining({ private: 0, region: 'z0' }) },
  ]);
});

test('buckets of a region as records (Python, PHP), and of all (kodo-s3-adapter-sdk)', async () => {
  for (const [method, target] of [
    ['POST', '/v3/buckets?region=z0'],
    ['GET', '/v2/buckets?shared=rd'],
  ] as const)
    expect((await managed(method, target)).json()).toContainEqual({
      id: expect.stringMatching(/^\d+$/),
      tbl: BUCKET,
      uid: expect.any(Number),
      region: 'z0',
      zone: 'z0',
      ctime: expect.any(Number),
    });
  expect((await managed('POST', '/v3/buckets?region=elsewhere')).json()).toEqual([]);
});

test('facts of one bucket, by its path (kodo-s3-adapter-sdk)', async () => {
  expect((await managed('GET', `/bucket/${BUCKET}`)).json()).toMatchObject({ region: 'z0', private: 0 });
  expect((await managed('GET', '/bucket/of-nobody')).status).toBe(631);
  for (const more of ['more', 'more/of/it', ''])
    expect((await managed('GET', `/bucket/${BUCKET}/${more}`)).status, more).toBe(404);
});

test('domains of a bucket, and a port that is signed but not sent (Ruby, Java)', async () => {
  expect((await managed('POST', `/v7/domain/list?tbl=${BUCKET}`)).json()).toEqual([]);
  const headers = [['Content-Type', FORM] as const, dateHeader()];
  const call = { method: 'POST', target: '/buckets', headers, sign: 'Qiniu' } as const;
  const authorization = authorizationOf(setting, call) ?? '';
  const sentTo = async (host: string) => {
    const sent = {
      ...call,
      headers: [...headers, ['Authorization', authorization] as const],
      body: '',
      host,
    };
    return (await rawFetch(sent, setting.url)).status;
  };
  expect(await sentTo('127.0.0.1')).toBe(200);
  expect(await sentTo('127.0.0.1:1')).toBe(401);
  expect(await sentTo('localhost')).toBe(401);
});

test('calls at the host of another role (Ruby, PHP)', async () => {
  expect((await managed('GET', '/buckets', 'rs.family.test')).json()).toContain(BUCKET);
  expect((await managed('POST', `/getbucketquota/${BUCKET}`, 'api.family.test')).json()).toEqual({
    size: -1,
    count: -1,
  });
  expect((await managed('GET', '/buckets', 'api.family.test')).status).toBe(404);
});

describe('where a bucket is', () => {
  const asked = async (version: string) => {
    const path = `/${version}/query?ak=${setting.keys.accessKey}&bucket=${BUCKET}`;
    return (await send(setting, { method: 'GET', target: path })).json() as Record<string, unknown>;
  };

  test('its own host of downloads, where there is a suffix (Go)', async () => {
    const own = [`${BUCKET}.dl.family.test`];
    expect(await asked('v4')).toMatchObject({
      hosts: [{ io_src: { domains: own }, io: { domains: ['io.family.test'] } }],
    });
    expect(await asked('v2')).toMatchObject({ io_src: { src: { main: own } } });
  });

  test('as URLs, in the first form of the query (Java)', async () => {
    expect(await asked('v1')).toEqual({
      ttl: 3600,
      global: false,
      http: { io: ['http://io.family.test'], up: ['http://up.family.test', 'http://up.family.test'] },
      https: { io: ['https://io.family.test'], up: ['https://up.family.test', 'https://up.family.test'] },
    });
  });
});
