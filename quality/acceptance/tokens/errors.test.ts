/** The fifteen errors of the interface's table, each provoked over TLS. */
import { describe, expect, test } from 'vitest';
import { expectAccountError, expectTooOften, expectUnstored } from '../support/accounts/account-errors.ts';
import {
  childKey,
  children,
  info,
  logIn,
  newChild,
  newEmail,
  refresh,
  tokenCall,
  tokensOf,
  userCall,
} from '../support/accounts/accounts.ts';
import { operate } from '../support/accounts/operator.ts';
import { secureSend, secureSigned } from '../support/running/secure.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';
import { target } from '../support/target.ts';

const TOKEN = '/oauth2/token';

test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])(
  '1: the token call by %s is a wrong method [err-account-01 G39]',
  async (method) => {
    const answer = await secureSend({ target: TOKEN, method });
    if (method === 'HEAD') expect(answer.status).toBe(405);
    else expectAccountError(answer, 1);
  },
);

test.each([
  ['POST', '/v1/user/inof'],
  ['GET', '/v1/user/childrens?limit=1'],
  ['PUT', '/v1/user/'],
  ['POST', '/v1/user/info/'],
  ['POST', '/oauth2/tokens'],
  ['DELETE', '/oauth2/tokens'],
])('8: a call that is mistyped, %s %s, is none, and is not a wrong method', async (method, path) => {
  const answer = await secureSend({ target: path, method });
  expect([answer.status, answer.json()]).toEqual([
    404,
    { error: 'invalid_bad_request', error_code: 8, error_description: 'there is no such call' },
  ]);
  expectUnstored(answer);
  expect(answer.header('allow')).toBeUndefined();
});

test.each([
  ['short', 'nobody’s'],
  ['of 4,097 characters', 'a'.repeat(4097)],
  ['of 60,000 characters', 'b'.repeat(60_000)],
  ['with a NUL', 'a\0b'],
  ['that is a line', 'a\r\nb'],
])('3: a token that is not ours: %s [err-account-03 token-form-01]', async (_what, token) => {
  expectAccountError(await refresh(token), 3);
});

test('4: an e-mail of wrong form [err-account-04]', async () => {
  expectAccountError(
    await userCall('create_child', { email: 'not an address', password: 'correct horse' }),
    4,
  );
});

test.each(['client_credentials', 'authorization_code', 'PASSWORD', 'refresh_token '])(
  '5: the grant type "%s" is not supported [err-account-05]',
  async (grant) => {
    expectAccountError(await tokenCall({ grant_type: grant, refresh_token: 'x' }), 5);
  },
);

test('6: a missing parameter [err-account-06]', async () => {
  expectAccountError(await tokenCall({ grant_type: 'password', username: newEmail() }), 6);
  expectAccountError(await tokenCall({ grant_type: 'password', password: 'correct horse' }), 6);
});

test('7: an empty parameter [err-account-07]', async () => {
  expectAccountError(await tokenCall({ grant_type: 'password', username: '', password: 'correct horse' }), 7);
  expectAccountError(await tokenCall({ grant_type: 'password', username: newEmail(), password: '' }), 7);
});

test('8: a bad request [err-account-08]', async () => {
  const body = JSON.stringify({ grant_type: 'refresh_token', refresh_token: 'x' });
  expectAccountError(await secureSend({ target: TOKEN, body, contentType: 'application/json' }), 8);
});

test.each(['a%zz@example.com', 'a%@example.com', 'a@example.com%4'])(
  '8: a form that is not percent-encoded: email=%s [err-account-08 account-form-01]',
  async (email) => {
    const call = {
      target: '/v1/user/create_child',
      body: `email=${email}&password=correct+horse+battery`,
    };
    const answer = await secureSigned(call);
    expectAccountError(answer, 8);
    expect(answer.json()).toMatchObject({ error_description: expect.stringContaining('email') });
    const token = { target: TOKEN, body: `grant_type=password&username=${email}&password=x` };
    expectAccountError(await secureSend(token), 8);
    expectAccountError(await secureSend({ ...token, body: `grant_type=refresh_token&refresh_token=%g1` }), 8);
  },
);

