/** Several gateways on one deployment: what one operator's act reaches, and how they go on without the control database. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, createBucket, uploadForm, uploadToken } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccountError, expectUnstored } from '../support/account-errors.ts';
import { childKey, info, logIn, newChild, refresh, tokensOf, withToken } from '../support/accounts.ts';
import { statTarget } from '../support/objects.ts';
import { type EngineProxy, openProxy, throughProxy } from '../support/proxy.ts';
import { type Secure, secureSend, secureSigned } from '../support/secure.ts';
import { useSecureDeployment } from '../support/secure-deployment.ts';
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

  /** Asks without a pause, so that caches are warm, and tells how long after the act the last 200 was begun. */
  async function lastAcceptance(at: Secure, keys: Account, since: Promise<unknown>): Promise<number> {
    let acted = Number.POSITIVE_INFINITY;
    void since.then(() => {
      acted = performance.now();
    });
    for (let last = 0; ; ) {
      const begun = performance.now();
      const { status } = await secureSigned({ target: statTarget('nowhere-to-be-found', 'k') }, { keys, at });
      if (status === 401) return Math.max(0, last - acted);
      expect(status).toBe(631);
      last = begun;
      if (begun - acted > 10_000) throw new Error('still accepted after 10 s');
      await sleep(20);
    }
  }

  test('both refuse a disabled key within 5 s, with the default cache [key-state-01]', async () => {
    const child = await newChild(parent, own.at);
    const disabled = sleep(1_000).then(() => own.deployment.run('key', 'disable', child.accessKey));
    const late = await Promise.all([own.at, second].map((at) => lastAcceptance(at, child, disabled)));
    for (const ms of late) expect(ms).toBeLessThan(5_000);
    expectAccountError(await info(child, own.at), 11);
  });

  test('both ask for a token within 5 s once a bucket is private [download-10]', async () => {
    const bucket = 'gateways-private';
    await createBucket(own.server.url, parent, bucket);
    const token = uploadToken(parent, { scope: bucket });
    expect((await uploadForm(own.server.url, 'open', { token, key: 'k' })).status).toBe(200);
    const statusAt = async (at: Secure) =>
      (await secureSend({ method: 'GET', target: `/${bucket}/k`, contentType: null }, undefined, at)).status;
    expect(await Promise.all([statusAt(own.at), statusAt(second)])).toEqual([200, 200]);
    await secureSigned(
      { target: '/private', body: `bucket=${bucket}&private=1` },
      { keys: parent, at: own.at },
    );
    await sleep(5_000);
    expect(await Promise.all([statusAt(own.at), statusAt(second)])).toEqual([401, 401]);
  });

  test('both refuse a disabled account within 5 s, with the default cache [cred-10 account-rule-11]', async () => {
    const child = await newChild(parent, own.at);
    const disabled = sleep(1_000).then(() => own.deployment.run('account', 'disable', child.email));
    const late = await Promise.all([own.at, second].map((at) => lastAcceptance(at, child, disabled)));
    for (const ms of late) expect(ms).toBeLessThan(5_000);
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
      MILLPOND_DB_TIMEOUT: '3s',
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
    // Long enough for every cached answer to be past its time.
    await sleep(1_500);
  });
  afterAll(() => proxy?.close());

  test('known keys and tokens go on, quickly [control-01]', async () => {
    const waits: number[] = [];
    for (let i = 0; i < 20; i++) {
      const begun = performance.now();
      expect((await sendSigned(stat, { url, keys: parent })).status).toBe(200);
      const token = uploadToken(parent, { scope: `${bucket}:k` });
      expect((await uploadForm(url, `hello ${i}`, { token, key: 'k' })).status).toBe(200);
      expect((await fetch(`${url}/${bucket}/k`)).status).toBe(200);
      const tokenCall = { target: statTarget('nowhere-to-be-found', 'k') };
      expect((await withToken(accessToken, tokenCall, at)).status).toBe(631);
      waits.push(performance.now() - begun);
      await sleep(200);
    }
    expect(waits.toSorted((a, b) => a - b)[10]).toBeLessThan(1_000);
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
    await expect
      .poll(async () => (await info(parent, at)).status, { timeout: 15_000, interval: 200 })
      .toBe(200);
    expect((await sendSigned(stat, { url, keys: parent })).status).toBe(200);
  });
});
