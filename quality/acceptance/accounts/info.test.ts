import { describe, expect, test } from 'vitest';
import { expectAccountError, expectUnstored } from '../support/accounts/account-errors.ts';
import { type AccountRecord, children, info, newChild, userCall } from '../support/accounts/accounts.ts';
import { secureSend, secureSigned } from '../support/running/secure.ts';
import { authorize } from '../support/signing.ts';
import { target } from '../support/target.ts';

const { account, stranger } = target;
const FIELDS = ['email', 'is_disabled', 'parent_uid', 'uid', 'userid'];

describe('account information', () => {
  test("is the caller's own record, to a root key [info-01 auth-account-03]", async () => {
    for (const own of [account, stranger]) {
      const answer = await info(own);
      expect(answer.status).toBe(200);
      expect(answer.json()).toEqual({
        userid: own.email,
        uid: own.uid,
        parent_uid: 0,
        email: own.email,
        is_disabled: false,
      });
    }
  });

  test('takes no parameters: an empty body will do [info-02]', async () => {
    expect((await secureSigned({ target: '/v1/user/info', body: '' })).status).toBe(200);
    expect((await secureSigned({ target: '/v1/user/info', contentType: null })).status).toBe(200);
  });

  test('with a body that is too large says so, and not that its signature is wrong [answer-08]', async () => {
    const call = { target: '/v1/user/info', body: 'x'.repeat(4 * 1024 * 1024 + 1) };
    expect((await secureSigned(call)).status).toBe(413);
  });

  test('is answered as JSON that nobody may keep [token-rule-15]', async () => {
    expectUnstored(await info(account));
  });

  test("is open to a child's root key, for the child itself [account-rule-05]", async () => {
    const child = await newChild();
    const answer = await info(child);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ uid: child.uid, email: child.email });
  });

  test('has the prefix /v1/ and no other [version-01]', async () => {
    for (const path of ['/user/info', '/v2/user/info', '/v1/v1/user/info', '/V1/user/info']) {
      const answer = await secureSigned({ target: path });
      expect(answer.status, path).toBeGreaterThanOrEqual(404);
      expect(answer.text()).not.toContain(account.email);
    }
  });

  test('answers another method with 405, 1, whoever asks [err-account-01]', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const call = { method, target: '/v1/user/info' };
      expectAccountError(await secureSend(call, authorize(call, { url: target.secure.url })), 1);
      expectAccountError(await secureSend(call), 1);
    }
  });
});

describe('an account record', () => {
  test('has a user name, an e-mail and numbers of JSON [account-01 account-04 account-05 account-rule-01]', async () => {
    const text = (await info(account)).text();
    expect(JSON.parse(text)).toMatchObject({
      userid: expect.stringContaining('@'),
      email: expect.stringContaining('@'),
    });
    expect(text).toMatch(/"uid":\d+,"parent_uid":0,/);
    expect(text).toMatch(/"is_disabled":false[,}]/);
  });

  test('has a uid of its own, and that of its parent [account-02 account-03]', async () => {
    const [one, two] = [await newChild(), await newChild()];
    const records = await Promise.all(
      [one, two].map(async (child) => (await info(child)).json() as AccountRecord),
    );
    expect(new Set([account.uid, stranger.uid, ...records.map(({ uid }) => uid)]).size).toBe(4);
    for (const record of records) {
      expect(Number.isSafeInteger(record.uid)).toBe(true);
      expect(record.parent_uid).toBe(account.uid);
    }
  });

  test('has the same five fields wherever it is answered [account-06]', async () => {
    const child = await newChild();
    const own = (await info(child)).json();
    const created = await userCall('create_child', { email: `x-${child.email}`, password: 'correct horse' });
    const listed = ((await children(account)).json() as AccountRecord[]).find(({ uid }) => uid === child.uid);
    expect(listed).toEqual(own);
    for (const record of [own, created.json()])
      expect(Object.keys(record as object).toSorted()).toEqual(FIELDS);
  });
});
