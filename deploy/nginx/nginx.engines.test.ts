// @module-tag nginx
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { dialects, formatEntry, signDownloadUrl, signManagement } from '@millpond/protocol';
import {
  type Account,
  createDeployment,
  type Deployment,
  freePort,
  hashing,
  type ServerProcess,
  signedFetch,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type RunningNginx, startNginx } from './start.ts';
import { type Ask, ask, lasting, type ProxyResponse } from './testing.ts';

const BUCKET = `nginx-${randomBytes(4).toString('hex')}`;
const DATE = 'Tue, 15 Nov 2033 12:45:26 GMT';
/** Only a hang takes longer. */
const PATIENT = { timeout: 300_000, interval: 50 };
const LARGE = randomBytes(20 * 1024 * 1024);
const objects: Record<string, { content: Uint8Array<ArrayBuffer> | string; mimeType: string }> = {
  'hello.txt': { content: 'hello, hand-over!', mimeType: 'text/plain; charset=utf-8' },
  'page.html': { content: '<script>1</script>', mimeType: 'text/html' },
  'empty.bin': { content: '', mimeType: 'application/octet-stream' },
  'a//b/../c.txt': { content: 'slashes', mimeType: 'text/plain' },
  'large.bin': { content: LARGE, mimeType: 'application/octet-stream' },
};

let deployment: Deployment;
let account: Account;
let handing: ServerProcess;
let streaming: ServerProcess;
let nginx: RunningNginx;
let region: pg.Client;

const engineUrl = () => deployment.environment.MILLPOND_S3_ENDPOINT ?? '';
const token = (policy: object = {}) => uploadToken(account, { scope: BUCKET, ...policy });
const pathOf = (key: string) => `/${BUCKET}/${key}`;

/** The processes that a request went to, in turn. nginx writes its log a moment after the answer. */
async function wayOf(answer: ProxyResponse): Promise<string[]> {
  const names = new Map([
    [new URL(handing.url).host, 'gateway'],
    [new URL(engineUrl()).host, 'engine'],
  ]);
  const line = await vi.waitFor(async () => {
    const { access } = await nginx.logs();
    const found = access.split('\n').find((text) => text.includes(` ${answer.headers['x-reqid']?.[0]} [`));
    if (found === undefined) throw new Error('the request is not in the log yet');
    return found;
  });
  const addresses = line.slice(line.lastIndexOf('[') + 1, -1).split(/ : |, /);
  return addresses.map((address) => names.get(address) ?? address);
}

beforeAll(async () => {
  deployment = await createDeployment({
    store: 's3',
    settings: {
      MILLPOND_SEND_BYTES: 'nginx',
      MILLPOND_TRUSTED_PROXIES: '127.0.0.1',
      // The engine has no blob of its own of a small object: nginx would hand none of these over.
      MILLPOND_SMALL_OBJECTS: '0B',
    },
  });
  account = await deployment.createAccount(undefined, BUCKET);
  [handing, streaming] = await Promise.all([
    deployment.start(),
    deployment.start({ settings: { MILLPOND_SEND_BYTES: 'stream' } }),
  ]);
  nginx = await startNginx({ gatewayUrl: handing.url, engineUrl: engineUrl() });
  region = new pg.Client({ connectionString: deployment.environment.MILLPOND_REGION_DB });
  await region.connect();
});

afterAll(async () => {
  await region?.end();
  await nginx?.stop();
  await deployment?.destroy();
});

describe('uploads', () => {
  test.each(Object.entries(objects))('%s goes through', async (key, { content, mimeType }) => {
    const answer = await uploadForm(nginx.url, content, { token: token(), key, mimeType });
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ key })]);
  });

  test('the hash of 20 MiB is that of the bytes that were sent', async () => {
    const { body } = await ask(nginx.url, pathOf('large.bin'));
    expect(body.equals(LARGE)).toBe(true);
  });
});

