/** Operators see all accounts and all of the audit log; nobody else does. */
import { type ConsoleUser, createBucket, signIn, uploadForm, uploadToken } from '@millpond/testing';
import { beforeAll, expect, test } from 'vitest';
import { info, newChild, type Person } from '../support/accounts/accounts.ts';
import { createParent } from '../support/accounts/operator.ts';
import { target } from '../support/target.ts';

interface Listed {
  readonly items: readonly { readonly email: string; readonly uid: number }[];
  readonly marker?: string;
}

let operator: ConsoleUser;
let person: Person;
let child: Person;
const at = target.console;
const ACCOUNTS = '/v1/operator/accounts';

beforeAll(async () => {
  operator = await signIn(at, at.operator);
  person = await createParent();
  child = await newChild(person);
});

const list = async (query: string) => (await operator.call('api', `${ACCOUNTS}?${query}`)).json() as Listed;
const change = (uid: number, word: string, by = operator) =>
  by.call('api', `${ACCOUNTS}/${uid}/${word}`, { method: 'POST', body: 'reason=test' });

test('accounts are found by the beginning of their e-mail, with what they store [operator-01]', async () => {
  const bucket = `of-${person.uid}`;
  await createBucket(target.url, person, bucket);
  const token = uploadToken(person, { scope: bucket });
  expect((await uploadForm(target.url, 'hello', { token, key: 'k' })).status).toBe(200);
  const found = () => list(`begins=${encodeURIComponent(person.email.slice(0, 8).toUpperCase())}`);
  await expect.poll(found, { interval: 200 }).toEqual({
    items: [
      {
        userid: person.email,
        uid: person.uid,
        parent_uid: 0,
        email: person.email,
        is_disabled: false,
        operator: false,
        created: expect.stringMatching(/Z$/),
        buckets: 1,
        bytes: 5,
        objects: 1,
      },
    ],
  });
});

test('all of them come page by page, in the order of their e-mails [operator-01]', async () => {
  const emails: string[] = [];
  for (let marker = ''; ; ) {
    const page = await list(`limit=2${marker}`);
    emails.push(...page.items.map(({ email }) => email));
    if (page.marker === undefined) break;
    marker = `&marker=${encodeURIComponent(page.marker)}`;
  }
  expect(emails).toEqual(emails.toSorted());
  expect(new Set(emails).size).toBe(emails.length);
  for (const { email } of [person, child]) expect(emails).toContain(email);
  for (const query of ['limit=0', 'limit=101', 'begins=%00'])
    expect((await operator.call('api', `${ACCOUNTS}?${query}`)).status).toBe(400);
});

test('an account is disabled and enabled, which is written down; not one’s own [operator-02]', async () => {
  const disabled = await change(child.uid, 'disable');
  expect(disabled.json()).toMatchObject({ uid: child.uid, is_disabled: true });
  await expect.poll(async () => (await info(child)).status).toBe(401);
  expect((await change(child.uid, 'enable')).json()).toMatchObject({ is_disabled: false });
  await expect.poll(async () => (await info(child)).status).toBe(200);
  const log = await operator.call('api', `/v1/audit?target=${encodeURIComponent(child.email)}`);
  expect(log.json()).toMatchObject({
    items: [
      { action: 'account.enable', actor: `console:${at.operator.email}`, result: 'ok' },
      { action: 'account.disable' },
      { action: 'child.keys' },
      { action: 'child.create' },
    ],
  });
  expect((await change(operator.state.uid, 'disable')).status).toBe(400);
  expect((await change(1, 'disable')).status).toBe(400);
});

test('only operators may, and for one account they see only its log [operator-03]', async () => {
  const user = await signIn(at, person);
  expect((await user.call('api', ACCOUNTS)).status).toBe(401);
  expect((await change(child.uid, 'disable', user)).status).toBe(401);
  const headers = { 'x-millpond-account': String(child.uid) };
  const log = await operator.call('api', '/v1/audit', { headers });
  const { items } = log.json() as { items: { uid: number }[] };
  expect(new Set(items.map(({ uid }) => uid))).toEqual(items.length === 0 ? new Set() : new Set([child.uid]));
});
