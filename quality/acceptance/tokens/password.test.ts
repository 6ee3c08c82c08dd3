/** The first authorization, and what an access token opens. */
import { createBucket, uploadForm, uploadToken } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccountError, expectUnstored } from '../support/accounts/account-errors.ts';
import {
  logIn,
  newChild,
  newEmail,
  type Person,
  refresh,
  tokensOf,
  withToken,
} from '../support/accounts/accounts.ts';
import { auditOf, createParent, operate } from '../support/accounts/operator.ts';
import { statTarget } from '../support/objects/objects.ts';
import { secureSend } from '../support/running/secure.ts';
import { send } from '../support/signing.ts';
import { target } from '../support/target.ts';

const { url, environment } = target;
let person: Person;
let bucket: string;

beforeAll(async () => {
  person = await newChild();
  bucket = `tokens-${person.uid}`;
  await createBucket(url, person, bucket);
});

async function put(key: string): Promise<string> {
  const token = uploadToken(person, { scope: `${bucket}:${key}` });
  expect((await uploadForm(url, 'hello', { token, key })).status).toBe(200);
  return statTarget(bucket, key);
}

describe('a log-in with the password', () => {
  test('answers access token, life and refresh token [token-rule-01 token-field-01 token-field-02 token-field-03]', async () => {
    const answer = await logIn(person);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(answer.text()).toContain('"expires_in":3600,');
    expectUnstored(answer);
  });

  test('takes the e-mail in any case, and the password in its own only', async () => {
    expect((await logIn({ ...person, email: person.email.toUpperCase() })).status).toBe(200);
    expectAccountError(await logIn({ ...person, password: person.password.toLowerCase() }), 11);
  });

  test('answers an unknown e-mail like a wrong password [token-rule-11 err-account-11]', async () => {
    const wrong = await logIn({ ...person, password: 'wrong' });
    const unknown = await logIn({ email: newEmail(), password: 'wrong' });
    // The account of the deployment under test has no password at all.
    const without = await logIn({ email: target.account.email, password: 'wrong' });
    for (const answer of [wrong, unknown, without]) {
      expectAccountError(answer, 11);
      expect(answer.text()).toBe(wrong.text());
    }
  });

  test('begins a family of its own: two log-ins have nothing in common', async () => {
    const [one, two] = [await tokensOf(logIn(person)), await tokensOf(logIn(person))];
    expect(new Set([one.access_token, two.access_token, one.refresh_token, two.refresh_token]).size).toBe(4);
  });

  test('is in the audit log, whether it succeeds or fails, without the password [audit-01]', async () => {
    const child = await newChild();
    const failed = await logIn({ ...child, password: 'a wrong password' });
    const succeeded = await logIn(child);
    const [second, first] = await auditOf(child.email);
    expect(second).toMatchObject({
      action: 'token.password',
      result: 'ok',
      reqid: succeeded.header('x-reqid'),
    });
    expect(first).toMatchObject({
      action: 'token.password',
      result: 'failedAuthentication',
      actor: child.email,
      address: '127.0.0.1',
      reqid: failed.header('x-reqid'),
    });
    expect(JSON.stringify([first, second])).not.toContain('a wrong password');
  });
});