describe('what nginx sends is what the gateway would have sent', () => {
  const requests: [what: string, target: string, ask: Ask, way: string[]][] = [
    ['a whole object', 'hello.txt', {}, ['gateway', 'engine']],
    ['20 MiB', 'large.bin', {}, ['gateway', 'engine']],
    ['nothing', 'empty.bin', {}, ['gateway', 'engine']],
    ['a page, as attachment', 'page.html', {}, ['gateway', 'engine']],
    ['a name to save under', 'hello.txt?attname=gr%C3%BC%C3%9Fe.txt', {}, ['gateway', 'engine']],
    ['a key with empty segments and dots', 'a//b/../c.txt', {}, ['gateway', 'engine']],
    ['an encoded key', 'a%2F%2fb/%2E./c.txt', {}, ['gateway', 'engine']],
    ['the first bytes', 'hello.txt', { headers: { range: 'bytes=0-4' } }, ['gateway', 'engine']],
    ['the last bytes', 'hello.txt', { headers: { range: 'bytes=-5' } }, ['gateway', 'engine']],
    ['all from a byte on', 'hello.txt', { headers: { range: 'bytes=5-' } }, ['gateway', 'engine']],
    ['a range beyond the end', 'hello.txt', { headers: { range: 'bytes=5-500' } }, ['gateway', 'engine']],
    ['a suffix beyond the start', 'hello.txt', { headers: { range: 'bytes=-500' } }, ['gateway', 'engine']],
    [
      'a range in 20 MiB',
      'large.bin',
      { headers: { range: 'bytes=9000000-17000000' } },
      ['gateway', 'engine'],
    ],
    ['several ranges', 'hello.txt', { headers: { range: 'bytes=0-1,3-4' } }, ['gateway', 'engine']],
    ['another unit', 'hello.txt', { headers: { range: 'lines=0-4' } }, ['gateway', 'engine']],
    ['no range at all', 'hello.txt', { headers: { range: 'bytes=x' } }, ['gateway', 'engine']],
    [
      'a credential and a cookie',
      'hello.txt',
      { headers: { authorization: 'Basic eDp5', cookie: 'a=b' } },
      ['gateway', 'engine'],
    ],
    ['another tag', 'hello.txt', { headers: { 'if-none-match': '"other"' } }, ['gateway', 'engine']],
    [
      'an old date',
      'hello.txt',
      { headers: { 'if-modified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' } },
      ['gateway', 'engine'],
    ],
    ['any tag', 'hello.txt', { headers: { 'if-none-match': '*' } }, ['gateway']],
    [
      'a date to come',
      'hello.txt',
      { headers: { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' } },
      ['gateway'],
    ],
    ['a tag that must match', 'hello.txt', { headers: { 'if-match': '"other"' } }, ['gateway']],
    ['a range past the end', 'hello.txt', { headers: { range: 'bytes=500-' } }, ['gateway']],
    ['a range of nothing', 'empty.bin', { headers: { range: 'bytes=0-0' } }, ['gateway']],
    [
      'a range of another version',
      'hello.txt',
      { headers: { range: 'bytes=0-4', 'if-range': '"other"' } },
      ['gateway'],
    ],
    ['headers only', 'hello.txt', { method: 'HEAD' }, ['gateway']],
    ['headers of a range', 'hello.txt', { method: 'HEAD', headers: { range: 'bytes=0-4' } }, ['gateway']],
    ['a missing key', 'missing.txt', {}, ['gateway']],
    ['another method', 'hello.txt', { method: 'DELETE' }, ['gateway']],
  ];

  test.each(requests)('%s [send-01]', async (_what, target, how, way) => {
    const [ours, expected] = await Promise.all([
      ask(nginx.url, pathOf(target), how),
      ask(streaming.url, pathOf(target), how),
    ]);
    expect(lasting(ours)).toEqual(lasting(expected));
    expect(ours.headers['x-reqid']?.[0]).toMatch(/./);
    expect(await wayOf(ours)).toEqual(way);
  });

  test('an end before its start, which the engine reads otherwise, is the whole object [send-01]', async () => {
    const range = { headers: { range: 'bytes=5-2' } };
    const [ours, expected] = await Promise.all([
      ask(nginx.url, pathOf('hello.txt'), range),
      ask(streaming.url, pathOf('hello.txt'), range),
    ]);
    expect(lasting(ours)).toEqual(lasting(expected));
    expect(ours.body.toString()).toBe('hello, hand-over!');
  });

  test.each([
    [
      'how long it may be kept',
      { 'Cache-Control': 'public, max-age=60', Expires: DATE },
      ['gateway', 'engine'],
    ],
    ['a name', { 'Content-Disposition': 'inline; filename="a b.txt"' }, ['gateway', 'engine']],
    ['a coding and a language', { 'Content-Encoding': 'x-own', 'Content-Language': 'de' }, ['gateway']],
  ])('an object whose owner says %s [send-01 headers-09]', async (_what, headers, way) => {
    const key = `own-${randomBytes(4).toString('hex')}.txt`;
    const fields = Object.entries(headers).map(([name, value]) => [`x-svc-meta-!${name}`, value]);
    const stored = { token: token(), key, mimeType: 'text/plain', fields: Object.fromEntries(fields) };
    expect((await uploadForm(nginx.url, 'its content', stored)).status).toBe(200);
    for (const [target, how] of [
      [key, {}],
      [key, { headers: { range: 'bytes=0-2' } }],
      [`${key}?attname=b.txt`, {}],
    ] as const) {
      const ours = await ask(nginx.url, pathOf(target), how);
      expect(lasting(ours)).toEqual(lasting(await ask(streaming.url, pathOf(target), how)));
      for (const [name, value] of Object.entries(headers))
        if (target === key) expect(ours.headers[name.toLowerCase()]).toEqual([value]);
      expect(await wayOf(ours)).toEqual(way);
    }
  });

  test('the engine does not show: no header of its own, its tag replaced [send-01]', async () => {
    const { headers } = await ask(nginx.url, pathOf('hello.txt'));
    expect(Object.keys(headers).filter((name) => /^x-(?:amz|rgw|accel)/.test(name))).toEqual([]);
    expect(headers.server).toEqual(['nginx']);
    expect(headers.etag?.[0]).toMatch(/^"F[\w-]{27}"$/);
  });

  test('custom metadata is in the answer to HEAD', async () => {
    await region.query(`UPDATE region.objects SET meta = '{"owner": "ann"}' WHERE key = 'hello.txt'`);
    const { headers } = await ask(nginx.url, pathOf('hello.txt'), { method: 'HEAD' });
    expect(headers['x-svc-meta-owner']).toEqual(['ann']);
  });
});

describe('statuses and targets pass as they are', () => {
  test.each([
    [612, 'no such file or directory', `/stat/${formatEntry(BUCKET, 'missing')}`],
    [631, 'no such bucket', `/stat/${formatEntry('no-such-bucket', 'missing')}`],
    [400, 'invalid argument', `/stat//${formatEntry(BUCKET, 'hello.txt')}`],
    [400, 'invalid argument', `/stat/${formatEntry(BUCKET, 'hello.txt')}//`],
    [404, 'not found', '//'],
  ])('%i %s for a signed %s [G45 error-03]', async (status, error, target) => {
    const headers = {
      authorization: signManagement(
        hashing,
        account,
        {
          method: 'GET',
          target,
          host: new URL(nginx.url).host,
          contentType: undefined,
          headers: [],
          body: undefined,
        },
        dialects.svc,
      ),
    };
    const answer = await ask(nginx.url, target, { headers });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body.toString())).toMatchObject({ error });
  });

  test('614 for a key that is taken [G45]', async () => {
    const policy = { scope: `${BUCKET}:hello.txt`, insertOnly: 1 };
    const answer = await uploadForm(nginx.url, 'other', { token: token(policy), key: 'hello.txt' });
    expect([answer.status, await answer.json()]).toMatchObject([614, { error: 'file exists' }]);
  });
});

