/** Guessing and flooding: limits per address, e-mail, token and account, and a short queue for passwords. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccountError, expectTooOften } from '../support/accounts/account-errors.ts';
import {
  info,
  logIn,
  newChild,
  newEmail,
  type Person,
  refresh,
  tokenCall,
  tokensOf,
} from '../support/accounts/accounts.ts';
import type { RawResponse } from '../support/raw.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';

/** Refilling so slowly that the slowest machine comes to the end of each. */
const own = useSecureDeployment({
  MILLPOND_PASSWORD_TRIES_PER_EMAIL: '10+4/m',
  MILLPOND_REFRESHES_PER_TOKEN: '30+1/m',
  MILLPOND_ACCOUNT_CALLS_PER_ACCOUNT: '40+1/m',
});
let parent: Account;
let person: Person;

beforeAll(async () => {
  parent = await own.deployment.createAccount();
  person = await newChild(parent, own.at);
});

/** Calls in short rows, until one is refused for its frequency. */
async function untilRefused(
  call: () => Promise<RawResponse>,
  most = 200,
): Promise<{ before: number; refusal: RawResponse }> {
  for (let before = 0; before < most; ) {
    const answers = await Promise.all(Array.from({ length: 10 }, call));
    const refusal = answers.find(({ status }) => status === 417);
    before += answers.filter(({ status }) => status !== 417).length;
    if (refusal !== undefined) return { before, refusal };
  }
  throw new Error(`nothing was refused in ${most} calls`);
}

test('guesses at one e-mail are soon refused, even the right one, and others go on [token-rule-14]', async () => {
  const other = await newChild(parent, own.at);
  const wrong = { email: person.email, password: 'wrong' };
  // The limit refills while we guess, one in 15 s, so guesses go on until one is refused.
  const answers = [];
  for (let last = 0; last !== 417 && answers.length < 100; ) {
    const answer = await logIn(wrong, own.at);
    answers.push(answer);
    last = answer.status;
  }
  const refusal = answers.pop();
  expect(answers.length).toBeGreaterThanOrEqual(10);
  for (const answer of answers) expectAccountError(answer, 11);
  if (refusal === undefined) throw new Error('no answer');
  expectTooOften(refusal);
  expectTooOften(await logIn({ ...person, email: person.email.toUpperCase() }, own.at));
  expect((await logIn(other, own.at)).status).toBe(200);
  await sleep(Number(refusal.header('retry-after')) * 1000 + 200);
  expect((await logIn(person, own.at)).status).toBe(200);
});

test('at most two password computations run at a time; the queue behind them is short [token-rule-16]', async () => {
  const answers = await Promise.all(
    Array.from({ length: 80 }, () => logIn({ email: newEmail(), password: 'wrong' }, own.at)),
  );
  const refused = answers.filter(({ status }) => status === 417);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) expectTooOften(answer);
  const judged = answers.filter(({ status }) => status === 401);
  expect(judged.length).toBeGreaterThanOrEqual(34);
  expect(judged.length + refused.length).toBe(80);
});

test('one refresh token is refreshed often, not endlessly [token-rule-14]', async () => {
  const { refresh_token } = await tokensOf(logIn(await newChild(parent, own.at), own.at));
  const { before, refusal } = await untilRefused(() => refresh(refresh_token, own.at));
  expect(before).toBeGreaterThanOrEqual(30);
  expectTooOften(refusal);
  expect((await logIn(await newChild(parent, own.at), own.at)).status).toBe(200);
});

describe('one address', () => {
  const strict = useSecureDeployment({ MILLPOND_TOKEN_CALLS_PER_ADDRESS: '40+1/m' });

  test('makes many token calls, not endlessly many [token-rule-14 err-account-12]', async () => {
    let guess = 0;
    const { before, refusal } = await untilRefused(() =>
      tokenCall({ grant_type: 'refresh_token', refresh_token: `guess ${guess++}` }, strict.at),
    );
    expect(before).toBeGreaterThanOrEqual(40);
    expectTooOften(refusal);
    expectTooOften(await logIn({ email: newEmail(), password: 'p' }, strict.at));
  });
});

test('one account makes many account calls, not endlessly many; another is not held up [account-rule-15]', async () => {
  const flooding = await own.deployment.createAccount();
  const { before, refusal } = await untilRefused(() => info(flooding, own.at));
  expect(before).toBeGreaterThanOrEqual(40);
  expectTooOften(refusal);
  expect((await info(parent, own.at)).status).toBe(200);
});
