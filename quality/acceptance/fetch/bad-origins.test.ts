/** Origins that lie, stall, break off or lead astray: nothing is stored, the answer says so, in time. */
import { type Account, createDeployment, type Deployment, type ServerProcess, stat } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expectations.ts';
import { blobsOf } from '../support/objects/blobs.ts';
import { fetchInto, file } from '../support/objects/fetching.ts';
import {
  cut,
  drip,
  flood,
  hang,
  redirect,
  reply,
  reset,
  type Script,
  useReceiver,
} from '../support/receivers/receiver.ts';
import { target } from '../support/target.ts';

const MIB = 1024 * 1024;
const BUCKET = 'origins';

const origin = useReceiver();
let deployment: Deployment;
let account: Account;
/** Waits for an origin as long as a busy machine may take. */
let server: ServerProcess;
/** For origins that say nothing. */
let hasty: ServerProcess;

beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    settings: {
      MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32',
      MILLPOND_FETCH_MAX_SIZE: '1MiB',
    },
  });
  account = await deployment.createAccount(undefined, BUCKET);
  [server, hasty] = await Promise.all([
    deployment.start(),
    deployment.start({ settings: { MILLPOND_FETCH_TIMEOUT: '3s' } }),
  ]);
});
afterAll(() => deployment?.destroy());

const fetchTo = (key: string, from: string, { url } = server) =>
  fetchInto(BUCKET, from, { key, url, keys: account });

async function expectFailed(key: string, from: string, at = server): Promise<void> {
  const before = (await blobsOf(deployment)).whole;
  await expectRefusal(await fetchTo(key, from, at), 478, 'origin failed');
  expect((await stat(server.url, account, BUCKET, key)).status).toBe(612);
  const left = await blobsOf(deployment);
  expect([left.whole, left.unfinished]).toEqual([before, []]);
}

/** Bytes as they are, behind the head of an answer. */
const raw = (text: string, end: 'keep' | 'close' | 'reset' = 'close'): Script => {
  return (response) => {
    const { socket } = response;
    socket?.write(text, () => {
      if (end === 'close') socket.end();
      if (end === 'reset') socket.resetAndDestroy();
    });
  };
};
const head = (...lines: string[]) => `HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;

describe('an origin that', () => {
  test('answers 404 gives 404 [fetch-rule-02]', async () => {
    await expectRefusal(await fetchTo('missing', origin.at(reply(404, 'no')).url), 404, 'not found');
    expect((await stat(server.url, account, BUCKET, 'missing')).status).toBe(612);
  });

  test.each([201, 202, 204, 206, 304, 400, 401, 403, 410, 429, 500, 502, 503])(
    'answers %i gives 478 [fetch-rule-03]',
    (status) => expectFailed(`status-${status}`, origin.at(reply(status, status === 204 ? '' : 'x')).url),
  );

  const silent: [string, Script][] = [
    ['never answers', hang],
    ['never ends its body', drip],
    [
      'stalls within its body',
      (response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('begun');
      },
    ],
  ];
  test.each(silent)(
    '%s is given up: 478, and nothing is stored [fetch-rule-07 fetch-10 fetch-rule-06 G35]',
    (what, script) => expectFailed(what, origin.at(script).url, hasty),
  );

  const scripts: [string, Script][] = [
    ['resets the connection', reset],
    ['closes within its body', cut],
    ['says 200 and then resets', raw(`${head('content-length: 1000')}begun`, 'reset')],
    ['is shorter than it says', raw(`${head('content-length: 1000')}${'x'.repeat(999)}`)],
    ['cuts its chunks short', raw(`${head('transfer-encoding: chunked')}5\r\nhello\r\n`)],
    ['cuts one chunk short', raw(`${head('transfer-encoding: chunked')}50\r\nhello`)],
    ['says neither length nor end', raw(`${head()}some bytes`)],
    ['says two lengths', raw(`${head('content-length: 5', 'content-length: 6')}hello`)],
    ['says a length and chunks', raw(`${head('content-length: 5', 'transfer-encoding: chunked')}0\r\n\r\n`)],
    ['says a length that is none', raw(`${head('content-length: five')}hello`)],
    ['encodes what nobody asked for', raw(`${head('transfer-encoding: gzip, chunked')}0\r\n\r\n`)],
    ['does not speak HTTP', raw('SSH-2.0-OpenSSH_9.2\r\n')],
    ['sends endless headers', raw(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}`, 'keep')],
  ];
  test.each(scripts)('%s gives 478 and stores nothing [fetch-rule-07 G35]', (what, script) =>
    expectFailed(what, origin.at(script).url),
  );

  test('refuses the connection, or whose name has no address, gives 478', async () => {
    await expectFailed('refused', 'http://127.0.0.1:9/');
    await expectFailed('nameless', 'http://no-such-name.invalid/');
  });

  test.each([
    ['announces it', true],
    ['does not', false],
  ])(
    'sends more than the limit and %s gives 478 and stores nothing [fetch-rule-08]',
    async (what, announced) => {
      const pouring = flood(1024 * MIB, announced);
      await expectFailed(`flood ${what}`, origin.at(pouring.script).url);
      expect(pouring.poured).toBeLessThan(64 * MIB);
      const exact = await fetchTo(`exact ${what}`, origin.at(flood(MIB, announced).script).url);
      expect([exact.status, await exact.json()]).toMatchObject([200, { fsize: MIB }]);
    },
  );
});

