import { type Account, openControlDatabase } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccountError, expectUnstored } from '../support/accounts/account-errors.ts';
import {
  type AccountRecord,
  children,
  info,
  newChild,
  newEmail,
  type Person,
  userCall,
} from '../support/accounts/accounts.ts';
import { createParent } from '../support/accounts/operator.ts';
import { secureSigned } from '../support/running/secure.ts';
import { target } from '../support/target.ts';

const MANY = 1003;
let parent: Account;
/** Has nothing but the children of this file: 1003 of them. */
let crowded: Account;
let crowd: number[];
const made: Person[] = [];

beforeAll(async () => {
  [parent, crowded] = [await createParent(), await createParent()];
  for (let i = 0; i < 5; i++) made.push(await newChild(parent));
  const database = await openControlDatabase(target.environment.MILLPOND_CONTROL_DB ?? '');
  crowd = await database.addChildren(crowded.uid, MANY);
  await database.close();
});

async function uids(query: Record<string, string> = {}, keys = parent): Promise<number[]> {
  const answer = await children(keys, query);
  expect(answer.status, answer.text()).toBe(200);
  return (answer.json() as AccountRecord[]).map(({ uid }) => uid);
}

const all = () => made.map(({ uid }) => uid);

describe('the children list', () => {
  test('is an array of records by uid ascending [children-01 children-02 children-03 auth-account-01]', async () => {
    const answer = await children(parent);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual(
      made.map(({ uid, email }) => ({
        userid: email,
        uid,
        parent_uid: parent.uid,
        email,
        is_disabled: false,
      })),
    );
    expect(all().toSorted((a, b) => a - b)).toEqual(all());
    expect(await uids({ offset: '0' })).toEqual(all());
  });

  test('leaves out what stands before the offset [children-04]', async () => {
    expect(await uids({ offset: '2' })).toEqual(all().slice(2));
    expect(await uids({ offset: '5' })).toEqual([]);
    expect(await uids({ offset: '1000000' })).toEqual([]);
  });

  test('holds at most as many as the limit [children-05]', async () => {
    expect(await uids({ limit: '2' })).toEqual(all().slice(0, 2));
    expect(await uids({ limit: '100' })).toEqual(all());
  });

  test('holds 1000 where no limit is given [children-06]', async () => {
    expect(await uids({}, crowded)).toEqual(crowd.slice(0, 1000));
  });

  test('is paged without gap or repeat, in numeric order [children-07 G41]', async () => {
    const seen: number[] = [];
    for (;;) {
      const page = await uids({ offset: String(seen.length), limit: '300' }, crowded);
      seen.push(...page);
      if (page.length < 300) break;
      // A child that is made meanwhile stands behind all others.
      await userCall('create_child', { email: newEmail(), password: 'correct horse' }, crowded);
    }
    expect(seen.slice(0, MANY)).toEqual(crowd);
    expect(seen.length).toBe(MANY + 3);
    expect(seen.toSorted((a, b) => a - b)).toEqual(seen);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('is answered as JSON that nobody may keep [children-08 children-09]', async () => {
    expectUnstored(await children(parent));
  });

  test("is refused to a child's key [children-11 account-rule-04 err-account-15 G39]", async () => {
    const [child] = made;
    expect(child).toBeDefined();
    if (child !== undefined) expectAccountError(await children(child), 15);
  });

  test("holds nobody else's children, and not the parents themselves [children-12]", async () => {
    const other = await newChild(target.stranger);
    expect(await uids()).toEqual(all());
    expect(await uids({}, target.stranger)).toContain(other.uid);
    for (const uid of [parent.uid, crowded.uid, target.account.uid])
      expect(await uids({}, target.stranger)).not.toContain(uid);
    expect((await info(other)).json()).toMatchObject({ parent_uid: target.stranger.uid });
  });

  test('comes to a GET with a form type and a credential over it, and without type [children-13]', async () => {
    const call = { method: 'GET', target: '/v1/user/children' };
    expect((await secureSigned(call, { keys: parent })).status).toBe(200);
    expect((await secureSigned({ ...call, contentType: null }, { keys: parent })).status).toBe(200);
  });

  test('answers a POST with 405, 1 [err-account-01]', async () => {
    expectAccountError(await secureSigned({ target: '/v1/user/children' }, { keys: parent }), 1);
  });
});

describe('its bounds', () => {
  test('take the limit 1000 and the offset 0 [children-limit-01 children-limit-04]', async () => {
    expect(await uids({ limit: '1000' }, crowded)).toEqual(crowd.slice(0, 1000));
    expect(await uids({ offset: '0', limit: '1' })).toEqual(all().slice(0, 1));
  });

  test.each([['1001'], ['5000'], ['99999999999999999999']])(
    'refuse the limit %s [children-limit-02 account-rule-14 G41]',
    async (limit) => expectAccountError(await children(parent, { limit }), 8),
  );

  test.each([['0'], ['-1'], ['']])(
    'refuse the limit "%s" [children-limit-03 account-rule-14 G41]',
    async (limit) => expectAccountError(await children(parent, { limit }), 8),
  );

  test.each([['abc'], ['1.5'], ['1e2'], ['+5'], [' 5'], ['0x10'], ['٣'], ['5;6']])(
    'refuse the limit and the offset "%s" [account-rule-14 G41 err-account-08]',
    async (text) => {
      expectAccountError(await children(parent, { limit: text }), 8);
      expectAccountError(await children(parent, { offset: text }), 8);
    },
  );

  test('refuse the offset -1 [children-limit-05 account-rule-14 G41]', async () => {
    expectAccountError(await children(parent, { offset: '-1' }), 8);
    expectAccountError(await children(parent, { offset: '99999999999999999999' }), 8);
  });
});
