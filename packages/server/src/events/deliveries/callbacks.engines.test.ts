import { createHmac, randomBytes } from 'node:crypto';
import { openLog } from '@millpond/base';
import { newBlobId } from '@millpond/blobs';
import { createOutboundClient, type OutboundClient, type OutboundClientOptions } from '@millpond/outbound';
import {
  type Behaviour,
  createDnsStub,
  type Receiver,
  reply,
  startReceiver,
} from '@millpond/outbound/testing';
import { dialects, type Fault, verifyCallback, verifyWebhook } from '@millpond/protocol';
import { hostileNames, hostileUrls } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { noChildren, WebhookSecretStore, WebhookSecrets } from '../../identity/accounts/accounts.testing.ts';
import { nodeHashing } from '../../platform/hashing.ts';
import { Sealer } from '../../platform/secrets/sealer.ts';
import { type CallbackDeps, Callbacks } from './callbacks.ts';
import { DeliveryStore, type NewDelivery } from './deliveries.store.ts';

const databases = useDatabases();
const keys = { accessKey: 'ak', secretKey: 'sk' };
const open: (OutboundClient | Receiver)[] = [];
let uid: bigint;

beforeAll(async () => {
  const { rows } = await databases.control.pool.query<{ uid: string }>(
    `INSERT INTO control.accounts (email) VALUES ('receiver@example.com') RETURNING uid`,
  );
  uid = BigInt(rows[0]?.uid ?? 0);
});
afterAll(() => Promise.all(open.map((each) => each.close())));

function setUp(outboundOptions: OutboundClientOptions = {}, deps: Partial<CallbackDeps> = {}) {
  const outbound = createOutboundClient({ allow: ['127.0.0.1/32'], ...outboundOptions });
  open.push(outbound);
  const sealer = new Sealer([{ id: 'one', key: Buffer.alloc(32, 1) }]);
  const times = { freshMs: 60_000, staleMs: 60_000 };
  const secrets = new WebhookSecrets(new WebhookSecretStore(databases.control), sealer, times);
  const store = new DeliveryStore(databases.region);
  const shared = {
    store,
    outbound,
    secrets,
    tenants: noChildren,
    dialect: dialects.svc,
    log: openLog('silent'),
  };
  const callbacks = new Callbacks({ ...shared, ...deps });
  const send = async (sent: NewDelivery) => callbacks.send(sent, await callbacks.signer(sent.uid, keys));
  return { callbacks, send, secrets, store };
}

async function receive(behaviour: Behaviour): Promise<Receiver> {
  const receiver = await startReceiver(behaviour);
  open.push(receiver);
  return receiver;
}

function delivery(urls: readonly string[], overrides: Partial<NewDelivery> = {}): NewDelivery {
  return {
    id: newBlobId(),
    kind: 'callback',
    uid,
    accessKey: keys.accessKey,
    urls,
    host: undefined,
    contentType: 'application/x-www-form-urlencoded',
    body: Buffer.from('key=k'),
    subject: 'bucket:key',
    reqid: randomBytes(8).toString('hex'),
    ...overrides,
  };
}

async function recorded({ id }: NewDelivery) {
  const { rows } = await databases.region.pool.query<{
    state: string;
    status: number | null;
    error: string | null;
  }>(
    `SELECT d.state, a.status, a.error FROM region.deliveries d
     LEFT JOIN region.delivery_attempts a USING (delivery_id) WHERE delivery_id = $1 ORDER BY attempt`,
    [id],
  );
  return rows;
}

const headersOf = (head: string) =>
  Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );

describe('a callback', () => {
  test('is signed in both forms, and its end is recorded', async () => {
    const { send, secrets, store } = setUp();
    const receiver = await receive(reply(200, '{"ok":true}'));
    const sent = delivery([`${receiver.url}/cb?a=1`]);
    await store.insert(sent);
    expect(await recorded(sent)).toEqual([{ state: 'unsent', status: null, error: null }]);
    expect(await send(sent)).toEqual({ ok: true, url: sent.urls[0], body: '{"ok":true}' });
    expect(await recorded(sent)).toEqual([{ state: 'delivered', status: 200, error: null }]);

    const headers = headersOf(receiver.requests[0] ?? '');
    const request = { target: '/cb?a=1', contentType: headers['content-type'], body: sent.body };
    const authorization = headers.authorization ?? '';
    expect(verifyCallback(nodeHashing, keys, request, authorization, dialects.svc)).toBe(true);
    const sign = createHmac('sha1', 'sk')
      .update(`/cb?a=1\n${Buffer.from('key=k').toString('base64')}`)
      .digest('base64url');
    expect(authorization).toBe(`SvcCb ak:${sign}=`);
    const now = Date.now() / 1000;
    expect(verifyWebhook(nodeHashing, await secrets.of(uid), headers, sent.body, now)).toBe(true);
    expect(headers['webhook-id']).toBe(sent.id);
    expect(headers['x-reqid']).toBe(sent.reqid);
  });

  test('goes from URL to URL until one succeeds', async () => {
    const { send, store } = setUp();
    const [bad, good, never] = [
      await receive(reply(500, '{"error":"a\\u0000b"}')),
      await receive(reply(200, '[]')),
      await receive(reply(200, '{}')),
    ];
    const sent = delivery([bad.url, good.url, never.url].map((url) => `${url}/`));
    await store.insert(sent);
    expect(await send(sent)).toEqual({ ok: true, url: `${good.url}/`, body: '[]' });
    expect([bad.accepted, good.accepted, never.accepted]).toEqual([1, 1, 0]);
    expect(await recorded(sent)).toEqual([
      { state: 'delivered', status: 500, error: 'ab' },
      { state: 'delivered', status: 200, error: null },
    ]);
  });

  test.each([
    [200, '<html>', 200, 'unexpected response'],
    [200, '', 200, 'unexpected response'],
    [201, '{}', 201, 'status 201'],
    [302, '{"error":"moved"}', 302, 'moved'],
    [500, '{"error":7}', 500, 'status 500'],
  ])('that is answered %i %j has failed', async (status, body, code, error) => {
    const { send, store } = setUp();
    const receiver = await receive(reply(status, body));
    const sent = delivery([`${receiver.url}/`]);
    await store.insert(sent);
    expect(await send(sent)).toEqual({ ok: false, url: sent.urls[0], code, error });
    expect(await recorded(sent)).toEqual([{ state: 'failed', status, error }]);
  });

  test('whose end can not be recorded is answered all the same', async () => {
    const receiver = await receive(reply(200, '{}'));
    const { store } = setUp();
    const broken = Object.assign(Object.create(store) as DeliveryStore, {
      settle: () => Promise.reject(new Error('the database is away')),
    });
    const { send } = setUp({}, { store: broken });
    expect(await send(delivery([`${receiver.url}/`]))).toMatchObject({ ok: true });
  });
});

describe('hostile URLs', () => {
  test('get no connection, alone, among several and behind names that lead inside [callback-rule-17 outbound-06]', async () => {
    const canary = await receive(reply(200, '{}'));
    const resolve = createDnsStub(hostileNames).resolve;
    const { send, store } = setUp({ allow: [], resolve });
    // What is no URL of http never gets so far: a policy with it is refused.
    const urls = hostileUrls(canary.port)
      .map(({ url }) => url)
      .filter((url) => /^https?:\/\/[^/?#\\\s]/i.test(url) && URL.canParse(url));
    expect(urls.length).toBeGreaterThan(120);
    for (const url of urls) expect(await send(delivery([url]))).toMatchObject({ ok: false, url, code: 0 });
    const several = delivery(urls);
    await store.insert(several);
    expect(await send(several)).toMatchObject({ ok: false, code: 0 });
    expect(await recorded(several)).toHaveLength(several.urls.length);
    expect(canary.accepted).toBe(0);
  });

  test('are refused beforehand where nothing could ever be called, and left to fail where an address is denied', () => {
    const { callbacks } = setUp({ allow: [], isOwnHost: (host) => host === 'up.test' });
    const refusal = (url: string, host?: string): string | undefined => {
      try {
        callbacks.check([url], host);
        return undefined;
      } catch (error) {
        return `${(error as Fault).status} ${(error as Fault).fault}`;
      }
    };
    for (const url of ['http://127.0.0.1/', 'http://[::1]:80/', 'http://2130706433/', 'https://example.com/'])
      expect([url, refusal(url)]).toEqual([url, undefined]);
    const refused = '400 invalidPolicy';
    for (const url of ['http://user@example.com/', 'http://up.test/', 'http://metadata.google.internal/'])
      expect([url, refusal(url)]).toEqual([url, refused]);
    expect(refusal('https://example.com/', 'up.test')).toBe(refused);
    expect(refusal('https://example.com/', 'other.test:81')).toBe(undefined);
  });
});