describe('private buckets', () => {
  const secret = `${BUCKET}-private`;
  const deadline = () => Math.floor(Date.now() / 1000) + 60;

  beforeAll(async () => {
    const made = await signedFetch(nginx.url, account, `/mkbucketv3/${secret}/region/z0`);
    const hidden = await signedFetch(nginx.url, account, '/private', { body: `bucket=${secret}&private=1` });
    const stored = await uploadForm(nginx.url, 'for few', {
      token: uploadToken(account, { scope: secret }),
      key: 'a//note.txt',
    });
    expect([made.status, hidden.status, stored.status]).toEqual([200, 200, 200]);
  });

  test('a URL signed for the host of nginx is good, with its empty segment [private-02]', async () => {
    const { pathname, search } = new URL(
      signDownloadUrl(hashing, account, `${nginx.url}/${secret}/a//note.txt`, deadline()),
    );
    const answer = await ask(nginx.url, pathname + search);
    expect([answer.status, answer.body.toString()]).toEqual([200, 'for few']);
    expect(await wayOf(answer)).toEqual(['gateway', 'engine']);
  });

  test('one signed for another host, or not at all, is 401 [private-01]', async () => {
    const { pathname, search } = new URL(
      signDownloadUrl(hashing, account, `http://elsewhere/${secret}/a//note.txt`, deadline()),
    );
    expect((await ask(nginx.url, pathname + search)).status).toBe(401);
    expect((await ask(nginx.url, pathname)).status).toBe(401);
  });

  test('the access log keeps no token', async () => {
    await wayOf(await ask(nginx.url, `/${secret}/a//note.txt?e=1&token=a:b`));
    const { access } = await nginx.logs();
    expect(access).toContain('a//note.txt');
    expect(access).not.toMatch(/token=|X-Amz/);
  });
});

