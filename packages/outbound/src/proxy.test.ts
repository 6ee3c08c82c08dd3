import { hostileUrls } from '@millpond/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createOutboundClient,
  type OutboundClient,
  type OutboundClientOptions,
  type OutboundRequest,
} from './index.ts';
import { type ConnectProxy, startConnectProxy } from './testing/connect-proxy.ts';
import { createDnsStub } from './testing/dns-stub.ts';
import { limits, outcomeOf } from './testing/outcome.ts';
import { type Receiver, reply, startReceiver } from './testing/receivers.ts';

let proxy: ConnectProxy;
let proxyUrl = '';
let receiver: Receiver;
const clients: OutboundClient[] = [];
const { resolve, asked: lookups } = createDnsStub({});
const client = (options: OutboundClientOptions = {}): OutboundClient => {
  const made = createOutboundClient({ resolve, proxy: proxyUrl, ...options });
  clients.push(made);
  return made;
};
const get = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  method: 'GET',
  limits,
  ...more,
});

beforeAll(async () => {
  receiver = await startReceiver(reply(200, 'through'));
  proxy = await startConnectProxy(receiver.port);
  proxyUrl = `http://operator:s3cret@127.0.0.1:${proxy.port}`;
});
beforeEach(() => {
  proxy.asked.length = 0;
  proxy.onwardPort = receiver.port;
});
afterAll(async () => {
  await Promise.all(clients.map((made) => made.close()));
  await receiver.close();
  await proxy.close();
});

test('the proxy is asked for the name; we look up nothing [outbound-16]', async () => {
  const answer = await client().send(get('http://example.test/path', { hostOverride: 'origin.example' }));
  expect(answer.body.toString()).toBe('through');
  expect(proxy.asked.map(({ url }) => url)).toEqual(['example.test:80']);
  expect(lookups).toEqual([]);
  expect(receiver.requests.at(-1)).toContain('GET /path HTTP/1.1\r\nhost: origin.example\r\n');
});

test('the credentials of the proxy go to the proxy only', async () => {
  await client().send(get('http://example.test/'));
  expect(proxy.asked[0]?.headers['proxy-authorization']).toMatch(/^Basic /);
  expect(receiver.requests.at(-1)?.toLowerCase()).not.toContain('authorization');
});

test('addresses in a URL, localhost and the names of metadata services are refused before the proxy is asked [outbound-16]', async () => {
  const outbound = client();
  const written = hostileUrls(receiver.port).filter(({ what }) => !what.startsWith('names'));
  const urls = [...written.map(({ url }) => url), 'http://localhost/', 'https://a.LOCALHOST./'];
  for (const url of urls) expect([url, await outcomeOf(outbound.send(get(url)))]).toEqual([url, 'blocked']);
  expect(proxy.asked).toEqual([]);
});

test('a proxy that refuses, is silent or is away', async () => {
  expect(await outcomeOf(client().send(get('http://closed.test/')))).toBe('connect');
  const quick = { ...limits, totalMs: 200 };
  expect(await outcomeOf(client().send(get('http://silent.test/', { limits: quick })))).toBe('timeout');
  const away = await startReceiver(reply(200));
  await away.close();
  const fault = await client({ proxy: `http://u:s3cret@127.0.0.1:${away.port}` })
    .send(get('http://example.test/'))
    .catch((error: unknown) => error);
  expect(fault).toMatchObject({ kind: 'connect' });
  expect(String(fault)).not.toContain('s3cret');
});

test('a body cut off behind the proxy is a fault as well', async () => {
  const cut = await startReceiver((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf');
    setTimeout(() => socket.resetAndDestroy(), 100);
  });
  proxy.onwardPort = cut.port;
  expect(await outcomeOf(client().send(get('http://example.test/')))).toBe('truncated');
  await cut.close();
});

test('a setting that is no proxy is refused', () => {
  for (const proxyText of ['socks5://127.0.0.1:1080', '127.0.0.1:3128', 'http://127.0.0.1:3128/path'])
    expect(() => createOutboundClient({ proxy: proxyText })).toThrow(TypeError);
});
