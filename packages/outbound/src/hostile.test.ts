import { hostileNames, hostileUrls, ownHosts, ownHostUrls } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type BlockedTarget,
  createOutboundClient,
  type OutboundClient,
  OutboundError,
  type OutboundRequest,
} from './index.ts';
import { createDnsStub } from './testing/dns-stub.ts';
import { limits, outcomeOf } from './testing/outcome.ts';
import { type Receiver, reply, startReceiver } from './testing/receivers.ts';

/** Receives what is allowed; the canary has the same port on addresses that are not. */
const GOOD = '127.0.0.77';
let good: Receiver;
let location = '/';
const canaries: Receiver[] = [];
const clients: OutboundClient[] = [];

const client = (options: Parameters<typeof createOutboundClient>[0] = {}): OutboundClient => {
  const made = createOutboundClient({ resolve: createDnsStub(hostileNames).resolve, ...options });
  clients.push(made);
  return made;
};
const get = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  method: 'GET',
  limits,
  ...more,
});
const touched = (): number => canaries.reduce((sum, canary) => sum + canary.accepted, 0);

beforeAll(async () => {
  good = await startReceiver(
    (socket, head) => {
      const follow = head.startsWith('GET /redirect');
      reply(follow ? 302 : 200, 'good', follow ? [`location: ${location}`] : [])(socket, head);
    },
    { address: GOOD },
  );
  for (const address of ['127.0.0.1', '127.0.0.3', '::1'])
    canaries.push(await startReceiver(reply(200, 'secret'), { address, port: good.port }));
});
afterAll(async () => {
  await Promise.all(clients.map((made) => made.close()));
  await Promise.all([good, ...canaries].map((receiver) => receiver.close()));
});

describe('hostile URLs', () => {
  test('are many, and differ', () => {
    const urls = hostileUrls(1).map(({ url }) => url);
    expect(new Set(urls).size).toBe(urls.length);
    expect(urls.length).toBeGreaterThanOrEqual(120);
  });

  test.each([
    ['nothing is open', []],
    ['other addresses are open', [`${GOOD}/32`, '10.9.0.0/16', '8.8.8.8/32']],
  ])('never connect when %s', async (_what, allow) => {
    const outbound = client({ allow });
    for (const { url, what } of hostileUrls(good.port)) {
      expect([what, url, await outcomeOf(outbound.send(get(url)))]).toEqual([what, url, 'blocked']);
      expect([what, url, await outcomeOf(outbound.open(get(url)))]).toEqual([what, url, 'blocked']);
    }
    expect(touched()).toBe(0);
  });

  test('never connect as the aim of a redirect [outbound-12]', async () => {
    const outbound = client({ allow: [`${GOOD}/32`] });
    let tried = 0;
    for (const { url } of hostileUrls(good.port)) {
      // Only what can stand in a header, and is no path of the host that redirects.
      if (!/^[!-~]+$/.test(url) || !/^[a-z+-]+:/i.test(url) || /^https?:\/?[^/\\]/i.test(url)) continue;
      location = url;
      const outcome = await outcomeOf(outbound.send(get(`${good.url}/redirect`, { redirects: 3 })));
      expect([url, outcome]).toEqual([url, expect.stringMatching(/^(?:blocked|protocol)$/)]);
      tried += 1;
    }
    expect(tried).toBeGreaterThan(100);
    expect(touched()).toBe(0);
  });
});

describe('names that change their mind', () => {
  test('the address that was judged is the one connected to, and each connection is judged anew [outbound-07]', async () => {
    const { resolve, asked } = createDnsStub({ 'rebind.test': [[GOOD], ['127.0.0.1'], [GOOD, '127.0.0.1']] });
    const outbound = client({ resolve, allow: [`${GOOD}/32`] });
    const url = `http://rebind.test:${good.port}/`;
    // Two connections at once, so that a kept one doesn't serve the second.
    const outcomes = await Promise.all([1, 2, 3].map(() => outcomeOf(outbound.send(get(url)))));
    expect(outcomes.toSorted()).toEqual(['200', 'blocked', 'blocked']);
    expect(asked.length).toBe(3);
    expect(touched()).toBe(0);
  });

  test('a peer that is not the address asked for is dropped before a byte is sent', async () => {
    // Linux connects 0.0.0.0 to the loopback address: a guard that let it pass must still find out.
    const { createAddressGuard } = await import('./address.ts');
    const { guardedConnector } = await import('./connector.ts');
    const strict = createAddressGuard({ allow: ['127.0.0.1/32'] });
    const guard = {
      denial: (ip: string, port: number) => (ip === '0.0.0.0' ? undefined : strict.denial(ip, port)),
      ownNames: () => [],
    };
    const resolve = async (): Promise<string[]> => ['0.0.0.0'];
    const connect = guardedConnector({ guard, resolve, connectMs: 2000, serverName: undefined });
    const other = await startReceiver(reply(200));
    const error = await new Promise((settle) => {
      connect({ hostname: 'x.test', protocol: 'http:', port: String(other.port) }, (...[fault]) =>
        settle(fault),
      );
    });
    expect(error).toMatchObject({
      kind: 'blocked',
      blocked: { reason: 'anotherPeer', address: '127.0.0.1' },
    });
    await other.drained();
    expect(other.requests).toEqual([]);
    await other.close();
  });
});

