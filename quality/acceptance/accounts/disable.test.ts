import { createBucket, uploadForm, uploadToken } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectAccountError, expectUnstored } from '../support/accounts/account-errors.ts';
import {
  type AccountRecord,
  children,
  info,
  logIn,
  newChild,
  type Person,
  refresh,
  tokensOf,
  userCall,
  withToken,
} from '../support/accounts/accounts.ts';
import { auditOf } from '../support/accounts/operator.ts';
import { statTarget } from '../support/objects/objects.ts';
import { sendSigned } from '../support/signing.ts';
import { target } from '../support/target.ts';

const { account, stranger, url } = target;
const WITHIN = { timeout: 300_000, interval: 100 };

const disable = (uid: number, keys = account) =>
  userCall('disable_child', { uid: String(uid), reason: 'unpaid' }, keys);
const enable = (uid: number, keys = account) => userCall('enable_child', { uid: String(uid) }, keys);

/** A child with a public object of its own. */
async function childWithObject(): Promise<{ child: Person; bucket: string }> {
  const child = await newChild();
  const bucket = `of-${child.uid}`;
  await createBucket(url, child, bucket);
  const stored = await uploadForm(url, 'hello', { token: uploadToken(child, { scope: bucket }), key: 'k' });
  expect(stored.status).toBe(200);
  return { child, bucket };
}

describe('disable_child', () => {
  test('answers the record, and the child is out within 5 s [account-rule-11]', async () => {
    const child = await newChild();
    const answer = await disable(child.uid);
    expect(answer.status).toBe(200);
    expectUnstored(answer);
    expect(answer.json()).toEqual({
      userid: child.email,
      uid: child.uid,
      parent_uid: account.uid,
      email: child.email,
      is_disabled: true,
    });
    await expect.poll(async () => (await info(child)).status, WITHIN).toBe(401);
    expectAccountError(await info(child), 11);
    const listed = ((await children(account)).json() as AccountRecord[]).find(({ uid }) => uid === child.uid);
    expect(listed?.is_disabled).toBe(true);
  });

  test('shuts out management calls, upload tokens and access tokens, within 5 s [cred-10]', async () => {
    const { child, bucket } = await childWithObject();
    const { access_token, refresh_token } = await tokensOf(logIn(child));
    const call = { target: statTarget(bucket, 'k') };
    const statuses = async () => [
      (await sendSigned(call, { keys: child })).status,
      (await uploadForm(url, 'hello', { token: uploadToken(child, { scope: bucket }), key: 'k' })).status,
      (await withToken(access_token, call)).status,
    ];
    expect(await statuses()).toEqual([200, 200, 200]);
    expect((await disable(child.uid)).status).toBe(200);
    await expect.poll(statuses, WITHIN).toEqual([401, 401, 401]);
    expect((await withToken(access_token, call)).json()).toEqual({ error: 'bad token' });
    expectAccountError(await refresh(refresh_token), 11);
    expectAccountError(await logIn(child), 11);
  });

  test('leaves public objects readable [cred-11]', async () => {
    const { child, bucket } = await childWithObject();
    expect((await disable(child.uid)).status).toBe(200);
    await expect.poll(async () => (await info(child)).status, WITHIN).toBe(401);
    const read = await fetch(`${url}/${bucket}/k`);
    expect(read.status).toBe(200);
    expect(await read.text()).toBe('hello');
  });

  test('asks for the uid and the reason [err-account-06 err-account-07]', async () => {
    const { uid } = await newChild();
    expectAccountError(await userCall('disable_child', { reason: 'r' }), 6);
    expectAccountError(await userCall('disable_child', { uid: String(uid) }), 6);
    expectAccountError(await userCall('disable_child', { uid: String(uid), reason: '' }), 7);
    expectAccountError(await userCall('disable_child', { uid: 'abc', reason: 'r' }), 8);
    expectAccountError(await userCall('enable_child', {}), 6);
  });

  test("knows neither strangers' children nor what is no child [account-rule-06 err-account-14 G39]", async () => {
    const child = await newChild();
    const [notYours, notThere] = [await disable(child.uid, stranger), await disable(1, stranger)];
    expectAccountError(notYours, 14);
    expect(notYours.text()).toBe(notThere.text());
    for (const uid of [account.uid, stranger.uid, 0]) expectAccountError(await disable(uid), 14);
    expect((await info(child)).status).toBe(200);
  });

  test("is refused to a child's key, for its siblings and itself [account-rule-04]", async () => {
    const [one, two] = [await newChild(), await newChild()];
    expectAccountError(await disable(two.uid, one), 15);
    expectAccountError(await enable(one.uid, one), 15);
    expect((await info(two)).status).toBe(200);
  });

  test('also answers under its name with a hyphen, and is in the audit log [audit-01]', async () => {
    const child = await newChild();
    const form = { uid: String(child.uid), reason: 'r' };
    const answer = await userCall('disable-child', form);
    expect(answer.json()).toMatchObject({ is_disabled: true });
    expect((await userCall('enable-child', form)).json()).toMatchObject({ is_disabled: false });
    const acts = await auditOf(child.email);
    expect(acts.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['child.enable', 'child.disable']),
    );
    expect(acts.find(({ action }) => action === 'child.disable')).toMatchObject({
      actor: account.accessKey,
      actor_uid: account.uid,
      address: '127.0.0.1',
      result: 'ok',
      reqid: answer.header('x-reqid'),
    });
  });
});

describe('enable_child', () => {
  test('lets the child in again [account-rule-12]', async () => {
    const child = await newChild();
    await disable(child.uid);
    await expect.poll(async () => (await info(child)).status, WITHIN).toBe(401);
    const answer = await enable(child.uid);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ uid: child.uid, is_disabled: false });
    await expect.poll(async () => (await info(child)).status, WITHIN).toBe(200);
    expect((await logIn(child)).status).toBe(200);
  });

  test('revives no access token of before; a refresh gives one that works [account-token-01 cred-10]', async () => {
    const { child, bucket } = await childWithObject();
    const { access_token, refresh_token } = await tokensOf(logIn(child));
    const statusOf = async (token: string) =>
      (await withToken(token, { target: statTarget(bucket, 'k') })).status;
    expect(await statusOf(access_token)).toBe(200);
    await disable(child.uid);
    await expect.poll(() => statusOf(access_token), WITHIN).toBe(401);
    await enable(child.uid);
    await expect.poll(async () => (await info(child)).status, WITHIN).toBe(200);
    const renewed = await tokensOf(refresh(refresh_token));
    expect(await statusOf(renewed.access_token)).toBe(200);
    expect(await statusOf(access_token)).toBe(401);
  });
});