describe('an operator', () => {
  test('makes a parent account that can log in [account-rule-10]', async () => {
    const parent = await createParent();
    expect(parent).toEqual({
      uid: expect.any(Number),
      email: expect.stringContaining('@'),
      accessKey: expect.stringMatching(/^[\w-]{40}$/),
      secretKey: expect.stringMatching(/^[\w-]{40}$/),
      password: parent.password,
    });
    expect((await logIn(parent)).status).toBe(200);
  });

  test('sets a new password: the old one, and what it opened, is out [account-rule-09]', async () => {
    const child = await newChild();
    const before = await tokensOf(logIn(child));
    await operate(['account', 'password', child.email], environment, 'a new password\n');
    expectAccountError(await logIn(child), 11);
    expectAccountError(await refresh(before.refresh_token), 3);
    const after = await tokensOf(logIn({ ...child, password: 'a new password' }));
    expect((await refresh(after.refresh_token)).status).toBe(200);
  });

  test('sets none that is shorter than MILLPOND_PASSWORD_CHARACTERS; one that was set before logs in', async () => {
    const child = await newChild();
    const set = (password: string, characters?: string) =>
      operate(
        ['account', 'password', child.email],
        { ...environment, ...(characters && { MILLPOND_PASSWORD_CHARACTERS: characters }) },
        `${password}\n`,
      );
    await expect(set('sesame')).rejects.toThrow('a password must have at least 8 characters');
    await expect(set('correct horse', '14')).rejects.toThrow('a password must have at least 14 characters');
    expect((await logIn(child)).status).toBe(200);
    await set('sesame', '6');
    expect((await logIn({ ...child, password: 'sesame' })).status).toBe(200);
  });
});

describe('an access token', () => {
  test('opens object and bucket calls, over TLS [cred-01 token-field-01]', async () => {
    const { access_token } = await tokensOf(logIn(person));
    const stat = await put('a');
    const record = await withToken(access_token, { target: stat });
    expect(record.status).toBe(200);
    expect(record.json()).toMatchObject({ fsize: 5 });
    expect((await withToken(access_token, { target: stat, method: 'GET' })).status).toBe(200);
    // As libraries write it.
    expect((await secureSend({ target: stat }, `Bearer ${access_token}`)).status).toBe(200);
    const list = await withToken(access_token, { target: `/list?bucket=${bucket}` });
    expect(list.json()).toMatchObject({ items: [{ key: 'a' }] });
    const made = await withToken(access_token, { target: `/mkbucketv3/by-token-${person.uid}/region/z0` });
    expect(made.status).toBe(200);
    const removed = await withToken(access_token, { target: stat.replace('stat', 'delete') });
    expect(removed.status).toBe(200);
    expect((await withToken(access_token, { target: stat })).status).toBe(612);
  });

  test('over plain HTTP is refused, and still good over TLS [cred-02]', async () => {
    const { access_token } = await tokensOf(logIn(person));
    const stat = await put('b');
    for (const call of [{ target: stat }, { target: `/list?bucket=${bucket}` }, { target: '/stat/***' }]) {
      const answer = await send(call, `Svc ${access_token}`);
      expect(answer.status).toBe(401);
      expect(answer.json()).toEqual({ error: 'bad token' });
    }
    expect((await withToken(access_token, { target: stat })).status).toBe(200);
  });

  test('that is none answers 401 like any bad credential [cred-01]', async () => {
    const { refresh_token } = await tokensOf(logIn(person));
    for (const token of ['x', refresh_token, person.accessKey, person.secretKey, 'A'.repeat(43)]) {
      const answer = await withToken(token, { target: statTarget(bucket, 'b') });
      expect(answer.status).toBe(401);
      expect(answer.json()).toEqual({ error: 'bad token' });
    }
  });

  test('needs no date: one that is sent beside it is ignored, whatever it says', async () => {
    const { access_token } = await tokensOf(logIn(person));
    const stat = await put('dated');
    for (const date of ['20010203T040506Z', '20990203T040506Z', 'yesterday', '']) {
      const call = { target: stat, headers: [['X-Svc-Date', date]] as const };
      expect([date, (await withToken(access_token, call)).status]).toEqual([date, 200]);
      expect((await withToken('x', call)).json()).toEqual({ error: 'bad token' });
    }
  });

  test("opens nobody else's bucket", async () => {
    const other = await newChild();
    const { access_token } = await tokensOf(logIn(other));
    const answer = await withToken(access_token, { target: await put('c') });
    expect(answer.status).toBe(631);
    expect(answer.json()).toEqual({ error: 'no such bucket' });
  });
});