describe('the engine behind it', () => {
  test.each(['/_millpond_engine/', '/_millpond_engine/x/y', `/${BUCKET}/../_millpond_engine/x`])(
    '%s is not reachable from outside',
    async (target) => {
      const answer = await ask(nginx.url, target);
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.body.toString())).toMatchObject({ error: 'not found' });
      expect(answer.headers['x-reqid']).toHaveLength(1);
      expect(await wayOf(answer)).toEqual(['gateway']);
    },
  );

  test('a blob in segments comes through the gateway, ranges across them too [range-05]', async () => {
    for (const [key, content] of [
      ['one', 'first half, '],
      ['two', 'second half'],
    ] as const)
      await uploadForm(nginx.url, content, { token: token(), key });
    await region.query(`
      WITH parts AS (SELECT key, blob_id, fsize FROM region.objects WHERE key IN ('one', 'two')),
      listed AS (INSERT INTO region.segments (blob_id, position, segment_id, size)
        SELECT (SELECT blob_id FROM parts WHERE key = 'one'), row_number() OVER (ORDER BY key), blob_id, fsize FROM parts)
      UPDATE region.objects SET segment_count = 2, fsize = (SELECT sum(fsize) FROM parts) WHERE key = 'one'`);
    const whole = await ask(nginx.url, pathOf('one'));
    expect([whole.status, whole.body.toString()]).toEqual([200, 'first half, second half']);
    const part = await ask(nginx.url, pathOf('one'), { headers: { range: 'bytes=6-17' } });
    expect([part.status, part.body.toString()]).toEqual([206, 'half, second']);
    expect(await wayOf(part)).toEqual(['gateway']);
  });

  test('an object whose bytes are gone is 599 of ours, not an answer of the engine, and kept by no cache [headers-07]', async () => {
    const fields = { 'x-svc-meta-!Cache-Control': 'public, max-age=60' };
    await uploadForm(nginx.url, 'lost', { token: token(), key: 'lost', fields });
    await region.query(
      `UPDATE region.objects SET blob_id = (substr(blob_id::text, 1, 24) || '000000000000')::uuid WHERE key = 'lost'`,
    );
    const answer = await ask(nginx.url, pathOf('lost'));
    expect(answer.status).toBe(599);
    expect(JSON.parse(answer.body.toString())).toEqual({ error: 'server failure' });
    expect(answer.headers['x-reqid']).toHaveLength(1);
    expect(answer.headers['cache-control']).toContain('no-store');
    expect(await wayOf(answer)).toEqual(['gateway', 'engine', 'gateway']);
  });

  test('when nginx can’t reach it, the gateway streams', async () => {
    const cut = await startNginx({
      gatewayUrl: handing.url,
      engineUrl: `http://127.0.0.1:${await freePort()}`,
    });
    try {
      const range = { headers: { range: 'bytes=0-4' } };
      expect((await ask(cut.url, pathOf('large.bin'))).body.equals(LARGE)).toBe(true);
      const fields = { 'x-svc-meta-!Cache-Control': 'max-age=60', 'x-svc-meta-!Expires': DATE };
      const kept = { token: token(), key: 'kept.txt', mimeType: 'text/plain', fields };
      expect((await uploadForm(cut.url, 'kept for a minute', kept)).status).toBe(200);
      for (const target of ['hello.txt', 'page.html', 'hello.txt?attname=x', 'kept.txt']) {
        expect(lasting(await ask(cut.url, pathOf(target), range))).toEqual(
          lasting(await ask(streaming.url, pathOf(target), range)),
        );
      }
    } finally {
      await cut.stop();
    }
  });
});

