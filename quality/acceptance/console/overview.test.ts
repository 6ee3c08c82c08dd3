/** What accounts and operators look at first: the overview, what failed, figures, and how the engines are. */
import { CONSOLE_ACCOUNT_HEADER } from '@millpond/protocol';
import { type ConsoleUser, createBucket, signIn, uploadForm, uploadToken } from '@millpond/testing';
import { beforeAll, expect, test } from 'vitest';
import type { Person } from '../support/accounts/accounts.ts';
import { createParent, operate } from '../support/accounts/operator.ts';
import { useReceiver } from '../support/receivers/receiver.ts';
import { collected, sdkClient } from '../support/running/sdk.ts';
import { target } from '../support/target.ts';

const receiver = useReceiver();
const SOON = { timeout: 60_000, interval: 100 };
const bucket = `overview-${Date.now().toString(36)}`;
const key = '<img src=x onerror=alert(1)>.txt';
let person: Person;
let operator: ConsoleUser;

interface Failure {
  readonly what: string;
  readonly id: string;
  readonly uid?: number;
  readonly entry: string;
  readonly words: string;
  readonly cause: { readonly kind: string; readonly id: string };
  readonly act: string | null;
}

beforeAll(async () => {
  person = await createParent();
  operator = await signIn(target.console, target.console.operator);
  await createBucket(target.url, person, bucket);
  await createBucket(target.url, target.account, `${bucket}-of-another`);
  const refusing = receiver.at((response) => response.writeHead(503).end('closed for today'));
  const policy = { scope: `${bucket}:${key}`, callbackUrl: refusing.url, callbackBody: 'key=$(key)' };
  const sent = await uploadForm(target.url, 'hello', { token: uploadToken(person, policy), key });
  expect(sent.status).toBe(579);
});

test('a callback that failed is listed with its cause, by every way, to its account alone [overview-02]', async () => {
  const client = sdkClient({ credentials: person });
  const [failure] = await collected(client.failures());
  expect(failure).toMatchObject({
    what: 'callback',
    uid: person.uid,
    entry: `${bucket}:${key}`,
    act: 'resend',
  });
  expect(failure?.words).toContain('503');
  expect(failure?.cause).toEqual({ kind: 'delivery', id: failure?.id });
  expect(await client.deliveries.get(failure?.cause.id ?? '')).toMatchObject({ state: 'failed' });
  const listed = await operate(['failures', '--account', person.email, '--json']);
  expect(JSON.parse(listed)).toEqual(failure);
  expect(await collected(sdkClient({ credentials: await createParent() }).failures())).toEqual([]);
});

test('the overview of an account says what it has; an operator sees one account, or all [overview-01]', async () => {
  const client = sdkClient({ credentials: person });
  await expect.poll(async () => (await client.overview()).objects, SOON).toEqual({ 0: 1, 1: 0, 2: 0, 3: 0 });
  const own = await client.overview();
  expect(own).toMatchObject({
    buckets: 1,
    bytes: { 0: 5 },
    deliveries: { waiting: 0, failed: 1 },
    restores: 0,
  });
  const forAccount = await operator.call('api', '/v1/overview', {
    headers: { [CONSOLE_ACCOUNT_HEADER]: String(person.uid) },
  });
  expect(forAccount.json()).toMatchObject({ buckets: 1, objects: { 0: 1 }, deliveries: { failed: 1 } });
  const all = (await operator.call('api', '/v1/overview')).json() as { buckets: number };
  expect(all.buckets).toBeGreaterThan(1);
  const { items } = (await operator.call('api', '/v1/failures?limit=200')).json() as { items: Failure[] };
  expect(items.find(({ entry }) => entry === `${bucket}:${key}`)?.uid).toBe(person.uid);
  expect(JSON.parse(await operate(['overview', '--account', person.email, '--json']))).toMatchObject({
    buckets: 1,
  });
});

test('an operator sees how the engines are, and figures over time [figures-01]', async () => {
  const health = async () => {
    const { items, capacity: full } = (await operator.call('api', '/v1/operator/health')).json() as {
      items: { engine: string; state: string }[];
      capacity?: { used: number; total: number };
    };
    return { told: items.map(({ engine, state }) => `${engine} ${state}`), capacity: full };
  };
  // Beside processes that other tests have killed. And what has not answered within 3 s is told as such: it shares two cores.
  const running = ['gateway', 'worker', 'sender', 'database-control', 'database-region'].map((engine) =>
    expect.stringMatching(`^${engine} (?:ok|warn)$`),
  );
  await expect
    .poll(async () => (await health()).told)
    .toEqual(expect.arrayContaining([...running, 'bytes ok', 'rtmp off', 'sip off']));
  const { capacity } = await health();
  if (target.store === 'disk') expect(capacity?.total).toBeGreaterThan(capacity?.used ?? 0);
  const names = 'requests.uploads,latency.p99';
  const figures = await operator.call('api', `/v1/operator/figures?names=${names}&step=60`);
  const { step, series } = figures.json() as { step: number; series: Record<string, (number | null)[]> };
  expect([step, Object.keys(series)]).toEqual([60, names.split(',')]);
  expect(series['requests.uploads']?.length).toBeGreaterThanOrEqual(60);
});

test('nobody else does [operator-03]', async () => {
  const user = await signIn(target.console, person);
  for (const path of ['/v1/operator/health', '/v1/operator/figures']) {
    const answer = await user.call('api', path);
    expect([answer.status, answer.json()]).toMatchObject([401, { error_code: 15 }]);
  }
  const refused = await operator.call('api', '/v1/operator/figures?names=nonsense');
  expect([refused.status, refused.text()]).toMatchObject([400, expect.stringContaining('no figure')]);
});
