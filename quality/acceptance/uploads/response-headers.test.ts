/** Response headers of objects, by every way in and in both dialects: what was said there is what downloads say. */
import { Client } from '@millpond/client/server';
import {
  type Dialect,
  dialects,
  encodeBase64Text,
  formatEntry,
  type ResponseHeaders,
} from '@millpond/protocol';
import { createDeployment, type Deployment, signedFetch, uploadForm, uploadToken } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf } from '../support/objects/blocks.ts';
import { beginUpload, putParts, type Site } from '../support/objects/multipart.ts';
import { randomContent } from '../support/objects/objects.ts';
import { rawFetch } from '../support/raw.ts';
import { newBucket, target } from '../support/target.ts';

const MIB = 1024 * 1024;
const HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Disposition': `inline; filename="a \\"b\\".txt"; filename*=UTF-8''%C3%A4.txt`,
  'Content-Encoding': 'gzip, x-own',
  'Content-Language': 'de, en-GB',
  Expires: 'Tue, 15 Nov 2033 12:45:26 GMT',
} as const satisfies ResponseHeaders;
type Headers = Readonly<Record<string, string>>;

const inLowerCase = (headers: Headers) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

describe.each(['svc', 'qiniu'] as const)('in the dialect %s', (name) => {
  const dialect: Dialect = dialects[name];
  let deployment: Deployment | undefined;
  let bucket: string;
  let site: Site;

  beforeAll(async () => {
    if (name === 'svc') {
      [bucket, site] = [await newBucket(), target];
      return;
    }
    bucket = 'headers';
    deployment = await createDeployment({ store: target.store, settings: { MILLPOND_DIALECT: name } });
    const account = await deployment.createAccount(undefined, bucket);
    site = { url: (await deployment.start()).url, account };
  });
  afterAll(() => deployment?.destroy());

  const named = (headers: Headers) =>
    Object.fromEntries(
      Object.entries(headers).map(([each, value]) => [`${dialect.metaPrefix}!${each}`, value]),
    );
  const call = (path: string, body?: string) =>
    signedFetch(site.url, site.account, path, body === undefined ? { dialect } : { dialect, body });
  const changeOf = (key: string, headers: Headers) =>
    `/chgm/${formatEntry(bucket, key)}${Object.entries(named(headers))
      .map(([segment, value]) => `/${segment}/${encodeBase64Text(value)}`)
      .join('')}`;
  const put = (key: string, fields: Headers = {}, policy: Record<string, unknown> = {}) =>
    uploadForm(site.url, 'content', {
      token: uploadToken(site.account, { scope: `${bucket}:${key}`, ...policy }),
      key,
      mimeType: 'text/plain',
      fields,
    });
  const client = () =>
    new Client({
      url: site.url,
      credentials: { accessKey: site.account.accessKey, secretKey: site.account.secretKey },
      dialect: name,
    });

  /** What stat, both lists and every kind of download say. */
  async function expectHeaders(key: string, expected: Headers): Promise<void> {
    const record = (await (await call(`/stat/${formatEntry(bucket, key)}`)).json()) as Record<
      string,
      unknown
    >;
    const { items } = (await (await call(`/list?bucket=${bucket}&prefix=${key}`)).json()) as {
      items: Record<string, unknown>[];
    };
    const stream = await (await call(`/v2/list?bucket=${bucket}&prefix=${key}`)).text();
    const { item } = JSON.parse(stream.split('\n', 1)[0] ?? '') as { item: Record<string, unknown> };
    const isEmpty = Object.keys(expected).length === 0;
    for (const shown of [record, items[0], item])
      expect(shown?.responseHeaders).toEqual(isEmpty ? undefined : expected);
    for (const [method, status, headers] of [
      ['GET', 200, []],
      ['HEAD', 200, []],
      ['GET', 206, [['Range', 'bytes=1-3']]],
      ['HEAD', 206, [['Range', 'bytes=1-3']]],
      ['GET', 304, [['If-None-Match', '*']]],
    ] as const) {
      const answer = await rawFetch({ method, target: `/${bucket}/${key}`, headers }, site.url);
      const ours = answer.headers.filter(([each]) => each in inLowerCase(HEADERS));
      expect([answer.status, Object.fromEntries(ours), ours.length], `${method} ${status}`).toEqual([
        status,
        inLowerCase(expected),
        Object.keys(expected).length,
      ]);
    }
  }

  test('a form sets them by its fields [headers-01]', async () => {
    expect((await put('form', named(HEADERS))).status).toBe(200);
    await expectHeaders('form', HEADERS);
    expect((await put('lower', { [`${dialect.metaPrefix}!cache-control`]: 'no-store' })).status).toBe(200);
    await expectHeaders('lower', { 'Cache-Control': 'no-store' });
    expect((await put('empty', { [`${dialect.metaPrefix}!Expires`]: '' })).status).toBe(200);
    await expectHeaders('empty', {});
  });

  test('many forms at the same time set each their own [headers-01]', async () => {
    const keys = Array.from({ length: 24 }, (_, index) => `many-${index}`);
    const answers = await Promise.all(
      keys.map((key, index) =>
        put(key, index % 3 === 0 ? {} : named({ 'Cache-Control': `max-age=${index}` })),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (const [index, key] of keys.entries()) {
      const answer = await rawFetch({ method: 'HEAD', target: `/${bucket}/${key}` }, site.url);
      expect(answer.header('cache-control')).toBe(index % 3 === 0 ? undefined : `max-age=${index}`);
    }
  });

  test('the policy sets them, over what the client says; an empty one forbids [headers-02]', async () => {
    const said = named({ 'Cache-Control': 'no-store', 'Content-Encoding': 'br', 'Content-Language': 'fr' });
    const responseHeaders = { 'cache-control': 'max-age=60', 'Content-Encoding': '', Expires: '0' };
    expect((await put('policy', said, { responseHeaders })).status).toBe(200);
    await expectHeaders('policy', {
      'Cache-Control': 'max-age=60',
      'Content-Language': 'fr',
      Expires: '0',
    });
    expect((await put('alone', {}, { responseHeaders: HEADERS })).status).toBe(200);
    await expectHeaders('alone', HEADERS);
  });

  test('completing an upload in parts sets them, and its policy does [headers-01 headers-02]', async () => {
    const policy = { responseHeaders: { Expires: HEADERS.Expires } };
    const upload = await beginUpload(bucket, { key: 'parts', site, policy });
    const parts = await putParts(upload, [randomContent(MIB), 'end']);
    const metadata = named({ ...HEADERS, Expires: '0' });
    expect((await upload.complete(parts, { metadata })).status).toBe(200);
    await expectHeaders('parts', HEADERS);
  });

  test('mkfile sets them by its path, and its policy does [headers-01 headers-02]', async () => {
    const policy = { responseHeaders: { 'Cache-Control': HEADERS['Cache-Control'] } };
    const blocks = blocksOf(bucket, { site, policy });
    const { ctx } = (await (await blocks.mkblk(7, 'content')).json()) as { ctx: string };
    const fields = { key: 'blocks', ...named({ ...HEADERS, 'Cache-Control': 'no-store' }) };
    expect((await blocks.mkfile(7, [ctx], fields)).status).toBe(200);
    await expectHeaders('blocks', HEADERS);
  });

  test('chgm sets, replaces and removes them, alone and in a batch [headers-01]', async () => {
    await put('chgm');
    expect((await call(changeOf('chgm', HEADERS))).status).toBe(200);
    await expectHeaders('chgm', HEADERS);
    await call(changeOf('chgm', { 'cache-control': 'no-cache', Expires: '', 'Content-Encoding': '' }));
    const left = {
      'Cache-Control': 'no-cache',
      'Content-Disposition': HEADERS['Content-Disposition'],
      'Content-Language': HEADERS['Content-Language'],
    };
    await expectHeaders('chgm', left);
    await put('batch');
    const none = Object.fromEntries(Object.keys(left).map((each) => [each, '']));
    const body = [changeOf('batch', HEADERS), changeOf('chgm', none)]
      .map((each) => `op=${encodeURIComponent(each)}`)
      .join('&');
    expect((await call('/batch', body)).status).toBe(200);
    await expectHeaders('batch', HEADERS);
    await expectHeaders('chgm', {});
  });

  test('a new upload under the key begins without them [headers-05]', async () => {
    await put('again', named(HEADERS));
    const other = { token: uploadToken(site.account, { scope: `${bucket}:again` }), key: 'again' };
    expect((await uploadForm(site.url, 'new content', other)).status).toBe(200);
    await expectHeaders('again', {});
    expect((await uploadForm(site.url, 'third', { ...other, fields: named({ Expires: '0' }) })).status).toBe(
      200,
    );
    await expectHeaders('again', { Expires: '0' });
  });

  test('the library sets them by its uploads and changes, and shows them [headers-01]', async () => {
    const library = client();
    const options = { mimeType: 'text/plain', responseHeaders: HEADERS };
    await library.upload(bucket, 'library', 'content', options);
    await expectHeaders('library', HEADERS);
    const { way } = await library.upload(bucket, 'library-parts', randomContent(5 * MIB), options);
    expect(way).toBe('multipart');
    await expectHeaders('library-parts', HEADERS);
    const change = { 'Cache-Control': 'no-cache', 'Content-Encoding': '', Expires: undefined };
    await library.objects.changeMetadata(bucket, 'library', { responseHeaders: change });
    const { 'Content-Encoding': _, ...left } = { ...HEADERS, 'Cache-Control': 'no-cache' };
    expect((await library.objects.stat(bucket, 'library')).responseHeaders).toEqual(left);
    await put('none');
    expect((await library.objects.stat(bucket, 'none')).responseHeaders).toEqual({});
  });

  test.each([
    ['Cache-Control', 'public; max-age=60', /commas/],
    ['Cache-Control', 'max-age=1h', /seconds/],
    ['Cache-Control', 'a\r\nset-cookie: b=c', /ASCII/],
    ['Content-Disposition', 'attachment; filename=a b.txt', /filename=/],
    ['Content-Disposition', 'attachment; filename="ä.txt"', /ASCII/],
    ['Content-Encoding', 'gzip br', /gzip/],
    ['Content-Language', 'de_DE', /en-GB/],
    ['Expires', '3600', /GMT/],
    ['Expires', 'Mon, 15 Nov 2033 12:45:26 GMT', /Tue, 15 Nov 2033/],
    ['Cache-Control', 'a'.repeat(1025), /1024/],
    ['Set-Cookie', 'a=b', /can't be set/],
    ['Content-Length', '1', /can't be set/],
    ['Location', '/', /can't be set/],
  ])('%s: %j is refused by every way in, and nothing is stored [headers-03]', async (header, value, hint) => {
    const field = named({ [header]: value });
    const refusals = [await put('refused', field), await call(changeOf('refused', { [header]: value }))];
    const upload = await beginUpload(bucket, { key: 'refused', site });
    const parts = await putParts(upload, ['content']);
    refusals.push(await upload.complete(parts, { metadata: field }));
    const blocks = blocksOf(bucket, { site });
    const { ctx } = (await (await blocks.mkblk(1, 'x')).json()) as { ctx: string };
    refusals.push(await blocks.mkfile(1, [ctx], { key: 'refused', ...field }));
    for (const answer of refusals)
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { error: 'invalid argument', hint: expect.stringMatching(hint) },
      ]);
    expect((await call(`/stat/${formatEntry(bucket, 'refused')}`)).status).toBe(612);
  });

  test('a policy that names others, or what they do not allow, is refused [headers-03]', async () => {
    for (const responseHeaders of [{ 'X-Own': '1' }, { Expires: '3600' }, ['Expires'], { Expires: 0 }]) {
      const answer = await put('refused', {}, { responseHeaders });
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { error: 'invalid put policy', hint: expect.stringMatching(/^responseHeaders/) },
      ]);
    }
  });

  test('they have 2,048 bytes of their own, counted after the change [headers-04]', async () => {
    const meta = { [`${dialect.metaPrefix}m`]: 'v'.repeat(1023) };
    const long = { 'Cache-Control': `a="${'v'.repeat(900)}"` };
    expect((await put('sums', { ...meta, ...named(long) })).status).toBe(200);
    const file = { 'Content-Disposition': `inline; filename="${'v'.repeat(1000)}"` };
    expect((await call(changeOf('sums', file))).status).toBe(200);
    // Names and values are 917, 1,038 and 16 + 77 bytes: 2,048.
    const languages = (last: string) => ({ 'Content-Language': `${'de,'.repeat(25)}${last}` });
    expect((await call(changeOf('sums', languages('deu')))).status).toBe(400);
    expect((await call(changeOf('sums', languages('de')))).status).toBe(200);
    expect((await call(changeOf('sums', { Expires: '0' }))).status).toBe(400);
    expect((await call(changeOf('sums', { 'Cache-Control': '', Expires: '0' }))).status).toBe(200);
  });
});

test('a client of Qiniu’s that keeps the time of its files may say so [headers-01]', async () => {
  const deployment = await createDeployment({
    store: target.store,
    settings: { MILLPOND_DIALECT: 'qiniu' },
  });
  try {
    const account = await deployment.createAccount(undefined, 'times');
    const { url } = await deployment.start();
    const time = 'Wed, 21 Oct 2015 07:00:00 GMT';
    const fields = { 'x-qn-meta-!Last-Modified': time };
    const token = uploadToken(account, { scope: 'times' });
    expect((await uploadForm(url, 'x', { token, key: 'k', fields })).status).toBe(200);
    expect((await fetch(`${url}/times/k`)).headers.get('last-modified')).toBe(time);
  } finally {
    await deployment.destroy();
  }
});