describe('what nginx answers by itself', () => {
  test('a request that it can’t read is 400 with JSON and X-Reqid', async () => {
    const answer = await ask(nginx.url, pathOf('a%00b'));
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body.toString())).toMatchObject({ error: 'invalid argument' });
    expect(answer.headers['x-reqid']).toHaveLength(1);
    expect(answer.headers['content-type']).toEqual(['application/json']);
  });

  test('too many requests of one network are 573 with JSON and X-Reqid, until one of them has ended', async () => {
    const strict = await startNginx({
      gatewayUrl: handing.url,
      engineUrl: engineUrl(),
      requestsPerNetwork: 2,
    });
    const { url } = strict;
    const { hostname, port } = new URL(url);
    // A form whose body does not come; the gateway gives it up after a time, and then it counts no more.
    const form =
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 9\r\n\r\n';
    const open = () => {
      const socket = connect({ host: hostname, port: Number(port) }).on('error', () => undefined);
      socket.on('data', () => socket.destroy()).write(form);
      return socket;
    };
    let held = [open(), open()];
    try {
      const refused = await vi.waitFor(async () => {
        held = held.map((socket) => (socket.destroyed ? open() : socket));
        const answer = await ask(url, pathOf('hello.txt'));
        expect(answer.status).toBe(573);
        return answer;
      }, PATIENT);
      expect(JSON.parse(refused.body.toString())).toMatchObject({ error: 'too many requests' });
      expect([refused.headers['retry-after'], refused.headers['x-reqid']?.length]).toEqual([['1'], 1]);
      held[0]?.destroy();
      await vi.waitFor(async () => expect((await ask(url, pathOf('hello.txt'))).status).toBe(200), PATIENT);
    } finally {
      for (const socket of held) socket.destroy();
      await strict.stop();
    }
  });

  test('without a gateway it is 599 with JSON and X-Reqid', async () => {
    const alone = await startNginx({
      gatewayUrl: `http://127.0.0.1:${await freePort()}`,
      engineUrl: engineUrl(),
    });
    try {
      const answer = await ask(alone.url, pathOf('hello.txt'));
      expect(answer.status).toBe(599);
      expect(JSON.parse(answer.body.toString())).toEqual({ error: 'server failure' });
      expect(answer.headers['x-reqid']).toHaveLength(1);
    } finally {
      await alone.stop();
    }
  });
});
