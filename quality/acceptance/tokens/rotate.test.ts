/** Refresh tokens that change with every use. */
import type { Account } from '@millpond/testing';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { expectAccountError } from '../support/accounts/account-errors.ts';
import {
  logIn,
  newChild,
  type Person,
  refresh,
  type TokenResponse,
  tokensOf,
  withToken,
} from '../support/accounts/accounts.ts';
import { statTarget } from '../support/objects/objects.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';

const GRACE = 60;
const own = useSecureDeployment({ MILLPOND_REFRESH_TOKENS: 'rotate', MILLPOND_CONTROL_CACHE: '1s' });
let parent: Account;
let person: Person;
let first: TokenResponse;

beforeAll(async () => {
  parent = await own.deployment.createAccount();
});
beforeEach(async () => {
  person = await newChild(parent, own.at);
  first = await tokensOf(logIn(person, own.at));
});

const renew = (token: string) => tokensOf(refresh(token, own.at));
/** 631 where the token is good: the bucket does not exist. */
const statusWith = async (token: string) =>
  (await withToken(token, { target: statTarget('nowhere-to-be-found', 'k') }, own.at)).status;

test('a refresh gives a new refresh token, which goes on [token-rule-05]', async () => {
  const seen = [first.refresh_token];
  let pair = first;
  for (let i = 0; i < 5; i++) {
    pair = await renew(pair.refresh_token);
    expect(seen).not.toContain(pair.refresh_token);
    seen.push(pair.refresh_token);
    expect(await statusWith(pair.access_token)).toBe(631);
  }
});

test('200 refreshes of one token at once get the same pair, and it works [token-rule-06 G42]', async () => {
  const pairs = await Promise.all(Array.from({ length: 200 }, () => renew(first.refresh_token)));
  expect(new Set(pairs.map((pair) => pair.refresh_token)).size).toBe(1);
  expect(new Set(pairs.map((pair) => pair.access_token)).size).toBe(1);
  for (const { expires_in } of pairs) expect(expires_in).toBeGreaterThan(3500);
  const next = pairs[0] ?? first;
  expect(await statusWith(next.access_token)).toBe(631);
  expect((await renew(next.refresh_token)).refresh_token).not.toBe(next.refresh_token);
});

test('on two gateways too, a lost answer is given again [token-rule-07 G42]', async () => {
  const { at, server } = await own.start();
  const lost = await renew(first.refresh_token);
  const again = await tokensOf(refresh(first.refresh_token, at));
  expect(again.refresh_token).toBe(lost.refresh_token);
  expect(again.access_token).toBe(lost.access_token);
  expect(again.expires_in).toBeLessThanOrEqual(3600);
  await server.kill('SIGTERM');
});

test('the old refresh token works 60 s more [token-rule-07]', async () => {
  const next = await renew(first.refresh_token);
  await own.database.passSeconds(person.uid, GRACE - 10);
  expect((await renew(first.refresh_token)).refresh_token).toBe(next.refresh_token);
  expect((await renew(next.refresh_token)).refresh_token).toMatch(/./);
});

test('its use after that ends the family: the new tokens fail too [token-rule-08 G42]', async () => {
  const next = await renew(first.refresh_token);
  await own.database.passSeconds(person.uid, GRACE + 1);
  const reused = await refresh(first.refresh_token, own.at);
  expectAccountError(reused, 3);
  expectAccountError(await refresh(next.refresh_token, own.at), 3);
  expectAccountError(await refresh(first.refresh_token, own.at), 3);
  await expect.poll(() => statusWith(next.access_token)).toBe(401);
  expect(await statusWith(first.access_token)).toBe(401);
  const acts = await own.deployment.run('audit', '--action', 'token.reuse', '--json');
  expect(acts).toContain(`"reqid":"${reused.header('x-reqid')}"`);
  // Other log-ins of the account are other families.
  expect((await logIn(person, own.at)).status).toBe(200);
});

test('a token two rotations old is one that never was', async () => {
  const second = await renew(first.refresh_token);
  const third = await renew(second.refresh_token);
  expectAccountError(await refresh(first.refresh_token, own.at), 3);
  expect((await refresh(third.refresh_token, own.at)).status).toBe(200);
});

test('after a refresh that nobody answered in time, 30 days are counted anew [token-state-03]', async () => {
  await own.database.passDays(person.uid, 29);
  const next = await renew(first.refresh_token);
  await own.database.passDays(person.uid, 29);
  expect((await refresh(next.refresh_token, own.at)).status).toBe(200);
});
