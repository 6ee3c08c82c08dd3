/** How long tokens are good. Days pass by changing the times that are stored. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, type ControlDatabase, createBucket, openControlDatabase } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccountError } from '../support/accounts/account-errors.ts';
import { logIn, newChild, type Person, refresh, tokensOf, withToken } from '../support/accounts/accounts.ts';
import { statTarget } from '../support/objects/objects.ts';
import { secureSend } from '../support/running/secure.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';
import { target } from '../support/target.ts';

describe('an access token', () => {
  const LIFE_MS = 3_000;
  const own = useSecureDeployment({ MILLPOND_ACCESS_TOKEN_LIFE: `${LIFE_MS}ms` });
  let parent: Account;
  let person: Person;
  beforeAll(async () => {
    parent = await own.deployment.createAccount();
    person = await newChild(parent, own.at);
    await createBucket(own.server.url, person, 'expiring');
  });
  const stat = { target: statTarget('expiring', 'k') };

  test('is accepted until its time has passed, cached or not [token-state-01 auth-expired-01 auth-expired-02 auth-expired-03 err-account-09]', async () => {
    const begun = performance.now();
    const { access_token, expires_in } = await tokensOf(logIn(person, own.at));
    // Its time began somewhere between: a log-in takes seconds where the machine is busy.
    const issued = performance.now();
    expect(expires_in).toBe(LIFE_MS / 1000);
    let accepted = 0;
    for (;;) {
      const asked = performance.now();
      const answer = await withToken(access_token, stat, own.at);
      if (answer.status === 401) {
        expectAccountError(answer, 9);
        // Not before its time, and not later than it by the trust of the cache.
        expect(performance.now() - begun).toBeGreaterThan(LIFE_MS - 100);
        break;
      }
      expect(answer.status).toBe(612);
      expect(asked - issued).toBeLessThan(LIFE_MS + 1_000);
      accepted++;
      await sleep(100);
    }
    expect(accepted).toBeGreaterThan(0);
  });

  test('that has expired says so on every host, with no-store [cred-04 auth-expired-01 auth-expired-02 auth-expired-03]', async () => {
    const { access_token } = await tokensOf(logIn(person, own.at));
    await own.database.passSeconds(person.uid, 10);
    for (const call of [
      { target: stat.target },
      { target: stat.target, method: 'GET' },
      { target: statTarget('expiring', 'k').replace('stat', 'delete') },
      { target: '/list?bucket=expiring', method: 'GET' },
      { target: '/mkbucketv3/another/region/z0' },
      { target: '/private', body: 'bucket=expiring&private=1' },
    ])
      expectAccountError(await withToken(access_token, call, own.at), 9);
    // Account calls take no token at all, so its age says nothing there.
    expectAccountError(await withToken(access_token, { target: '/v1/user/info' }, own.at), 11);
  });

  test('that has expired is renewed by the refresh token [token-state-02]', async () => {
    const old = await tokensOf(logIn(person, own.at));
    await own.database.passSeconds(person.uid, 10);
    expectAccountError(await withToken(old.access_token, stat, own.at), 9);
    const renewed = await tokensOf(refresh(old.refresh_token, own.at));
    expect((await withToken(renewed.access_token, stat, own.at)).status).toBe(612);
    expectAccountError(await withToken(old.access_token, stat, own.at), 9);
  });

  test('that is expired is no secret over plain HTTP either: refused as any token there [cred-02]', async () => {
    const { access_token } = await tokensOf(logIn(person, own.at));
    await own.database.passSeconds(person.uid, 10);
    const answer = await fetch(own.server.url + stat.target, {
      headers: { authorization: `Svc ${access_token}` },
    });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ error: 'bad token' });
    expect((await secureSend(stat, undefined, own.at)).json()).toEqual({ error: 'bad token' });
  });
});

describe('a refresh token', () => {
  let database: ControlDatabase;
  beforeAll(async () => {
    database = await openControlDatabase(target.environment.MILLPOND_CONTROL_DB ?? '');
  });
  afterAll(() => database?.close());

  async function begin() {
    const person = await newChild();
    return { person, pair: await tokensOf(logIn(person)) };
  }

  test('is good on its 29th day [token-state-05]', async () => {
    const { person, pair } = await begin();
    await database.passDays(person.uid, 28.9);
    expect((await refresh(pair.refresh_token)).status).toBe(200);
  });

  test('is good for 30 times 24 hours, to the end of the 30th day [token-rule-04]', async () => {
    const { person, pair } = await begin();
    const [left = 0] = await database.refreshDaysLeft(person.uid);
    expect(left).toBeGreaterThan(30 - 0.001);
    expect(left).toBeLessThanOrEqual(31);
    const endsAt = Date.now() + left * 86_400_000;
    // The end of a day, give or take what passed between the question and now.
    const offMidnight = Math.abs(endsAt - Math.round(endsAt / 86_400_000) * 86_400_000);
    expect(offMidnight).toBeLessThan(60_000);
    await database.passDays(person.uid, left - 0.001);
    expect((await refresh(pair.refresh_token)).status).toBe(200);
  });

  test('that was not used for 30 days has expired, and says so for 30 days more [token-state-04 token-rule-10 err-account-09]', async () => {
    const { person, pair } = await begin();
    await database.passDays(person.uid, 31.1);
    expectAccountError(await refresh(pair.refresh_token), 9);
    await database.passDays(person.uid, 28);
    expectAccountError(await refresh(pair.refresh_token), 9);
    expectAccountError(await refresh(`${pair.refresh_token}x`), 3);
  });

  test('begins its 30 days anew with each refresh [token-state-03]', async () => {
    const { person, pair } = await begin();
    await database.passDays(person.uid, 29);
    expect((await refresh(pair.refresh_token)).status).toBe(200);
    await database.passDays(person.uid, 21);
    expect((await refresh(pair.refresh_token)).status).toBe(200);
  });

  test('that is kept from the first authorization goes on for a year [token-rule-03 token-state-03]', async () => {
    const { person, pair } = await begin();
    for (let day = 0; day < 365; day += 29) {
      await database.passDays(person.uid, 29);
      const renewed = await tokensOf(refresh(pair.refresh_token));
      expect(renewed.refresh_token).toBe(pair.refresh_token);
      const call = { target: statTarget('nowhere-to-be-found', 'k') };
      expect((await withToken(renewed.access_token, call)).status).toBe(631);
    }
  });

  test('that has expired is followed by a log-in with the password [token-state-06]', async () => {
    const { person, pair } = await begin();
    await database.passDays(person.uid, 32);
    expectAccountError(await refresh(pair.refresh_token), 9);
    const anew = await tokensOf(logIn(person));
    expect((await refresh(anew.refresh_token)).status).toBe(200);
    expectAccountError(await refresh(pair.refresh_token), 9);
  });
});
