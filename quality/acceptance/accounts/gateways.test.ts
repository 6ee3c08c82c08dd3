/** Several gateways on one deployment: what one operator's act reaches, and how they go on without the control database. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, createBucket, uploadForm, uploadToken } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccountError, expectUnstored } from '../support/accounts/account-errors.ts';
import {
  childKey,
  info,
  logIn,
  newChild,
  refresh,
  tokensOf,
  withToken,
} from '../support/accounts/accounts.ts';
import { statTarget } from '../support/objects/objects.ts';
import { type EngineProxy, openProxy, throughProxy } from '../support/receivers/proxy.ts';
import { type Secure, secureSend, secureSigned } from '../support/running/secure.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';
import { sendSigned } from '../support/signing.ts';

const own = useSecureDeployment({});
let parent: Account;

beforeAll(async () => {
  parent = await own.deployment.createAccount();
});

describe('two gateways', () => {
  let second: Secure;
  beforeAll(async () => {
    ({ at: second } = await own.start());
  });

  const gateways = () => [own.at, second];
  const SOON = { timeout: 300_000, interval: 20 };

  /** Both have the key in their caches when the act begins; then each is asked until it refuses. */
  async function refusedAfter(keys: Account, act: () => Promise<unknown>, by = 401): Promise<void> {
    const statuses = () =>
      Promise.all(
        gateways().map(async (at) => {
          const call = { target: statTarget('nowhere-to-be-found', 'k') };
          return (await secureSigned(call, { keys, at })).status;
        }),
      );
    expect(await statuses()).toEqual([631, 631]);
    await act();
    await expect.poll(statuses, SOON).toEqual([by, by]);
  }

  // That a cached answer is used for less than 5 s is shown beside the setting and the cache, by their clock.
  test('both refuse a disabled key, with the default cache [key-state-01]', async () => {
    const child = await newChild(parent, own.at);
    await refusedAfter(child, () => own.deployment.run('key', 'disable', child.accessKey));
    expectAccountError(await info(child, own.at), 11);
  });

  test('both keep to the limits that a key gets [key-limit-04]', async () => {
    const child = await newChild(parent, own.at);
    await refusedAfter(
      child,
      () => own.deployment.run('key', 'limit', child.accessKey, '--may', 'list'),
      403,
    );
  });

  test('both ask for a token once a bucket is private [download-10]', async () => {
    const bucket = 'gateways-private';
    await createBucket(own.server.url, parent, bucket);
    const token = uploadToken(parent, { scope: bucket });
    expect((await uploadForm(own.server.url, 'open', { token, key: 'k' })).status).toBe(200);
    const statusAt = async (at: Secure) =>
      (await secureSend({ method: 'GET', target: `/${bucket}/k`, contentType: null }, undefined, at)).status;
    const statuses = () => Promise.all(gateways().map(statusAt));
    expect(await statuses()).toEqual([200, 200]);
    await secureSigned(
      { target: '/private', body: `bucket=${bucket}&private=1` },
      { keys: parent, at: own.at },
    );
    await expect.poll(statuses, SOON).toEqual([401, 401]);
  });

  test('both refuse a disabled account, with the default cache [cred-10 account-rule-11]', async () => {
    const child = await newChild(parent, own.at);
    await refusedAfter(child, () => own.deployment.run('account', 'disable', child.email));
  });
});

describe.each(['cut', 'freeze'] as const)('without the control database (%s)', (how) => {
  let proxy: EngineProxy;
  let at: Secure;
  let url: string;
  let accessToken: string;
  const bucket = `away-${how}`;
  const stat = { target: statTarget(bucket, 'k') };

  beforeAll(async () => {
    const controlUrl = own.deployment.environment.MILLPOND_CONTROL_DB ?? '';
    proxy = await openProxy(controlUrl);
    const settings = {
      MILLPOND_CONTROL_DB: throughProxy(controlUrl, proxy),
      MILLPOND_CONTROL_CACHE: '1s',
      MILLPOND_DB_TIMEOUT: '5s',
      MILLPOND_LOG_LEVEL: 'silent',
    };
    const { at: gateway, server } = await own.start(settings);
    ({ url } = server);
    at = gateway;
    await createBucket(url, parent, bucket);
    const token = uploadToken(parent, { scope: `${bucket}:k` });
    expect((await uploadForm(url, 'hello', { token, key: 'k' })).status).toBe(200);
    expect((await sendSigned(stat, { url, keys: parent })).status).toBe(200);
    const child = await newChild(parent, at);
    accessToken = (await tokensOf(logIn(child, at))).access_token;
    expect(
      (await withToken(accessToken, { target: statTarget('nowhere-to-be-found', 'k') }, at)).status,
    ).toBe(631);
    proxy[how]();
  });
  afterAll(() => proxy?.close());

  test('known keys and tokens go on, without a wait for the database in every call [control-01]', {
    // Were each of them to wait for the database to be silent for its time, they would take twice as long.
    timeout: 300_000,
  }, async () => {
    // Past the time of every cached answer by the end.
    for (let i = 0; i < 20; i++) {
      expect((await sendSigned(stat, { url, keys: parent })).status).toBe(200);
      const token = uploadToken(parent, { scope: `${bucket}:k` });
      expect((await uploadForm(url, `hello ${i}`, { token, key: 'k' })).status).toBe(200);
      expect((await fetch(`${url}/${bucket}/k`)).status).toBe(200);
      const tokenCall = { target: statTarget('nowhere-to-be-found', 'k') };
      expect((await withToken(accessToken, tokenCall, at)).status).toBe(631);
      await sleep(200);
    }
  });

  test('a key that nobody has asked for answers 599 [control-01]', async () => {
    const stranger = { ...parent, accessKey: 'B'.repeat(40) };
    const answer = await sendSigned(stat, { url, keys: stranger });
    expect(answer.status).toBe(599);
    expect(answer.json()).toEqual({ error: 'server failure' });
  });

  test('token and account calls answer 599, which nobody may keep [err-account-19 token-rule-15]', async () => {
    const answers = await Promise.all([
      refresh('x', at),
      logIn({ email: 'somebody@example.com', password: 'p' }, at),
      info(parent, at),
      childKey({ uid: '1' }, parent, at),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(599);
      expect(answer.json()).toEqual({ error: 'server failure' });
      expectUnstored(answer);
    }
  });

  test('all is well again when it is back [control-01]', async () => {
    proxy.restore();
    await expect.poll(async () => (await info(parent, at)).status, { interval: 200 }).toBe(200);
    expect((await sendSigned(stat, { url, keys: parent })).status).toBe(200);
  });
});
