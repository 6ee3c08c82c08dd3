/** The wire forms of Qiniu's SDKs for Python, Go and Java, sent again as they stand. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { createDeployment, type Deployment } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  authorizationOf,
  base64,
  dateHeader,
  entry,
  FORM,
  multipart,
  type RecordedRequest,
  type Setting,
  send,
  upToken,
} from '../support/qiniu-wire.ts';
import type { RawResponse } from '../support/raw.ts';
import { target } from '../support/target.ts';

const BUCKET = 'family-wire';
let deployment: Deployment;
let setting: Setting;

beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    settings: { MILLPOND_DIALECT: 'qiniu', MILLPOND_MEDIA_SLOTS: '1' },
  });
  const keys = await deployment.createAccount(undefined, BUCKET);
  const { url } = await deployment.start();
  setting = { url, host: new URL(url).host, keys, bucket: BUCKET };
});
afterAll(() => deployment?.destroy());

async function ok(request: RecordedRequest): Promise<RawResponse> {
  const answer = await send(setting, request);
  expect(answer.status, answer.text()).toBe(200);
  // Go takes an answer without it for a hijacked one, Java for none, Python for a broken line.
  expect(answer.header('x-reqid')).toMatch(/./);
  return answer;
}

const deadline = () => Math.floor(Date.now() / 1000) + 3600;
const tokenFor = (key?: string) =>
  upToken(setting.keys, { scope: key === undefined ? BUCKET : `${BUCKET}:${key}`, deadline: deadline() });

describe('Python', () => {
  const agent = ['User-Agent', 'QiniuPython/7.17.0 (Linux; x86_64; ) Python/3.11.2'] as const;
  const common = [
    agent,
    ['Accept-Encoding', 'gzip, deflate'],
    ['Accept', '*/*'],
    ['Connection', 'keep-alive'],
  ] as const;
  const form = [...common, ['Content-Type', FORM]] as const;
  const manage = () => [...form, dateHeader()];

  test('put_data: token, key and crc32 before the file', async () => {
    const content = 'from python';
    const body = multipart('f5a2c9d1', [
      ['key', 'python'],
      ['token', tokenFor('python')],
      ['crc32', String(crc32(content))],
      ['file', content, '; filename="file_name"\r\nContent-Type: application/octet-stream'],
    ]);
    const headers = [...common, ['Content-Type', 'multipart/form-data; boundary=f5a2c9d1']] as const;
    const answer = await ok({ method: 'POST', target: '/', headers, body });
    expect(answer.json()).toMatchObject({ key: 'python', hash: expect.stringMatching(/^F/) });
  });

  test('stat by POST, batch without leading slashes, list by GET', async () => {
    const stated = await ok({
      method: 'POST',
      target: `/stat/${entry(BUCKET, 'python')}`,
      headers: manage(),
      sign: 'Qiniu',
    });
    expect(stated.json()).toMatchObject({ fsize: 11 });
    const batch = await ok({
      method: 'POST',
      target: '/batch',
      headers: manage(),
      body: `op=stat%2F${encodeURIComponent(entry(BUCKET, 'python'))}&op=copy%2F${encodeURIComponent(entry(BUCKET, 'python'))}%2F${encodeURIComponent(entry(BUCKET, 'python copy'))}%2Fforce%2Ftrue`,
      sign: 'Qiniu',
    });
    expect(batch.json()).toMatchObject([{ code: 200, data: { fsize: 11 } }, { code: 200 }]);
    const list = await ok({
      method: 'GET',
      target: `/list?bucket=${BUCKET}&limit=10&prefix=python`,
      headers: manage(),
      sign: 'Qiniu',
    });
    expect(list.json()).toMatchObject({ items: [{ key: 'python' }, { key: 'python copy' }] });
  });

  test('pfop without its slash and prefop, both by the old signature', async () => {
    const body = `bucket=${BUCKET}&key=python&fops=qhash%2Fmd5&force=1`;
    const submitted = await ok({ method: 'POST', target: '/pfop', headers: form, body, sign: 'QBox' });
    const { persistentId } = submitted.json() as { persistentId: string };
    const asked = {
      method: 'GET',
      target: `/status/get/prefop?id=${persistentId}`,
      headers: common,
    } as const;
    expect((await ok({ ...asked, sign: 'QBox' })).json()).toMatchObject({ id: persistentId });
  });

  test('a resumable upload of the older form: mkblk and mkfile', async () => {
    const content = 'b'.repeat(5000);
    const octets = [...common, ['Content-Type', 'application/octet-stream']] as const;
    const sign = { upToken: tokenFor('python blocks') };
    const block = await ok({ method: 'POST', target: '/mkblk/5000', headers: octets, body: content, sign });
    expect(block.json()).toMatchObject({ crc32: crc32(content), offset: 5000 });
    const { ctx } = block.json() as { ctx: string };
    const path = `/mkfile/5000/mimeType/${base64('text/plain')}/key/${base64('python blocks')}/fname/${base64('f.txt')}`;
    const made = await ok({ method: 'POST', target: path, headers: octets, body: ctx, sign });
    expect(made.json()).toMatchObject({ key: 'python blocks' });
  });
});

