/** Signing in at the console with another provider: a real one, over HTTP. */
import { type Account, type ConsoleAnswer, type ConsoleAt, consoleSend, freePort } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { newChild, userCall } from '../support/accounts/accounts.ts';
import { CLIENT, type ProvidedClaims, useProvider } from '../support/console/provider.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';

const PATH = '/session/oidc/sso';
const [providerPort, consolePort] = [await freePort(), await freePort()];
const consoleUrl = `https://127.0.0.1:${consolePort}`;
const provider = useProvider(providerPort, [`${consoleUrl}${PATH}/callback`]);
const settings = {
  MILLPOND_PLAIN_HTTP: 'true',
  MILLPOND_OIDC_ISSUER: provider.impostor,
  MILLPOND_OIDC_CLIENT_ID: CLIENT.id,
  MILLPOND_OIDC_CLIENT_SECRET: CLIENT.secret,
  MILLPOND_OIDC_LABEL: 'The mill',
  MILLPOND_OIDC_SCOPES: 'openid email groups',
  MILLPOND_OIDC_RIGHTS_CLAIM: 'groups',
  MILLPOND_OIDC_NETWORKS: '127.0.0.1/32',
};
const own = useSecureDeployment(settings);

let console: ConsoleAt;
let account: Account;
let [email, accessKey] = ['', ''];

beforeAll(async () => {
  account = await own.deployment.createAccount();
  email = account.email;
  const made = await userCall('create_key', { limits: '{"actions":["list"]}' }, account, own.at);
  accessKey = (made.json() as { key: string }).key;
  const started = await own.start(
    {
      MILLPOND_OIDC_ISSUER: provider.issuer,
      MILLPOND_OIDC_RIGHTS: `staff=account,keepers=operator,guests=key:${accessKey}`,
    },
    consolePort,
  );
  console = started.console;
});

const verified = (claims: ProvidedClaims = {}) => ({
  email,
  email_verified: true,
  groups: ['staff'],
  ...claims,
});
const cookieIn = (answer: ConsoleAnswer, name: string) =>
  new RegExp(`(?:^|, )(__Host-${name}=[^;]*)`).exec(answer.header('set-cookie') ?? '')?.[1] ?? '';

