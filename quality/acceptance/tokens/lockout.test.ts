/** Guesses at passwords are bounded, and lock nobody out who comes from elsewhere: the token call and the console count together. */
import { CONSOLE_HEADER, FORM_TYPE } from '@millpond/protocol';
import { type Account, consoleSend } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectTooOften } from '../support/accounts/account-errors.ts';
import { newChild, type Person } from '../support/accounts/accounts.ts';
import { secureSend } from '../support/running/secure.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';

interface Login {
  readonly email: string;
  readonly password: string;
}

/** The tests themselves are the proxy in front, and say where a request comes from. */
const own = useSecureDeployment({
  MILLPOND_TRUSTED_PROXIES: '127.0.0.1',
  // Refilling so slowly that the slowest machine comes to the end of each.
  MILLPOND_PASSWORD_TRIES_PER_EMAIL: '10+1/m',
  MILLPOND_PASSWORD_TRIES_PER_ACCOUNT: '40+1/m',
  MILLPOND_OAUTH_CLIENTS: 'app:the secret',
});
let parent: Account;
beforeAll(async () => {
  parent = await own.deployment.createAccount();
});
const newPerson = (): Promise<Person> => newChild(parent, own.at);

const form = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString();
const byToken = (from: string, { email, password }: Login) =>
  secureSend(
    {
      target: '/oauth2/token',
      body: form({ grant_type: 'password', username: email, password }),
      headers: [['x-forwarded-for', from]],
    },
    undefined,
    own.at,
  );
const byConsole = (from: string, { email, password }: Login) =>
  consoleSend(own.console, '/session', {
    method: 'POST',
    headers: { [CONSOLE_HEADER]: '1', 'content-type': FORM_TYPE, 'x-forwarded-for': from },
    body: form({ email, password }),
  });
const statusesOf = async ({ email, password }: Login, from: string) => [
  (await byToken(from, { email, password })).status,
  (await byConsole(from, { email, password })).status,
];
/** How many guesses were compared before one was refused. */
async function guess(email: string, from: string, most = 100): Promise<number> {
  for (let guesses = 0; guesses < most; guesses++) {
    const way = guesses % 2 === 0 ? byToken : byConsole;
    const { status } = await way(from, { email, password: `guess ${guesses}` });
    if (status === 417) return guesses;
    expect(status).toBe(401);
  }
  return most;
}

describe('wrong passwords', () => {
  test('close an account to the network that they came from, and to no other [token-rule-14 token-rule-17 session-01]', async () => {
    const person = await newPerson();
    const guesses = await guess(person.email, '192.0.2.9');
    expect(guesses).toBeGreaterThanOrEqual(10);
    expect(guesses).toBeLessThan(20);
    // Even the right one, by either call, and however the address is written.
    expectTooOften(await byToken('192.0.2.9', person));
    expect(await statusesOf({ ...person, email: person.email.toUpperCase() }, '192.0.2.9')).toEqual([
      417, 417,
    ]);
    expect(await statusesOf(person, '192.0.2.10')).toEqual([200, 200]);
    // Others go on, from there too.
    expect(await statusesOf(await newPerson(), '192.0.2.9')).toEqual([200, 200]);
  });

  test('are counted by /64, since anybody has 2^64 addresses in one [token-rule-17]', async () => {
    const person = await newPerson();
    let guesses = 0;
    for (let at = 1; at < 40; at++)
      guesses += await guess(person.email, `2001:db8:1:2::${at.toString(16)}`, 1);
    expect(guesses).toBeLessThan(20);
    expect(await statusesOf(person, '2001:db8:1:2:ffff::1')).toEqual([417, 417]);
    expect(await statusesOf(person, '2001:db8:1:3::1')).toEqual([200, 200]);
  });

  test('are bounded over all networks, far above; a network with the right one goes on [token-rule-17]', async () => {
    const person = await newPerson();
    expect(await statusesOf(person, '203.0.113.1')).toEqual([200, 200]);
    let guesses = 0;
    for (let network = 1; network <= 30; network++)
      guesses += await guess(person.email, `198.51.100.${network}`, 3);
    expect(guesses).toBeGreaterThanOrEqual(40);
    expect(guesses).toBeLessThan(60);
    expect(await statusesOf(person, '198.51.100.200')).toEqual([417, 417]);
    expect(await statusesOf(person, '203.0.113.1')).toEqual([200, 200]);
    // It is still bounded itself.
    expect(await guess(person.email, '203.0.113.1')).toBeLessThan(20);
    expect(await statusesOf(await newPerson(), '198.51.100.1')).toEqual([200, 200]);
  });

  test('count, right ones do not [token-rule-17]', async () => {
    const person = await newPerson();
    for (let times = 0; times < 15; times++)
      expect(await statusesOf(person, '203.0.113.7')).toEqual([200, 200]);
  });
});

describe('the secret of an application', () => {
  const strict = useSecureDeployment({
    MILLPOND_TOKEN_CALLS_PER_ADDRESS: '20+1/m',
    MILLPOND_OAUTH_CLIENTS: 'app:the secret',
  });

  test('can be guessed at no faster than anything else at that address [token-rule-14]', async () => {
    const statuses = [];
    for (let times = 0; times < 60 && statuses.at(-1) !== 417; times++) {
      const body = form({
        grant_type: 'refresh_token',
        refresh_token: 'x',
        client_id: 'app',
        client_secret: `${times}`,
      });
      statuses.push((await secureSend({ target: '/oauth2/token', body }, undefined, strict.at)).status);
    }
    expect(statuses.at(-1)).toBe(417);
    expect(statuses.length).toBeLessThan(40);
  });
});
