/** An account reads and exchanges the secrets with which it verifies what Millpond sends. */
import { verifyRequest } from '@millpond/client';
import { createBucket, uploadForm, uploadToken } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccountError, expectUnstored } from '../support/accounts/account-errors.ts';
import { newChild, type Person, userCall } from '../support/accounts/accounts.ts';
import { auditOf, createParent, operate } from '../support/accounts/operator.ts';
import type { RawResponse } from '../support/raw.ts';
import { json, useReceiver } from '../support/receivers/receiver.ts';
import { secureSigned } from '../support/running/secure.ts';
import { target } from '../support/target.ts';

interface Secret {
  readonly id: number;
  readonly secret: string;
  readonly created: string;
  readonly retires?: string;
}
type Pair = Pick<Person, 'accessKey' | 'secretKey'>;

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const receiver = useReceiver();
let owner: Person;

beforeAll(async () => {
  owner = await createParent();
});

const secretsOf = (keys: Pair) =>
  secureSigned({ method: 'GET', target: '/v1/user/webhook_secrets' }, { keys });
const exchange = (keys: Pair, form: Record<string, string> = {}) =>
  userCall('exchange_webhook_secret', form, keys);
const read = (answer: RawResponse) => answer.json() as Secret[];

describe('webhook secrets', () => {
  test('are the ones that the operator sees, made with the first look', async () => {
    const answer = await secretsOf(owner);
    expect(answer.status, answer.text()).toBe(200);
    expectUnstored(answer);
    const [only, ...rest] = read(answer);
    expect(only).toEqual({
      id: expect.any(Number),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      created: expect.stringMatching(DATE),
    });
    expect(rest).toEqual([]);
    const shown = JSON.parse(await operate(['account', 'webhook-secret', owner.email, '--json'])) as object;
    expect(shown).toMatchObject({ secrets: [only?.secret] });
    expect(read(await secretsOf(owner))).toEqual([only]);
  });

  test('verify what then comes: an upload callback', async () => {
    const { url } = target;
    const bucket = `hooks-${owner.uid}`;
    await createBucket(url, owner, bucket);
    const endpoint = receiver.at(json({}));
    const policy = { scope: bucket, callbackUrl: endpoint.url, callbackBody: 'key=$(key)' };
    const token = uploadToken(owner, policy);
    expect((await uploadForm(url, 'hello', { token, key: 'k' })).status).toBe(200);
    const { method, target: path, headers, body } = endpoint.only;
    const secrets = read(await secretsOf(owner)).map(({ secret }) => secret);
    expect(verifyRequest({ method, url: path, headers, body }, { secrets }).ok).toBe(true);
    expect(
      verifyRequest({ method, url: path, headers, body }, { secrets: [`whsec_${'A'.repeat(43)}=`] }).ok,
    ).toBe(false);
  });

  test('are exchanged: the new one first, the old one beside it until its end', async () => {
    const [old] = read(await secretsOf(owner));
    const answer = await exchange(owner, { keep_old: '5' });
    expectUnstored(answer);
    const [current, before, ...rest] = read(answer);
    expect(rest).toEqual([]);
    expect(current?.secret).not.toBe(old?.secret);
    expect(before).toEqual({ ...old, retires: expect.stringMatching(DATE) });
    const left = Date.parse(before?.retires ?? '') - Date.now();
    expect(left).toBeLessThanOrEqual(5_000);
    await expect.poll(async () => read(await secretsOf(owner))).toEqual([current]);
  });

  test('keep the old one for a day where nothing is said, and for no time where that is asked', async () => {
    const account = await newChild();
    const [, before] = read(await exchange(account));
    // It had none before, so that there was nothing to keep.
    expect(before).toBeUndefined();
    const [, kept] = read(await exchange(account));
    const hours = (Date.parse(kept?.retires ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);
    const other = await newChild();
    await secretsOf(other);
    expect(read(await exchange(other, { keep_old: '0' }))).toHaveLength(1);
  });

  test.each(['-1', '1.5', 'x', '31536001', ''])('%j is no time to keep the old one', async (keep) => {
    const before = await secretsOf(owner);
    expectAccountError(await exchange(owner, { keep_old: keep }), 8);
    expect((await secretsOf(owner)).text()).toBe(before.text());
  });

  test("are each account's own: a child has another, and a user key is told none", async () => {
    const child = await newChild(owner);
    const [ours, theirs] = [read(await secretsOf(owner)), read(await secretsOf(child))];
    expect(theirs).toHaveLength(1);
    expect(theirs[0]?.secret).not.toBe(ours[0]?.secret);
    const made = await userCall('create_key', { kind: 'user' }, child);
    const { key, secret } = made.json() as { key: string; secret: string };
    const user = { accessKey: key, secretKey: secret };
    for (const refused of [await secretsOf(user), await exchange(user)]) {
      expectAccountError(refused, 15);
      expect(refused.text()).not.toContain('whsec_');
    }
  });

  test('each look and each exchange is in the audit log, without the secret', async () => {
    const account = await newChild();
    const look = await secretsOf(account);
    const change = await exchange(account);
    const acts = (await auditOf(account.email)).slice(0, 2);
    expect(acts).toMatchObject([
      { action: 'account.webhook-exchange', reqid: change.header('x-reqid'), actor: account.accessKey },
      { action: 'account.webhook', reqid: look.header('x-reqid'), actor_uid: account.uid },
    ]);
    expect(JSON.stringify(acts)).not.toContain('whsec_');
  });
});
