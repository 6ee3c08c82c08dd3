/** Access keys: two at a time, root or user, disabled and enabled; and what an account asks of its signatures. */
import { createHmac } from 'node:crypto';
import { dialects, FORM_TYPE, formatRequestDate, signLegacyManagement } from '@millpond/protocol';
import {
  type Account,
  createBucket,
  createDeployment,
  type Deployment,
  finishCommand,
  hashing,
  makeCertificate,
  startSecure,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccountError } from '../support/accounts/account-errors.ts';
import {
  children,
  info,
  logIn,
  newChild,
  newEmail,
  type Person,
  tokensOf,
  userCall,
} from '../support/accounts/accounts.ts';
import { createParent, operate } from '../support/accounts/operator.ts';
import { statTarget } from '../support/objects/objects.ts';
import { type Secure, secureSend, secureSigned } from '../support/running/secure.ts';
import { authorize, sendSigned } from '../support/signing.ts';
import { target } from '../support/target.ts';

const { account, url, secure } = target;
const WITHIN = { timeout: 300_000, interval: 100 };
let parent: Person;

beforeAll(async () => {
  parent = await createParent();
});

async function secondKey(email: string, kind: 'root' | 'user'): Promise<Account> {
  const made = JSON.parse(await operate(['key', 'create', email, '--json', '--kind', kind])) as Account;
  return { ...parent, ...made };
}

describe('an account credential', () => {
  const call = { target: '/v1/user/info' };
  const signed = () => authorize(call, { url: secure.url });

  test('must be there [auth-account-04 account-rule-02]', async () => {
    for (const authorization of [undefined, '', 'Svc', 'Svc '])
      expectAccountError(await secureSend(call, authorization), 11);
  });

  test('must be signed by its key, over this call [auth-account-05 account-rule-02]', async () => {
    const wrong = { ...account, secretKey: 'wrong' };
    expectAccountError(await info(wrong), 11);
    const other = authorize({ target: '/v1/user/children', method: 'GET' }, { url: secure.url });
    expectAccountError(await secureSend(call, other), 11);
    expectAccountError(await secureSend({ ...call, body: 'a=b' }, signed()), 11);
    expectAccountError(await children(wrong), 11);
    expectAccountError(
      await userCall('create_child', { email: newEmail(), password: 'correct horse' }, wrong),
      11,
    );
  });

  test('of an unknown key is answered like a wrong signature [auth-account-06 account-rule-02]', async () => {
    const unknown = await info({ ...account, accessKey: 'A'.repeat(40) });
    expectAccountError(unknown, 11);
    expect(unknown.text()).toBe((await info({ ...account, secretKey: 'wrong' })).text());
  });

  test('has a colon and the scheme word of the service [auth-account-07 account-rule-02]', async () => {
    const credential = signed().slice('Svc '.length);
    for (const authorization of [
      `Svc ${credential.replace(':', '')}`,
      `Svc ${credential.replace(':', ' ')}`,
      `SvcCb ${credential}`,
      `Qiniu ${credential}`,
      `Bearer ${credential}`,
      `svc ${credential}`,
      credential,
    ])
      expectAccountError(await secureSend(call, authorization), 11);
    expect((await secureSend(call, `Svc ${credential}`)).status).toBe(200);
  });

  test('is no access token, however good [cred-03]', async () => {
    const { access_token } = await tokensOf(logIn(parent));
    expectAccountError(await secureSend(call, `Svc ${access_token}`), 11);
    const list = { target: '/v1/user/children', method: 'GET' };
    expectAccountError(await secureSend(list, `Svc ${access_token}`), 11);
  });

  test('of a date that is too old is refused', async () => {
    const old = formatRequestDate(new Date(Date.now() - 16 * 60_000));
    expectAccountError(await secureSigned({ ...call, headers: [['X-Svc-Date', old]] }), 11);
  });
});

