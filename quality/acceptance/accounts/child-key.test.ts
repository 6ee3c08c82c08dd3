import { describe, expect, test } from 'vitest';
import { expectAccountError, expectUnstored } from '../support/accounts/account-errors.ts';
import { childKey, info, newChild, newEmail, userCall } from '../support/accounts/accounts.ts';
import { auditOf, operate } from '../support/accounts/operator.ts';
import { target } from '../support/target.ts';

const { account, stranger } = target;

describe('child_key', () => {
  test('answers keys that work, by uid and by e-mail [account-rule-13]', async () => {
    const child = await newChild();
    const { key, secret } = { key: child.accessKey, secret: child.secretKey };
    for (const query of [
      { uid: String(child.uid) },
      { email: child.email },
      { email: child.email.toUpperCase() },
    ]) {
      const answer = await childKey(query);
      expect(answer.status).toBe(200);
      expectUnstored(answer);
      expect(answer.json()).toEqual({ key, secret, state: 0 });
    }
    expect((await info({ accessKey: key, secretKey: secret })).json()).toMatchObject({ uid: child.uid });
  });

  test('answers both keys of a child, and which of them is disabled [account-rule-13]', async () => {
    const child = await newChild();
    const second = JSON.parse(await operate(['key', 'create', child.email, '--json', '--kind', 'user'])) as {
      accessKey: string;
      secretKey: string;
    };
    await operate(['key', 'disable', child.accessKey]);
    expect((await childKey({ uid: String(child.uid) })).json()).toEqual({
      key: child.accessKey,
      secret: child.secretKey,
      state: 1,
      key2: second.accessKey,
      secret2: second.secretKey,
      state2: 0,
    });
  });

  test('is in the audit log, with who asked and from where [account-rule-13 audit-01]', async () => {
    const child = await newChild();
    const answer = await childKey({ email: child.email });
    const [act] = await auditOf(child.email);
    expect(act).toMatchObject({
      action: 'child.keys',
      actor: account.accessKey,
      actor_uid: account.uid,
      address: '127.0.0.1',
      target: child.email,
      result: 'ok',
      reqid: answer.header('x-reqid'),
    });
    expect(JSON.stringify(act)).not.toContain(child.secretKey);
  });

  test("knows neither strangers' children nor what is no child [account-rule-06 err-account-14]", async () => {
    const child = await newChild();
    const missing = await childKey({ email: newEmail() }, stranger);
    expectAccountError(missing, 14);
    for (const query of [
      { email: child.email },
      { uid: String(child.uid) },
      { uid: '1' },
      { email: account.email },
      { email: stranger.email },
    ]) {
      const answer = await childKey(query, stranger);
      expectAccountError(answer, 14);
      expect(answer.text()).toBe(missing.text());
    }
  });

  test("is refused to the child's own key, and asks for a uid or an e-mail [account-rule-04 err-account-06]", async () => {
    const child = await newChild();
    expectAccountError(await childKey({ uid: String(child.uid) }, child), 15);
    expectAccountError(await childKey({}), 6);
    expectAccountError(await childKey({ uid: '' }), 7);
    expectAccountError(await childKey({ uid: '1x' }), 8);
    expectAccountError(await userCall('child_key', { uid: String(child.uid) }), 1);
  });
});