describe('our own hosts and listeners', () => {
  const everything = new Proxy<Record<string, string[]>>({}, { get: () => ['127.0.0.1'] });

  test('are never called, not even where their addresses are open', async () => {
    const { resolve, asked } = createDnsStub(everything);
    const isOwnHost = (host: string): boolean => ownHosts.has(host);
    const outbound = client({ resolve, isOwnHost, allow: ['127.0.0.0/8', '::1', 'fd12::/16'] });
    for (const url of ownHostUrls) {
      const target = url.replace('{port}', String(good.port));
      expect([url, await outcomeOf(outbound.send(get(target)))]).toEqual([url, 'blocked']);
    }
    for (const hostOverride of ['up.millpond.test', 'UP.millpond.test.:99', 'api.millpond.test:8443'])
      expect(await outcomeOf(outbound.send(get(`${good.url}/`, { hostOverride })))).toBe('blocked');
    expect(asked).toEqual([]);
    expect(touched()).toBe(0);
  });

  test('a listener of ours is denied by any name and form', async () => {
    const { resolve } = createDnsStub(everything);
    const ownListeners = () => [{ address: '0.0.0.0', port: good.port }];
    const outbound = client({ resolve, ownListeners, allow: ['127.0.0.0/8'] });
    for (const host of ['any.test', '127.0.0.1', '127.0.0.2', '[::ffff:127.0.0.1]'])
      expect(await outcomeOf(outbound.send(get(`http://${host}:${good.port}/`)))).toBe('blocked');
    expect(touched()).toBe(0);
  });
});

test('a listener of ours that is given by name is denied under every other name, and by its address', async () => {
  const names = { 'engine.test': ['127.0.0.3', '::1'], 'other.test': ['127.0.0.3'], 'good.test': [GOOD] };
  const ownListeners = () => [
    { address: 'engine.test', port: good.port },
    { address: 'gone.test', port: good.port },
  ];
  const { resolve } = createDnsStub(names);
  const outbound = client({ resolve, ownListeners, allow: ['127.0.0.0/8'] });
  for (const host of ['other.test', 'engine.test', '127.0.0.3', '[::ffff:127.0.0.3]'])
    expect(await outcomeOf(outbound.send(get(`http://${host}:${good.port}/`)))).toBe('blocked');
  expect(touched()).toBe(0);
  expect(await outcomeOf(outbound.send(get(`http://good.test:${good.port}/`)))).toBe('200');
});

describe('what is told of a blocked request', () => {
  test('the audit hook gets host, address and reason; the user gets neither address nor reason', async () => {
    const seen: BlockedTarget[] = [];
    const outbound = client({
      onBlocked: (blocked) => seen.push(blocked),
      isOwnHost: (host) => host === 'own.test',
    });
    const fault = await outbound.send(get('http://private.test/?secret')).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(OutboundError);
    expect(String(fault)).not.toMatch(/10\.0\.0\.5|private|secret/);
    expect(() => outbound.check('http://own.test/')).toThrow(OutboundError);
    expect(() => outbound.check('http://[::ffff:10.1.1.1]/')).toThrow(OutboundError);
    expect(outbound.check('http://private.test/a').path).toBe('/a');
    expect(seen).toEqual([
      { host: 'private.test', address: '10.0.0.5', reason: 'private' },
      { host: 'own.test', address: undefined, reason: 'ownHost' },
      { host: '::ffff:a01:101', address: '::ffff:a01:101', reason: 'private' },
    ]);
  });
});
