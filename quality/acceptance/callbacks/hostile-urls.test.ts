/** URLs that lead inside, as callback, among several, and where the receiver names the key: nobody is ever called. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { hostileUrls, uploadForm, uploadToken } from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectContent } from '../support/expectations.ts';
import { downloadPath } from '../support/objects/objects.ts';
import { failureOf } from '../support/receivers/callbacks.ts';
import { startExtraGateway } from '../support/running/extra-gateway.ts';
import { newBucket, target } from '../support/target.ts';

const MAX_CONCURRENT = 8;
const CONTENT = 'hello world';
const canaries: Server[] = [];
let connections = 0;
let port = 0;

beforeAll(async () => {
  for (const address of ['127.0.0.1', '127.0.0.2', '::1']) {
    const canary = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    canary.listen(port, address);
    await once(canary, 'listening');
    port = (canary.address() as { port: number }).port;
    canaries.push(canary);
  }
});
afterAll(() => {
  for (const canary of canaries) canary.close();
});

interface Outcome {
  readonly policy: Record<string, unknown>;
  readonly key: string;
  readonly answer: Response;
}

/** Uploads with each of the policies, a few at a time, each under a key of its own. */
async function uploadAll(url: string, policies: readonly Record<string, unknown>[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = [...policies.entries()];
  await Promise.all(
    Array.from({ length: MAX_CONCURRENT }, async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const [key, policy] = [`k-${next[0]}`, next[1]];
        const token = uploadToken(target.account, policy);
        outcomes.push({ policy, key, answer: await uploadForm(url, CONTENT, { token, key }) });
      }
    }),
  );
  return outcomes;
}

/** Refused before anything is stored, or the callback failed without an answer. */
async function expectUncalled({ policy, answer }: Outcome): Promise<'refused' | 'failed'> {
  const what = JSON.stringify(policy);
  if (answer.status === 400) {
    expect(await answer.json(), what).toMatchObject({ error: 'invalid put policy' });
    return 'refused';
  }
  expect((await failureOf(answer)).err_code, what).toBe(0);
  return 'failed';
}

const urls = () => hostileUrls(port).filter(({ url }) => url !== '');
const isHttp = (url: string) => /^https?:\/\/[^\s;]+$/.test(url);

test('the canary would notice: where its address is open, it is called', async () => {
  const bucket = await newBucket();
  const policy = { scope: bucket, callbackUrl: `http://127.0.0.1:${port}/` };
  const token = uploadToken(target.account, policy);
  await failureOf(await uploadForm(target.url, CONTENT, { token, key: 'k' }));
  expect(connections).toBe(1);
  connections = 0;
});

test('hostile URLs get no connection, in no use of a callback [callback-rule-17 outbound-01 outbound-02 outbound-03 outbound-04 outbound-05]', {
  timeout: 300_000,
}, async () => {
  const server = await startExtraGateway({ MILLPOND_OUTBOUND_ALLOW: '' });
  const [plain, several, named] = [await newBucket(), await newBucket(), await newBucket()];
  expect(urls().length).toBeGreaterThanOrEqual(120);
  const http = urls().filter(({ url }) => isHttp(url));
  expect(http.length).toBeGreaterThanOrEqual(120);

  const alone = await uploadAll(
    server.url,
    urls().map(({ url }) => ({ scope: plain, callbackUrl: url })),
  );
  const failed = [];
  for (const outcome of alone) if ((await expectUncalled(outcome)) === 'failed') failed.push(outcome);
  // An address that is denied is no fault of the policy: the callback failed, and the object is there.
  expect(failed.length).toBeGreaterThan(100);
  await expectContent(plain, failed[0]?.key ?? '', CONTENT);

  const groups = Array.from({ length: Math.ceil(http.length / 5) }, (_, i) => http.slice(i * 5, i * 5 + 5));
  const joined = groups.map((group) => ({
    scope: several,
    callbackUrl: group.map(({ url }) => url).join(';'),
  }));
  for (const outcome of await uploadAll(server.url, joined)) await expectUncalled(outcome);

  const asked = urls().map(({ url }) => ({ scope: named, callbackUrl: url, callbackFetchKey: 1 }));
  for (const outcome of await uploadAll(server.url, asked)) {
    await expectUncalled(outcome);
    const { status } = await fetch(server.url + downloadPath(named, outcome.key));
    expect(status, 'nothing is stored').toBe(404);
  }
  expect(connections).toBe(0);
});

test('a range that is open opens nothing beside it [outbound-08]', async () => {
  const server = await startExtraGateway({ MILLPOND_OUTBOUND_ALLOW: '127.0.0.2/32' });
  const bucket = await newBucket();
  const call = async (callbackUrl: string, key: string) => {
    const token = uploadToken(target.account, { scope: bucket, callbackUrl });
    return failureOf(await uploadForm(server.url, CONTENT, { token, key }));
  };
  for (const host of ['127.0.0.1', '127.0.0.3', '[::1]', '[::ffff:127.0.0.1]', 'localhost'])
    await call(`http://${host}:${port}/`, `denied ${host}`);
  expect(connections).toBe(0);
  await call(`http://127.0.0.2:${port}/`, 'allowed');
  expect(connections).toBe(1);
  connections = 0;
});

test('our own listeners and hosts are no receivers, and no Host of one [outbound-09]', async () => {
  const server = await startExtraGateway({ MILLPOND_HOSTS: 'up=up.millpond.test,rs=rs.millpond.test' });
  const bucket = await newBucket();
  const send = (policy: Record<string, unknown>, key: string) =>
    uploadForm(server.url, CONTENT, {
      token: uploadToken(target.account, { scope: bucket, ...policy }),
      key,
    });
  const own = await failureOf(await send({ callbackUrl: `${server.url}/` }, 'listener'));
  expect(own).toMatchObject({ err_code: 0, error: 'the address of this host is not allowed' });
  for (const policy of [
    { callbackUrl: 'http://up.millpond.test/' },
    { callbackUrl: 'https://RS.millpond.test:8443/' },
    { callbackUrl: `http://127.0.0.1:${port}/`, callbackHost: 'up.millpond.test' },
  ]) {
    const answer = await send(policy, 'host');
    expect(answer.status, JSON.stringify(policy)).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: 'invalid put policy',
      hint: 'this host is served by this service itself',
    });
  }
  expect(connections).toBe(0);
});