/** As a browser that follows a link, and one that comes from another site. */
const follow = (target: string, cookie = '', at: ConsoleAt = console) =>
  consoleSend(at, target, {
    headers: { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  });

/** To the provider, and what the browser comes back with. */
async function trip(claims: ProvidedClaims, to = '/'): Promise<{ cookie: string; back: string }> {
  const begun = await follow(`${PATH}?to=${encodeURIComponent(to)}`);
  expect([begun.status, begun.header('cache-control')], begun.text()).toEqual([303, 'no-store']);
  const cookie = cookieIn(begun, 'millpond-oidc');
  const url = new URL(await provider.signIn(begun.header('location') ?? '', claims));
  return { cookie, back: url.pathname + url.search };
}

async function signedIn(claims: ProvidedClaims, to?: string): Promise<ConsoleAnswer> {
  const { cookie, back } = await trip(claims, to);
  return follow(back, cookie);
}

/** The words that the sign-in shows. */
function failureIn(answer: ConsoleAnswer): string | null {
  expect(cookieIn(answer, 'millpond-session')).toBe('');
  const { pathname, searchParams } = new URL(answer.header('location') ?? '', consoleUrl);
  expect([answer.status, pathname]).toEqual([303, '/sign-in']);
  return searchParams.get('failed');
}

async function stateOf(answer: ConsoleAnswer): Promise<Record<string, unknown>> {
  const cookie = cookieIn(answer, 'millpond-session');
  return (await consoleSend(console, '/session', { headers: { cookie } })).json() as Record<string, unknown>;
}

test('the sign-in offers the provider [oidc-01]', async () => {
  const options = await consoleSend(console, '/session/options');
  expect(options.json()).toMatchObject({ oidc: [{ name: 'sso', label: 'The mill' }] });
});

test('a verified e-mail signs its account in, and leads to where one was [oidc-01]', async () => {
  const answer = await signedIn(verified(), '/buckets/photos?prefix=a');
  expect([answer.status, answer.header('location')]).toEqual([303, '/buckets/photos?prefix=a']);
  expect(answer.header('set-cookie')).toMatch(/__Host-millpond-oidc=; [^,]*Max-Age=0/);
  expect(answer.header('set-cookie')).toMatch(/__Host-millpond-session=[^,]*HttpOnly; SameSite=Strict/);
  expect(await stateOf(answer)).toMatchObject({ email, how: 'oidc', operator: false });
});

test('it leads nowhere else [oidc-01]', async () => {
  for (const to of ['https://evil.example/', '//evil.example', '/\\evil.example', '/session/oidc/sso', 'x'])
    expect((await signedIn(verified(), to)).header('location')).toBe('/');
});

describe('rights', () => {
  test('come from a claim: those of an operator, or of a key with limits [oidc-02]', async () => {
    const keeper = await signedIn(verified({ groups: ['none', 'keepers'] }));
    expect(await stateOf(keeper)).toMatchObject({ operator: true });
    const guest = await signedIn(verified({ groups: 'guests' }));
    expect(await stateOf(guest)).toMatchObject({ operator: false, accessKey, limits: { actions: ['list'] } });
  });

  test('nobody signs in without [oidc-02]', async () => {
    const answer = await signedIn(verified({ groups: ['others'] }));
    expect(failureIn(answer)).toBe('none of your groups may sign in here: ask an operator');
  });
});

describe('is refused', () => {
  test('an e-mail that the provider has not verified [oidc-03]', async () => {
    for (const email_verified of [false, 'true', undefined])
      expect(failureIn(await signedIn(verified({ email_verified })))).toBe(
        'the provider has not verified this e-mail address',
      );
  });

  test('somebody without an account [oidc-03]', async () => {
    const answer = await signedIn(verified({ email: 'nobody@example.com' }));
    expect(failureIn(answer)).toBe('there is no account for nobody@example.com: ask an operator');
  });

  test('a disabled account [oidc-03]', async () => {
    const other = await newChild(account, own.at);
    await userCall('disable_child', { uid: String(other.uid), reason: 'test' }, account, own.at);
    const answer = await signedIn(verified({ email: other.email }));
    expect(failureIn(answer)).toBe('the account is disabled: ask an operator');
  });

  test('an answer with another state, in another browser, or to a changed cookie [oidc-04]', async () => {
    const { cookie, back } = await trip(verified());
    const [name = '', value = ''] = cookie.split('=', 2);
    const changed = `${name}=${value.replace(/^.{8}/, 'AAAAAAAA')}`;
    for (const [target, sent] of [
      [back.replace(/state=[^&]*/, 'state=other'), cookie],
      [back, ''],
      [back, changed],
      [`${PATH}/callback`, cookie],
    ] as const)
      expect(failureIn(await follow(target, sent))).toMatch(/^the sign-in was not begun in this browser/);
    // And the right one still works.
    expect((await follow(back, cookie)).header('location')).toBe('/');
  });

  test('a code that was used before [oidc-04]', async () => {
    const { cookie, back } = await trip(verified());
    await follow(back, cookie);
    expect(failureIn(await follow(back, cookie))).toBe('the provider refused: invalid_grant');
  });

  test('what the provider refuses, in its word [oidc-04]', async () => {
    const { cookie, back } = await trip(verified());
    const state = new URLSearchParams(back.split('?')[1]).get('state') ?? '';
    const iss = encodeURIComponent(provider.issuer);
    const target = `${PATH}/callback?error=access_denied&state=${state}&iss=${iss}`;
    expect(failureIn(await follow(target, cookie))).toBe('the provider refused: access_denied');
  });

  test('an answer that names another issuer [oidc-04]', async () => {
    const { cookie, back } = await trip(verified());
    const target = back.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fevil.example');
    expect(failureIn(await follow(target, cookie))).toBe(
      'the answer is not from the provider that is configured',
    );
  });

  test('a provider that is not who it is said to be [oidc-04]', async () => {
    const answer = await follow(PATH, '', own.console);
    expect(failureIn(answer)).toBe('the answer is not from the provider that is configured');
  });
});

test('every sign-in that began here is in the audit log, with how it ended and who it was [oidc-05]', async () => {
  const lines = await own.deployment.run('audit', '--action', 'session.begin', '--json');
  const acts = lines.split('\n').filter((line) => line !== '');
  const seen = new Set(
    acts
      .map((line) => JSON.parse(line) as Record<string, string>)
      .map(({ result, actor }) => `${result} ${actor}`),
  );
  expect(seen).toEqual(
    new Set([
      `ok console:${email}`,
      `noRights console:${email}`,
      expect.stringMatching(/^noRights console:(?!unknown)/),
      'unverifiedEmail console:unknown',
      'unknownAccount console:nobody@example.com',
      'wrongState console:unknown',
      'providerRefused console:unknown',
      'wrongProvider console:unknown',
    ]),
  );
});
