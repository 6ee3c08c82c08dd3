/** Refreshing, with refresh tokens that slide: the setting that the interface reads like. */
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccountError, expectUnstored } from '../support/accounts/account-errors.ts';
import {
  logIn,
  newChild,
  type Person,
  refresh,
  type TokenResponse,
  tokenCall,
  tokensOf,
  withToken,
} from '../support/accounts/accounts.ts';
import { statTarget } from '../support/objects/objects.ts';
import { secureSend } from '../support/running/secure.ts';

let person: Person;
let first: TokenResponse;

beforeAll(async () => {
  person = await newChild();
  first = await tokensOf(logIn(person));
});

/** 631 where the token is good: the bucket does not exist. */
const statusWith = async (token: string) =>
  (await withToken(token, { target: statTarget('nowhere-to-be-found', 'k') })).status;

describe('a refresh', () => {
  test('gives a new access token [token-01 token-field-01 token-field-02 token-field-03]', async () => {
    const answer = await refresh(first.refresh_token);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/./),
      expires_in: 3600,
      refresh_token: expect.stringMatching(/./),
    });
    const second = answer.json() as TokenResponse;
    expect(second.access_token).not.toBe(first.access_token);
    expect(await statusWith(second.access_token)).toBe(631);
    expect((await refresh(second.refresh_token)).status).toBe(200);
  });

  test('is answered as JSON that nobody may keep [token-07 token-08]', async () => {
    expectUnstored(await refresh(first.refresh_token));
  });

  test('needs no Authorization, and looks at none [token-02]', async () => {
    const call = {
      target: '/oauth2/token',
      body: `grant_type=refresh_token&refresh_token=${first.refresh_token}`,
    };
    expect((await secureSend(call)).status).toBe(200);
    expect((await secureSend(call, 'Svc nonsense:x')).status).toBe(200);
  });

  test('takes a form, with or without charset, and nothing else [token-03 token-rule-02 err-account-08]', async () => {
    const body = `grant_type=refresh_token&refresh_token=${first.refresh_token}`;
    const as = (contentType: string | null) => secureSend({ target: '/oauth2/token', body, contentType });
    expect((await as('application/x-www-form-urlencoded')).status).toBe(200);
    expect((await as('application/x-www-form-urlencoded; charset=utf-8')).status).toBe(200);
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain', null])
      expectAccountError(await as(type), 8);
  });

  test('decodes the token [token-04]', async () => {
    const encoded = Buffer.from(first.refresh_token).toString('hex').replaceAll(/../g, '%$&');
    const call = { target: '/oauth2/token', body: `grant_type=refresh%5Ftoken&refresh_token=${encoded}` };
    expect((await secureSend(call)).status).toBe(200);
  });

  test('needs both parameters, with a value [token-05 token-06 err-account-06 err-account-07]', async () => {
    expectAccountError(await tokenCall({ refresh_token: first.refresh_token }), 6);
    expectAccountError(await tokenCall({ grant_type: 'refresh_token' }), 6);
    expectAccountError(await tokenCall({}), 6);
    expectAccountError(await tokenCall({ grant_type: '', refresh_token: 'x' }), 7);
    expectAccountError(await tokenCall({ grant_type: 'refresh_token', refresh_token: '' }), 7);
    // What stands in the query is no parameter of the form.
    const query = `?grant_type=refresh_token&refresh_token=${first.refresh_token}`;
    expectAccountError(await secureSend({ target: `/oauth2/token${query}` }), 6);
  });

  test('of a token that never was is 400, 3 [token-rule-10 err-account-03]', async () => {
    for (const token of [
      'x',
      first.access_token,
      `${first.refresh_token}x`,
      first.refresh_token.slice(1),
      'é',
      `${first.refresh_token}\0`,
      'x'.repeat(5000),
    ])
      expectAccountError(await refresh(token), 3);
  });

  test('returns the same refresh token [token-rule-03]', async () => {
    for (let i = 0; i < 3; i++)
      expect((await tokensOf(refresh(first.refresh_token))).refresh_token).toBe(first.refresh_token);
  });

  test('leaves earlier access tokens alone', async () => {
    const earlier = await tokensOf(refresh(first.refresh_token));
    await tokensOf(refresh(first.refresh_token));
    expect(await statusWith(earlier.access_token)).toBe(631);
  });

  test('made 200 times at once: every caller ends with a working pair [G42]', async () => {
    const { refresh_token } = await tokensOf(logIn(await newChild()));
    const pairs = await Promise.all(Array.from({ length: 200 }, () => tokensOf(refresh(refresh_token))));
    expect(new Set(pairs.map((pair) => pair.refresh_token))).toEqual(new Set([refresh_token]));
    const statuses = await Promise.all(pairs.map((pair) => statusWith(pair.access_token)));
    expect(new Set(statuses)).toEqual(new Set([631]));
    expect((await refresh(refresh_token)).status).toBe(200);
  });
});
