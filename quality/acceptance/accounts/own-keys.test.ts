/** An account exchanges its own access keys, without an operator. */
import { beforeEach, describe, expect, test } from 'vitest';
import { expectAccountError, expectUnstored } from '../support/accounts/account-errors.ts';
import { info, newChild, type Person, userCall } from '../support/accounts/accounts.ts';
import { auditOf, createParent } from '../support/accounts/operator.ts';
import { secureSigned } from '../support/running/secure.ts';
import { target } from '../support/target.ts';

const WITHIN = { timeout: 300_000, interval: 100 };
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface Pair {
  readonly accessKey: string;
  readonly secretKey: string;
}

let owner: Person;

beforeEach(async () => {
  owner = await newChild();
});

const keysOf = (keys: Pair) => secureSigned({ method: 'GET', target: '/v1/user/keys' }, { keys });

async function secondKey(kind: 'root' | 'user', by: Pair = owner): Promise<Pair> {
  const answer = await userCall('create_key', { kind }, by);
  expect(answer.status, answer.text()).toBe(200);
  const { key, secret } = answer.json() as { key: string; secret: string };
  return { accessKey: key, secretKey: secret };
}

describe('keys', () => {
  test('are listed with their kind and state, and never with a secret', async () => {
    const second = await secondKey('user');
    const answer = await keysOf(owner);
    expectUnstored(answer);
    expect(answer.json()).toEqual([
      {
        key: owner.accessKey,
        kind: 'root',
        state: 0,
        created: expect.stringMatching(DATE),
        // By this very call.
        lastUsed: expect.stringMatching(DATE),
        lastAddress: '127.0.0.1',
      },
      { key: second.accessKey, kind: 'user', state: 0, created: expect.stringMatching(DATE) },
    ]);
    for (const { secretKey } of [owner, second]) expect(answer.text()).not.toContain(secretKey);
  });

  test('a second one works at once; a third is refused until one is deleted', async () => {
    const second = await secondKey('root');
    expect((await info(second)).json()).toMatchObject({ uid: owner.uid });
    expectAccountError(await userCall('create_key', { kind: 'root' }, owner), 8);
    await userCall('disable_key', { key: owner.accessKey }, second);
    expect((await userCall('delete_key', { key: owner.accessKey }, second)).status).toBe(200);
    const third = await secondKey('root', second);
    expect((await info(third)).status).toBe(200);
    await expect.poll(async () => (await info(owner)).status, WITHIN).toBe(401);
  });

  test('one that may do everything is made only where that is said [key-limit-13]', async () => {
    for (const form of [{}, { note: 'for nothing' }, { limits: 'unlimited' }])
      expectAccountError(await userCall('create_key', form, owner), 6);
    expect((await keysOf(owner)).json()).toHaveLength(1);
    const user = await userCall('create_key', { kind: 'user' }, owner);
    expect(user.json()).toMatchObject({ kind: 'user' });
    expect(user.json()).not.toHaveProperty('limits');
  });

  test('are disabled within 5 s, enabled again, and deleted only while disabled', async () => {
    const second = await secondKey('root');
    expectAccountError(await userCall('delete_key', { key: second.accessKey }, owner), 8);
    const disabled = await userCall('disable_key', { key: second.accessKey }, owner);
    expect(disabled.json()).toMatchObject({ key: second.accessKey, state: 1 });
    await expect.poll(async () => (await info(second)).status, WITHIN).toBe(401);
    const enabled = await userCall('enable_key', { key: second.accessKey }, owner);
    expect(enabled.json()).toMatchObject({ key: second.accessKey, state: 0 });
    await expect.poll(async () => (await info(second)).status, WITHIN).toBe(200);
    await userCall('disable_key', { key: second.accessKey }, owner);
    expect((await userCall('delete_key', { key: second.accessKey }, owner)).text()).toBe('');
    expect((await keysOf(owner)).json()).toHaveLength(1);
    expectAccountError(await userCall('enable_key', { key: second.accessKey }, owner), 14);
  });

  test('a key does not disable or delete itself: an account keeps one that can call', async () => {
    for (const call of ['disable_key', 'delete_key'])
      expectAccountError(await userCall(call, { key: owner.accessKey }, owner), 8);
    expect((await info(owner)).status).toBe(200);
  });

  test("another account's key is as if it were not there, a parent's and a child's too", async () => {
    const parent = await createParent();
    const child = await newChild(parent);
    const unknown = await userCall('disable_key', { key: 'A'.repeat(40) }, owner);
    expectAccountError(unknown, 14);
    for (const call of ['disable_key', 'enable_key', 'delete_key'])
      for (const [key, by] of [
        [target.account.accessKey, parent],
        [child.accessKey, parent],
        [parent.accessKey, child],
      ] as const)
        expect((await userCall(call, { key }, by)).text()).toBe(unknown.text());
    expect((await info(child)).status).toBe(200);
  });

  test('a user key lists and changes nothing, and a bad kind or a missing key is told', async () => {
    const user = await secondKey('user');
    expectAccountError(await keysOf(user), 15);
    for (const call of ['create_key', 'disable_key', 'enable_key', 'delete_key'])
      expectAccountError(await userCall(call, { key: owner.accessKey }, user), 15);
    expectAccountError(await userCall('create_key', { kind: 'admin' }, owner), 8);
    expectAccountError(await userCall('disable_key', {}, owner), 6);
    expectAccountError(await userCall('delete_key', { key: '' }, owner), 7);
  });

  test('every change is in the audit log, with the key that signed it', async () => {
    const second = await secondKey('user');
    await userCall('disable_key', { key: second.accessKey }, owner);
    await userCall('enable_key', { key: second.accessKey }, owner);
    await userCall('disable_key', { key: second.accessKey }, owner);
    const deleted = await userCall('delete_key', { key: second.accessKey }, owner);
    const acts = await auditOf(second.accessKey);
    expect(acts.map(({ action }) => action)).toEqual([
      'key.delete',
      'key.disable',
      'key.enable',
      'key.disable',
      'key.create',
    ]);
    expect(acts[0]).toMatchObject({
      actor: owner.accessKey,
      actor_uid: owner.uid,
      address: '127.0.0.1',
      reqid: deleted.header('x-reqid'),
    });
  });
});
