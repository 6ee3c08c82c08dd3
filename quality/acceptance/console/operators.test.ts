/** Who is an operator: an account that a command made one, whatever its address, and as long as it is one. */
import { randomBytes } from 'node:crypto';
import { type ConsoleUser, finishCommand, signIn } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccountError } from '../support/accounts/account-errors.ts';
import { newChild, newEmail, type Person, userCall } from '../support/accounts/accounts.ts';
import { auditOf, createParent, operate } from '../support/accounts/operator.ts';
import { target } from '../support/target.ts';

const at = target.console;
const ACCOUNTS = '/v1/operator/accounts?limit=1';
const PASSWORD = 'a password of a tenant';
let tenant: Person;
beforeAll(async () => {
  tenant = await createParent();
});

/** With all rights of the account, rather than those of its key. */
const enter = ({ email, password }: Person) => signIn(at, { email, password });
const isOperator = async (user: ConsoleUser) => {
  const answer = await user.send('/session');
  return answer.status === 401 ? 'ended' : (answer.json() as { operator: boolean }).operator;
};
const mayListAccounts = async (user: ConsoleUser) => (await user.call('api', ACCOUNTS)).status === 200;
const refused = (...args: string[]) => finishCommand(target.environment, ['account', 'operator', ...args]);

describe('a tenant becomes none', () => {
  test('by an address that folds to an operator’s [operator-05 account-rule-07]', async () => {
    const email = `kate-${randomBytes(4).toString('hex')}@example.com`;
    await operate(['account', 'create', email, '--operator']);
    for (const twin of [
      email.toUpperCase(),
      email.replace('k', '\u212a'),
      email.replace('kate', '\uff4b\uff41\uff54\uff45'),
    ])
      expectAccountError(await userCall('create_child', { email: twin, password: PASSWORD }, tenant), 10);
  });

  test('by an address that an operator could have [operator-05]', async () => {
    const email = newEmail();
    expect((await userCall('create_child', { email, password: PASSWORD }, tenant)).status).toBe(200);
    const child = await signIn(at, { email, password: PASSWORD });
    expect([await isOperator(child), await mayListAccounts(child)]).toEqual([false, false]);
    // Not even by an operator who takes it for somebody else's.
    const { code, stderr } = await refused(email);
    expect(code).not.toBe(0);
    expect(stderr).toContain(
      `${email} is a child of account ${tenant.uid}: an operator is an account of its own`,
    );
    expect([await isOperator(child), await mayListAccounts(child)]).toEqual([false, false]);
  });
});

test('a command gives the right and takes it away, also in sessions that are open, and both are written down [operator-05]', async () => {
  const person = await createParent();
  const user = await enter(person);
  expect(await isOperator(user)).toBe(false);
  expect(await operate(['account', 'operator', person.email.toUpperCase()])).toBe(
    `${person.email} is an operator; this takes effect within 5 s\n`,
  );
  await expect.poll(() => mayListAccounts(user)).toBe(true);
  expect(await isOperator(user)).toBe(true);
  const listed = (await operate(['account', 'operator', '--json'])).trim().split('\n');
  expect(listed.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ uid: person.uid, email: person.email, is_operator: true }),
  );
  await operate(['account', 'operator', person.email, '--remove']);
  await expect.poll(() => mayListAccounts(user)).toBe(false);
  expect(await isOperator(user)).toBe(false);
  expect(await operate(['account', 'operator', '--json'])).not.toContain(person.email);
  const acts = (await auditOf(person.email)).filter(({ action }) => action?.startsWith('operator.'));
  expect(acts).toMatchObject([
    { action: 'operator.take', actor: expect.stringMatching(/^operator /), result: 'ok' },
    { action: 'operator.give', actor: expect.stringMatching(/^operator /), result: 'ok' },
  ]);
});

test('a session with the rights of a key has none of an operator’s [operator-05]', async () => {
  const person = await createParent();
  await operate(['account', 'operator', person.email]);
  const made = await userCall('create_key', { kind: 'user' }, person);
  const { key } = made.json() as { key: string };
  const user = await signIn(at, { ...person, accessKey: key });
  expect([await isOperator(user), await mayListAccounts(user)]).toEqual([false, false]);
  expect(await isOperator(await enter(person))).toBe(true);
});

test('a disabled operator is out, and an operator who acts for others can’t disable their own account by a detour [operator-02 operator-05]', async () => {
  const person = await createParent();
  await operate(['account', 'operator', person.email]);
  const user = await enter(person);
  const headers = { 'x-millpond-account': String(tenant.uid) };
  const acting = { method: 'POST', body: 'reason=test', headers } as const;
  const own = await user.call('api', `/v1/operator/accounts/${person.uid}/disable`, acting);
  expect(own.status).toBe(400);
  await operate(['account', 'disable', person.email]);
  await expect.poll(() => isOperator(user)).toBe('ended');
  await expect(enter(person)).rejects.toThrow('401');
});

test('the setting that named addresses is refused at start, with the commands to run instead [operator-06]', async () => {
  const { code, stderr } = await finishCommand(
    { ...target.environment, MILLPOND_CONSOLE_OPERATORS: 'ada@example.com, bob@example.com' },
    ['serve'],
  );
  expect(code).toBe(7);
  expect(stderr).toContain('MILLPOND_CONSOLE_OPERATORS is no longer a setting');
  expect(stderr).toContain(
    'millpond account operator ada@example.com; millpond account operator bob@example.com',
  );
});

test('an account gets another address: by its uid too, never one that is taken [account-rule-07]', async () => {
  const child = await newChild(tenant);
  const email = newEmail();
  await operate(['account', 'email', String(child.uid), email]);
  expect((await signIn(at, { email, password: child.password })).state).toMatchObject({
    uid: child.uid,
    email,
  });
  await expect(enter(child)).rejects.toThrow('401');
  const { code, stderr } = await finishCommand(target.environment, [
    'account',
    'email',
    email,
    tenant.email.toUpperCase(),
  ]);
  expect([code === 0, stderr]).toEqual([false, expect.stringContaining('already has an account')]);
  for (const each of [child.email, email])
    expect((await auditOf(each)).map(({ action }) => action)).toContain('account.email');
});