test('10: a record that exists [err-account-10]', async () => {
  const form = { email: target.stranger.email, password: 'correct horse' };
  expectAccountError(await userCall('create_child', form), 10);
});

test('11: a wrong password [err-account-11]', async () => {
  expectAccountError(await logIn({ email: newEmail(), password: 'wrong' }), 11);
});

test('12: too many guesses for one e-mail [err-account-12 G39]', async () => {
  const email = newEmail();
  const answers = [];
  for (let i = 0; i < 15; i++) answers.push(await logIn({ email, password: 'wrong' }));
  const refused = answers.filter(({ status }) => status !== 401);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) expectTooOften(answer);
});

test('14: a record that does not exist [err-account-14 G39]', async () => {
  expectAccountError(await userCall('disable_child', { uid: '1', reason: 'r' }), 14);
  expectAccountError(await childKey({ email: newEmail() }), 14);
});

test('15: a missing permission [err-account-15 G39]', async () => {
  expectAccountError(await children(await newChild()), 15);
});

test('the body has a string, an integer and a string, and no other type [err-account-16 err-account-17 err-account-18]', async () => {
  const answer = await info({ ...target.account, secretKey: 'wrong' });
  expect(answer.text()).toMatch(/^\{"error":"\w+","error_code":\d+,"error_description":"[^"]+"\}$/);
});

test('no error repeats a secret that was sent [token-rule-15]', async () => {
  const secret = 'a-very-recognisable-secret';
  for (const answer of [
    await refresh(secret),
    await logIn({ email: newEmail(), password: secret }),
    await tokenCall({ grant_type: secret, refresh_token: secret, password: secret }),
    await tokenCall({
      grant_type: 'refresh_token',
      refresh_token: secret,
      client_id: 'x',
      client_secret: secret,
    }),
  ]) {
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text()).not.toContain(secret);
  }
});

describe('where applications and grants are configured', () => {
  const own = useSecureDeployment({
    MILLPOND_GRANTS: 'refresh_token',
    MILLPOND_OAUTH_CLIENTS: 'console:s3cret:with:colons,phone:another',
  });
  const call = (form: Record<string, string>) =>
    tokenCall({ grant_type: 'refresh_token', refresh_token: 'x', ...form }, own.at);

  test('2: a wrong client_id or client_secret [err-account-02 token-rule-12]', async () => {
    for (const form of [
      { client_id: 'nobody', client_secret: 'another' },
      { client_id: 'phone', client_secret: 's3cret:with:colons' },
      { client_id: 'phone', client_secret: '' },
      { client_id: 'phone' },
      { client_id: '' },
      { client_id: 'console:s3cret:with:colons', client_secret: '' },
    ])
      expectAccountError(await call(form), 2);
  });

  test('a right client_id, or none, lets the call go on [token-rule-12]', async () => {
    expectAccountError(await call({}), 3);
    expectAccountError(await call({ client_id: 'phone', client_secret: 'another' }), 3);
    expectAccountError(await call({ client_id: 'console', client_secret: 's3cret:with:colons' }), 3);
  });

  test('without any application a client_id is wrong as well [token-rule-12]', async () => {
    const form = { grant_type: 'refresh_token', refresh_token: 'x' };
    expectAccountError(await tokenCall({ ...form, client_id: 'phone', client_secret: 'another' }), 2);
    expectAccountError(await tokenCall({ ...form, client_id: '' }), 2);
  });

  test('13: a grant that is switched off [err-account-13 token-rule-13 G39]', async () => {
    expectAccountError(
      await tokenCall({ grant_type: 'password', username: newEmail(), password: 'correct horse' }, own.at),
      13,
    );
    expectAccountError(await tokenCall({ grant_type: 'password' }, own.at), 13);
    expectAccountError(await tokenCall({ grant_type: 'other' }, own.at), 5);
  });
});

test('a refresh token of a disabled account is refused, and good again afterwards [err-account-11]', async () => {
  const child = await newChild();
  const { refresh_token } = await tokensOf(logIn(child));
  await operate(['account', 'disable', child.email]);
  expectAccountError(await refresh(refresh_token), 11);
  await operate(['account', 'enable', child.email]);
  expect((await refresh(refresh_token)).status).toBe(200);
});