describe('Go', () => {
  const common = [
    ['User-Agent', 'QiniuGo/7.25.5 (linux; amd64; ) go1.23.1'],
    ['Accept-Encoding', 'gzip'],
  ] as const;
  const manage = () => [...common, ['Content-Type', FORM] as const, dateHeader()];

  test('the region is asked for without a credential', async () => {
    const target = `/v4/query?ak=${setting.keys.accessKey}&bucket=${BUCKET}`;
    const { hosts } = (await ok({ method: 'GET', target, headers: common })).json() as {
      hosts: { up: { domains: string[] } }[];
    };
    expect(hosts[0]?.up.domains).toEqual([setting.host]);
  });

  test('an upload in parts, with MD5 in hex', async () => {
    const content = 'g'.repeat(70_000);
    const sign = { upToken: tokenFor('go') };
    const uploads = `/buckets/${BUCKET}/objects/${base64('go')}/uploads`;
    const begun = await ok({ method: 'POST', target: uploads, headers: common, sign });
    const { uploadId } = begun.json() as { uploadId: string };
    const md5 = createHash('md5').update(content).digest('hex');
    const headers = [...common, ['Content-Type', 'application/octet-stream'], ['Content-Md5', md5]] as const;
    const part = await ok({
      method: 'PUT',
      target: `${uploads}/${uploadId}/1`,
      headers,
      body: content,
      sign,
    });
    const { etag } = part.json() as { etag: string };
    expect(part.json()).toMatchObject({ md5 });
    const listed = await ok({
      method: 'GET',
      target: `${uploads}/${uploadId}?max-parts=1000`,
      headers: common,
      sign,
    });
    expect(listed.json()).toMatchObject({ uploadId, parts: [{ partNumber: 1, size: 70_000 }] });
    const completed = await ok({
      method: 'POST',
      target: `${uploads}/${uploadId}`,
      headers: [...common, ['Content-Type', 'application/json']],
      body: JSON.stringify({ parts: [{ etag, partNumber: 1 }], fname: 'f', customVars: { 'x:a': '1' } }),
      sign,
    });
    expect(completed.json()).toMatchObject({ key: 'go', hash: etag });
  });

  test('stat, chgm with a condition, chtype, the streamed list, delete', async () => {
    const call = (method: string, path: string) =>
      ok({ method, target: path, headers: manage(), sign: 'Qiniu' });
    const { hash } = (await call('GET', `/stat/${entry(BUCKET, 'go')}`)).json() as { hash: string };
    const cond = base64(`hash=${hash}`);
    await call(
      'POST',
      `/chgm/${entry(BUCKET, 'go')}/mime/${base64('text/x-go')}/x-qn-meta-a/${base64('b')}/cond/${cond}`,
    );
    await call('POST', `/chtype/${entry(BUCKET, 'go')}/type/1`);
    const list = {
      method: 'POST',
      target: `/v2/list?bucket=${BUCKET}&prefix=go`,
      headers: manage(),
      sign: 'Qiniu',
    } as const;
    const headers = [...list.headers, ['Authorization', authorizationOf(setting, list) ?? '']] as [
      string,
      string,
    ][];
    const streamed = await fetch(setting.url + list.target, { method: list.method, headers });
    const lines = (await streamed.text()).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { item: { key: 'go', mimeType: 'text/x-go', type: 1, 'x-qn-meta': { a: 'b' } } },
    ]);
    await call('POST', `/delete/${entry(BUCKET, 'go')}`);
  });
});

