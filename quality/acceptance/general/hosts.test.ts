import { formatEntry } from '@millpond/protocol';
import {
  type Account,
  createDeployment,
  type Deployment,
  freePort,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RawResponse, rawFetch } from '../support/raw.ts';
import { authorize, type Call, send } from '../support/signing.ts';
import { target } from '../support/target.ts';

const HOSTS = { up: 'up.test', io: 'io.test', rs: 'rs.test', rsf: 'rsf.test:81', uc: 'uc.test' };
const BUCKET = 'hosts';
const STAT = `/stat/${formatEntry(BUCKET, 'a.txt')}`;

let deployment: Deployment;
let account: Account;
/** Carries every role. */
let url: string;
/** Carries downloads and lists only. */
let narrowUrl: string;

beforeAll(async () => {
  const [wide, narrow] = [await freePort(), await freePort()];
  [url, narrowUrl] = [`http://127.0.0.1:${wide}`, `http://127.0.0.1:${narrow}`];
  deployment = await createDeployment({
    store: target.store,
    settings: {
      MILLPOND_LISTEN: `${url},${narrowUrl}/io+rsf`,
      MILLPOND_HOSTS: [...Object.entries(HOSTS), ['io', 'both.test'], ['rs', 'both.test']]
        .map(([role, host]) => `${role}=${host}`)
        .join(','),
      MILLPOND_DOWNLOAD_SUFFIX: 'dl.test',
    },
  });
  account = await deployment.createAccount(undefined, BUCKET);
  await deployment.start();
  const token = uploadToken(account, { scope: BUCKET });
  expect((await uploadForm(url, 'hello world', { token, key: 'a.txt' })).status).toBe(200);
});
afterAll(() => deployment?.destroy());

function signed(call: Call & { host: string }, at = url): Promise<RawResponse> {
  return send(call, authorize(call, { keys: account }), at);
}

function expectNoRoute(answer: RawResponse): void {
  expect([answer.status, answer.json()]).toMatchObject([404, { error: 'not found' }]);
  expect(answer.header('x-reqid')).toMatch(/./);
}

/** One call of each role, and what it answers where its role is. */
const calls: { role: string; call: Call; status: number }[] = [
  { role: 'rs', call: { target: STAT }, status: 200 },
  { role: 'rsf', call: { method: 'GET', target: `/list?bucket=${BUCKET}` }, status: 200 },
  { role: 'uc', call: { target: '/private', body: `bucket=${BUCKET}&private=0` }, status: 200 },
  { role: 'io', call: { method: 'GET', target: `/${BUCKET}/a.txt` }, status: 200 },
  { role: 'up', call: { target: '/', contentType: 'multipart/form-data; boundary=x' }, status: 400 },
];

describe('a host', () => {
  test.each(calls)('answers the calls of $role on its own name only [host-01 host-02]', async (example) => {
    for (const [role, host] of Object.entries(HOSTS)) {
      const answer = await signed({ ...example.call, host });
      if (role === example.role) expect(answer.status).toBe(example.status);
      else expectNoRoute(answer);
    }
  });

  test('does not say that it knows a path of another role by answering 405 [host-01]', async () => {
    expectNoRoute(await send({ method: 'PUT', target: STAT, host: HOSTS.uc }, undefined, url));
    expectNoRoute(await send({ method: 'PUT', target: `/${BUCKET}/a.txt`, host: HOSTS.rs }, undefined, url));
    expect((await send({ method: 'PUT', target: STAT, host: HOSTS.rs }, undefined, url)).status).toBe(405);
  });

  test('may have several roles [host-02]', async () => {
    const host = 'both.test';
    expect((await signed({ target: STAT, host })).status).toBe(200);
    expect((await rawFetch({ target: `/${BUCKET}/a.txt`, host }, url)).text()).toBe('hello world');
    expectNoRoute(await signed({ method: 'GET', target: `/list?bucket=${BUCKET}`, host }));
  });

  test('is told from others without regard to case, and with or without a port [host-02]', async () => {
    for (const host of ['RS.Test', 'rs.test:8080'])
      expect((await signed({ target: STAT, host })).status).toBe(200);
    const list = { method: 'GET', target: `/list?bucket=${BUCKET}` };
    expect((await signed({ ...list, host: 'rsf.test:81' })).status).toBe(200);
    // Configured with its port, the name without it is another host.
    expectNoRoute(await signed({ ...list, host: 'rsf.test' }));
  });

  test('that is neither configured nor bound to a bucket answers 404', async () => {
    for (const host of ['other.test', '%41.dl.test', '..dl.test', '-.dl.test']) {
      const answer = await rawFetch({ target: `/${BUCKET}/a.txt`, host }, url);
      expect([answer.status, host]).toEqual([404, host]);
      expect(answer.json()).toMatchObject({ error: 'not found' });
    }
  });

  test('cannot be named by the path', async () => {
    for (const path of [
      `/~bucket/${BUCKET}/a.txt`,
      `/~domain/${BUCKET}/a.txt`,
      `/%7ebucket/${BUCKET}/a.txt`,
    ]) {
      for (const host of [HOSTS.io, new URL(url).host])
        expectNoRoute(await rawFetch({ target: path, host }, url));
    }
  });
});

describe('a listener', () => {
  test('carries the roles that it was given and no others [host-01]', async () => {
    const host = new URL(narrowUrl).host;
    expect((await rawFetch({ target: `/${BUCKET}/a.txt` }, narrowUrl)).text()).toBe('hello world');
    expect((await signed({ method: 'GET', target: `/list?bucket=${BUCKET}`, host }, narrowUrl)).status).toBe(
      200,
    );
    expectNoRoute(await signed({ method: 'GET', target: STAT, host }, narrowUrl));
    expectNoRoute(await signed({ method: 'GET', target: STAT, host: HOSTS.rs }, narrowUrl));
  });

  test('reached by its address answers for every role it carries [host-02]', async () => {
    const host = new URL(url).host;
    for (const { call, status } of calls) expect((await signed({ ...call, host })).status).toBe(status);
  });
});
