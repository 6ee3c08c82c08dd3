import { openControlDatabase } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectAccountError, expectTooOften, expectUnstored } from '../support/accounts/account-errors.ts';
import {
  type AccountRecord,
  children,
  info,
  logIn,
  newChild,
  newEmail,
  userCall,
} from '../support/accounts/accounts.ts';
import { secureSigned } from '../support/running/secure.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';
import { target } from '../support/target.ts';

const { account, environment } = target;
const create = (form: Record<string, string>) => userCall('create_child', form);

describe('create_child', () => {
  test('answers with the record of an enabled child [create-child-01 create-child-09 auth-account-02]', async () => {
    const email = newEmail();
    const answer = await create({ email, password: 'correct horse' });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      userid: email,
      uid: expect.any(Number),
      parent_uid: account.uid,
      email,
      is_disabled: false,
    });
    expectUnstored(answer);
  });

  test('decodes the e-mail and the password of the form [create-child-02 create-child-03]', async () => {
    const [local] = newEmail().split('@');
    const body = `email=a%2Bb%40${local}.example&password=p%26%25%3D+%E6%B0%B4%E6%B0%B4%E6%B0%B4`;
    const answer = await secureSigned({ target: '/v1/user/create_child', body });
    expect(answer.status, answer.text()).toBe(200);
    const email = `a+b@${local}.example`;
    expect(answer.json()).toMatchObject({ email, userid: email });
    expect((await logIn({ email, password: 'p&%= 水水水' })).status).toBe(200);
    expectAccountError(await logIn({ email, password: 'p%26%25%3D+%E6%B0%B4%E6%B0%B4%E6%B0%B4' }), 11);
  });

  test('puts the child on the list [create-child-06]', async () => {
    const child = await newChild();
    const list = (await children(account)).json() as AccountRecord[];
    expect(list).toContainEqual((await info(child)).json());
  });

  test("is refused to a child's key: no child has children [create-child-05 account-rule-04]", async () => {
    const child = await newChild();
    const email = newEmail();
    expectAccountError(await userCall('create_child', { email, password: 'correct horse' }, child), 15);
    expect((await create({ email, password: 'correct horse' })).status).toBe(200);
  });

  test('needs an e-mail and a password [create-child-07 create-child-08 err-account-06]', async () => {
    expectAccountError(await create({ password: 'correct horse' }), 6);
    expectAccountError(await create({ email: newEmail() }), 6);
    expectAccountError(await create({}), 6);
    expect((await create({ password: 'correct horse' })).json()).toMatchObject({
      error_description: expect.stringContaining('email'),
    });
  });

  test('takes no empty value [err-account-07]', async () => {
    expectAccountError(await create({ email: '', password: 'correct horse' }), 7);
    expectAccountError(await create({ email: newEmail(), password: '' }), 7);
  });

  test.each([
    'plain',
    '@example.com',
    'a@',
    'a b@example.com',
    'a@b@example.com',
    `${'x'.repeat(65)}@e.com`,
    'a@b..c',
    'a@b.',
    'a@b,c',
    '<a@b.co>',
    'a@-b.com',
  ])('takes no e-mail of wrong form: "%s" [err-account-04]', async (email) =>
    expectAccountError(await create({ email, password: 'correct horse' }), 4),
  );

  test('takes an e-mail once, whatever its case and form [account-rule-07 err-account-10]', async () => {
    const email = newEmail();
    expect((await create({ email, password: 'correct horse' })).status).toBe(200);
    expectAccountError(await create({ email, password: 'correct horse' }), 10);
    expectAccountError(await create({ email: email.toUpperCase(), password: 'correct horse' }), 10);
    // Letters of full width are the same letters.
    const wide = email.replace('example', '\uff45\uff58\uff41\uff4d\uff50\uff4c\uff45');
    expectAccountError(await create({ email: wide, password: 'correct horse' }), 10);
    expect((await logIn({ email: wide, password: 'correct horse' })).status).toBe(200);
    expectAccountError(await create({ email: target.stranger.email, password: 'correct horse' }), 10);
  });

  test('makes one child where many ask with one e-mail at the same time [G40]', async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => create({ email, password: 'correct horse' })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 409),
    ]);
    for (const answer of answers) if (answer.status !== 200) expectAccountError(answer, 10);
  });

  test('takes a form and nothing else, of bounded values [err-account-08]', async () => {
    const body = JSON.stringify({ email: newEmail(), password: 'correct horse' });
    const json = { target: '/v1/user/create_child', body, contentType: 'application/json' };
    expectAccountError(await secureSigned(json), 8);
    expectAccountError(await create({ email: newEmail(), password: 'p'.repeat(1025) }), 8);
    expectAccountError(await create({ email: newEmail(), password: 'correct horse\0' }), 8);
    expectAccountError(
      await create({ email: `${'x'.repeat(5000)}@example.com`, password: 'correct horse' }),
      8,
    );
  });

  test('takes no password of less than 8 characters, which may be of any bytes [err-account-08]', async () => {
    for (const password of ['p', '1234567', '水'.repeat(7), '🔑'.repeat(7)]) {
      const answer = await create({ email: newEmail(), password });
      expectAccountError(answer, 8);
      expect(answer.json()).toMatchObject({ error_description: expect.stringContaining('8 characters') });
    }
    for (const password of ['12345678', '水'.repeat(8), '🔑'.repeat(8)]) {
      const email = newEmail();
      expect((await create({ email, password })).status).toBe(200);
      expect((await logIn({ email, password })).status).toBe(200);
    }
  });

  test('stores the password as argon2id with 19 MiB and two passes [account-rule-08]', async () => {
    const { uid, password } = await newChild();
    const database = await openControlDatabase(environment.MILLPOND_CONTROL_DB ?? '');
    const hash = await database.passwordHash(uid);
    await database.close();
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(hash).not.toContain(password);
  });
});

describe('how many there may be', () => {
  const few = useSecureDeployment({ MILLPOND_CHILDREN_PER_ACCOUNT: '2' });

  test('is a setting: one more answers 417, 12, and takes none from another parent', async () => {
    const [parent, other] = [await few.deployment.createAccount(), await few.deployment.createAccount()];
    const child = (of: typeof parent) =>
      userCall('create_child', { email: newEmail(), password: 'correct horse' }, of, few.at);
    for (const status of [200, 200]) expect((await child(parent)).status).toBe(status);
    const refused = await child(parent);
    expectAccountError(refused, 12);
    expect(refused.text()).toContain('an account may have at most 2 child accounts');
    expect((await child(other)).status).toBe(200);
  });
});

describe('a flood of passwords', () => {
  // This test has its own deployment: whoever logs in on the shared one meanwhile would be told to come back.
  const own = useSecureDeployment({});

  test('waits in a short queue, and leaves other calls quick [G40 token-rule-16]', async () => {
    const parent = await own.deployment.createAccount();
    const flood = Promise.all(
      Array.from({ length: 60 }, () =>
        userCall('create_child', { email: newEmail(), password: 'correct horse' }, parent, own.at),
      ),
    );
    let isOver = false;
    void flood.then(() => {
      isOver = true;
    });
    expect((await info(parent, own.at)).status).toBe(200);
    // Over thirty passwords stood before it in the queue.
    expect(isOver).toBe(false);
    const answers = await flood;
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) expectTooOften(answer);
    // Two run and 32 wait: at least so many get in.
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(34);
  });
});