describe('Java', () => {
  const common = [
    ['User-Agent', 'QiniuJava/7.17.0 (Linux amd64 5.10) Java/17.0.9'],
    ['Accept-Encoding', 'gzip'],
    ['Connection', 'Keep-Alive'],
  ] as const;
  const form = [...common, ['Content-Type', FORM]] as const;

  test('a form by okhttp: parts with lengths, the file last', async () => {
    const content = 'from java';
    const length = (text: string) => `\r\nContent-Length: ${Buffer.byteLength(text)}`;
    const token = tokenFor('java');
    const body = multipart('0d1c7f3a-2b8e', [
      ['token', token, length(token)],
      ['key', 'java', length('java')],
      ['crc32', String(crc32(content)), length(String(crc32(content)))],
      ['file', content, `; filename="fileName"\r\nContent-Type: application/octet-stream${length(content)}`],
    ]);
    const headers = [...common, ['Content-Type', 'multipart/form-data; boundary=0d1c7f3a-2b8e']] as const;
    expect((await ok({ method: 'POST', target: '/', headers, body })).json()).toMatchObject({ key: 'java' });
  });

  test('older calls by the old signature: stat, copy, move, delete', async () => {
    const call = (path: string) => ok({ method: 'POST', target: path, headers: form, sign: 'QBox' });
    const [one, two, three] = ['java', 'java 2', 'java 3'].map((key) => entry(BUCKET, key));
    expect((await call(`/stat/${one}`)).json()).toMatchObject({ fsize: 9 });
    await call(`/copy/${one}/${two}/force/false`);
    await call(`/move/${two}/${three}/force/true`);
    // As the SDK for C writes it.
    await call(`/copy/${one}/${two}/force/0`);
    await call(`/copy/${one}/${three}/force/1`);
    await call(`/delete/${two}`);
    await call(`/delete/${three}`);
  });

  test('newer calls by the new one: buckets, information, region', async () => {
    const call = (method: string, path: string) =>
      ok({ method, target: path, headers: [...form, dateHeader()], sign: 'Qiniu' });
    expect((await call('POST', '/buckets')).json()).toEqual([BUCKET]);
    expect((await call('POST', `/v2/bucketInfo?bucket=${BUCKET}`)).json()).toMatchObject({ private: 0 });
    const { host } = new URL(setting.url);
    const query = `/v3/query?ak=${setting.keys.accessKey}&bucket=${BUCKET}`;
    expect((await ok({ method: 'GET', target: query, headers: common })).json()).toMatchObject({
      // Where the SDK for Java looks for them.
      hosts: [
        {
          ttl: 3600,
          up: { src: { main: [host] }, acc: { main: [host] } },
          io: { src: { main: [host] } },
          rs: { acc: { main: [host] } },
          rsf: { acc: { main: [host] } },
          api: { acc: { main: [host] } },
        },
      ],
    });
  });

  test('an unknown upload says so in the words that make it begin anew', async () => {
    const uploads = `/buckets/${BUCKET}/objects/${base64('java')}/uploads`;
    const answer = await send(setting, {
      method: 'PUT',
      target: `${uploads}/00000000-0000-7000-8000-000000000000/1`,
      headers: [...common, ['Content-Type', 'application/octet-stream']],
      body: 'x',
      sign: { upToken: tokenFor('java') },
    });
    expect([answer.status, answer.text()]).toEqual([612, expect.stringContaining('no such uploadId')]);
  });
});

test('a signature over other bytes is refused, whichever client made it', async () => {
  const target = `/stat/${entry(BUCKET, 'java')}`;
  for (const sign of ['Qiniu', 'QBox'] as const) {
    const forged = { ...setting, keys: { ...setting.keys, secretKey: 'another' } };
    const headers = [['Content-Type', FORM]] as const;
    expect((await send(forged, { method: 'POST', target, headers, sign })).status).toBe(401);
  }
});