describe('keys', () => {
  test('are two at a time: a third is refused [cred-08]', async () => {
    const child = await newChild();
    const second = await secondKey(child.email, 'root');
    const third = await finishCommand(target.environment, ['key', 'create', child.email, '--kind', 'root']);
    expect(third.code).toBe(2);
    expect(third.stderr).toContain('2 access keys');
    for (const keys of [child, second]) expect((await info(keys)).json()).toMatchObject({ uid: child.uid });
  });

  test('of the kind user may do everything but account calls [cred-09 account-rule-03 err-account-15]', async () => {
    const user = await secondKey(parent.email, 'user');
    expectAccountError(await info(user), 15);
    expectAccountError(await children(user), 15);
    expectAccountError(
      await userCall('create_child', { email: newEmail(), password: 'correct horse' }, user),
      15,
    );
    const bucket = `user-${parent.uid}`;
    await createBucket(url, user, bucket);
    const token = uploadToken(user, { scope: bucket });
    expect((await uploadForm(url, 'hello', { token, key: 'k' })).status).toBe(200);
    expect((await sendSigned({ target: statTarget(bucket, 'k') }, { keys: user })).status).toBe(200);
  });

  test('are disabled one by one, within 5 s, and enabled again [key-state-01]', async () => {
    const child = await newChild();
    const second = await secondKey(child.email, 'root');
    expect((await info(second)).status).toBe(200);
    await operate(['key', 'disable', second.accessKey]);
    await expect.poll(async () => (await info(second)).status, WITHIN).toBe(401);
    expectAccountError(await info(second), 11);
    const object = { target: statTarget('nowhere-to-be-found', 'k') };
    expect((await sendSigned(object, { keys: second })).json()).toEqual({ error: 'bad token' });
    expect((await info(child)).status).toBe(200);
    expect((await sendSigned(object, { keys: child })).status).toBe(631);
    await operate(['key', 'enable', second.accessKey]);
    await expect.poll(async () => (await info(second)).status, WITHIN).toBe(200);
  });
});

describe('what an account asks of its signatures', () => {
  let deployment: Deployment;
  let certificate: Awaited<ReturnType<typeof makeCertificate>>;
  let at: Secure;
  let owner: Account;
  let other: Account;
  const stat = { target: statTarget('nowhere-to-be-found', 'k') };

  beforeAll(async () => {
    certificate = await makeCertificate();
    deployment = await createDeployment({
      store: target.store,
      settings: { MILLPOND_DIALECT: 'qiniu', MILLPOND_CONTROL_CACHE: '1s' },
    });
    const server = await startSecure(deployment, certificate);
    at = { url: server.secureUrl, certificate: certificate.text };
    [owner, other] = [await deployment.createAccount(), await deployment.createAccount()];
  });
  afterAll(async () => {
    await deployment?.destroy();
    await certificate?.remove();
  });

  const oldForm = (keys: Account) =>
    signLegacyManagement(hashing, keys, { ...stat, contentType: FORM_TYPE, body: undefined }, dialects.qiniu);
  const sendOld = async (keys: Account) => (await secureSend(stat, oldForm(keys), at)).status;
  const sendNew = async (keys: Account, headers: readonly (readonly [string, string])[] = []) =>
    (await secureSigned({ ...stat, headers }, { keys, dialect: dialects.qiniu, at })).status;
  const now = () => [['X-Qiniu-Date', formatRequestDate(new Date())]] as const;

  test('never lets the old signing into account calls [cred-05]', async () => {
    const path = '/v1/user/info';
    expect((await secureSigned({ target: path }, { keys: owner, dialect: dialects.qiniu, at })).status).toBe(
      200,
    );
    const body = 'a=b';
    for (const text of [`${path}\n`, `${path}\n${body}`]) {
      const sign = createHmac('sha1', owner.secretKey).update(text).digest('base64url');
      for (const word of ['QBox', 'Qiniu'])
        expectAccountError(
          await secureSend({ target: path, body }, `${word} ${owner.accessKey}:${sign}=`, at),
          11,
        );
    }
    const signed = signLegacyManagement(
      hashing,
      owner,
      { target: path, contentType: FORM_TYPE, body: undefined },
      dialects.qiniu,
    );
    expectAccountError(await secureSend({ target: path }, signed, at), 11);
  });

  test('can be that the old signing is off [cred-06]', async () => {
    expect(await sendOld(owner)).toBe(631);
    await deployment.run('account', 'signing', owner.email, '--old', 'refuse');
    await expect.poll(() => sendOld(owner), WITHIN).toBe(401);
    expect(await sendNew(owner)).toBe(631);
    expect(await sendOld(other)).toBe(631);
    await deployment.run('account', 'signing', owner.email, '--old', 'accept');
    await expect.poll(() => sendOld(owner), WITHIN).toBe(631);
  });

  test('can be that every call has a date; then the old signing has none to show [cred-07]', async () => {
    expect(await sendNew(owner)).toBe(631);
    await deployment.run('account', 'signing', owner.email, '--date', 'required');
    await expect.poll(() => sendNew(owner), WITHIN).toBe(401);
    expect(await sendNew(owner, now())).toBe(631);
    expect(await sendOld(owner)).toBe(401);
    expect(await sendNew(other)).toBe(631);
    const shown = JSON.parse(
      await deployment.run('account', 'signing', owner.email, '--date', 'optional', '--json'),
    ) as object;
    expect(shown).toEqual({ email: owner.email, oldSigning: true, dateRequired: false });
    await expect.poll(() => sendNew(owner), WITHIN).toBe(631);
    const acts = await deployment.run(
      'audit',
      '--target',
      owner.email,
      '--action',
      'account.signing',
      '--json',
    );
    expect(acts.trim().split('\n').length).toBeGreaterThanOrEqual(2);
  });
});