describe('a redirect', () => {
  /** So many redirects, then the file. */
  const chain = (hops: number): string =>
    hops === 0 ? origin.at(file('at last')).url : origin.at(redirect(chain(hops - 1))).url;

  test('is followed, three in all; a fourth gives 478 [outbound-11]', async () => {
    expect((await fetchTo('three', chain(3))).status).toBe(200);
    expect((await stat(server.url, account, BUCKET, 'three')).status).toBe(200);
    await expectFailed('four', chain(4));
  });

  test('to a denied address is refused at that step [outbound-12]', async () => {
    const { port } = origin;
    for (const to of [
      `http://127.0.0.2:${port}/`,
      `http://[::1]:${port}/`,
      'http://169.254.169.254/latest/meta-data',
      'http://10.0.0.1/',
      `http://localtest.invalid:${port}/`,
      `ftp://127.0.0.1:${port}/`,
      'file:///etc/passwd',
      `${server.url}/${BUCKET}/three`,
    ])
      await expectFailed(`to ${to}`, origin.at(redirect(to)).url);
  });

  test('without a Location, or round in a circle, gives 478', async () => {
    await expectFailed('nowhere', origin.at((response) => response.writeHead(302).end()).url);
    const round = origin.at((response) => response.writeHead(302, { location: '' }).end());
    await expectFailed('circle', round.url);
    expect(round.requests).toHaveLength(4);
  });
});

test('a failed fetch leaves the object that was there [fetch-rule-11]', async () => {
  expect((await fetchTo('kept', origin.at(file('old')).url)).status).toBe(200);
  const before = await (await stat(server.url, account, BUCKET, 'kept')).text();
  for (const script of [cut, reset, reply(500), reply(404), flood(2 * MIB, false).script])
    expect([478, 404]).toContain((await fetchTo('kept', origin.at(script).url)).status);
  expect(await (await stat(server.url, account, BUCKET, 'kept')).text()).toBe(before);
  expect(await (await fetch(`${server.url}/${BUCKET}/kept`)).text()).toBe('old');
});

test('a URL that is none, or of another scheme, is refused with 400, before its bucket is looked for [fetch-rule-04 outbound-01]', async () => {
  for (const url of [
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'nonsense',
    'http://',
    'http:///path',
    'http://a b/',
    'http://[::1/',
    'http://1.2.3.4.5/',
    'http://example.com:99999/',
    'http://user:password@example.com/',
    `http://example.com/${'a'.repeat(2048)}`,
    'data:,x',
  ])
    for (const bucket of [BUCKET, 'no-such-bucket']) {
      const answer = await fetchInto(bucket, url, { key: 'none', url: server.url, keys: account });
      await expectRefusal(answer, 400, 'invalid argument');
      expect((await stat(server.url, account, BUCKET, 'none')).status).toBe(612);
    }
});

test('an EncodedHost that is no host is refused with 400 [fetch-rule-04]', async () => {
  const { url, requests } = origin.at(file('x'));
  for (const host of ['a b', 'example.com/', 'user@example.com', 'example.com:port', 'x\r\ny: z', '[::1']) {
    const answer = await fetchInto(BUCKET, url, { key: 'none', host, url: server.url, keys: account });
    await expectRefusal(answer, 400, 'invalid argument');
  }
  expect(requests).toEqual([]);
});

test('a body longer than its length says is what was announced, and its connection is not used again', async () => {
  const { url } = origin.at(raw(`${head('content-length: 5')}hello, and more than that`, 'keep'));
  const answer = await fetchTo('more', url);
  expect([answer.status, await answer.json()]).toMatchObject([200, { fsize: 5 }]);
  expect(await (await fetch(`${server.url}/${BUCKET}/more`)).text()).toBe('hello');
  expect((await fetchTo('next', origin.at(file('next')).url)).status).toBe(200);
});
