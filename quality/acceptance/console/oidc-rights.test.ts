/** Rights that a claim of the provider gave, for as long as it gives them. */
import type { ServerResponse } from 'node:http';
import { type ConsoleAt, type ConsoleResponse, consoleSend, freePort } from '@millpond/testing';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createParent, operate } from '../support/accounts/operator.ts';
import { cookieIn, OIDC_PATH, visitor } from '../support/console/oidc-visit.ts';
import {
  CLIENT,
  ID_TOKEN_SECONDS,
  type ProvidedClaims,
  type ProviderOptions,
  subjectOf,
  useProvider,
} from '../support/console/provider.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';

const own = useSecureDeployment({
  MILLPOND_PLAIN_HTTP: 'true',
  MILLPOND_OIDC_CLIENT_ID: CLIENT.id,
  MILLPOND_OIDC_CLIENT_SECRET: CLIENT.secret,
  MILLPOND_OIDC_SCOPES: 'openid email groups',
  MILLPOND_OIDC_RIGHTS_CLAIM: 'groups',
  MILLPOND_OIDC_RIGHTS: 'keepers=operator,staff=account',
  MILLPOND_OIDC_NETWORKS: '127.0.0.1/32',
  MILLPOND_OIDC_CHECK_EVERY: '5s',
  MILLPOND_CONTROL_CACHE: '500ms',
});

const freePorts = await Promise.all(Array.from({ length: 8 }, () => freePort()));

/** A provider of a kind, and a console that people come to from there. */
function useKind(options: ProviderOptions) {
  const [port = 0, consolePort = 0] = freePorts.splice(0, 2);
  const provider = useProvider(port, [`https://127.0.0.1:${consolePort}${OIDC_PATH}/callback`], options);
  const started: { console?: ConsoleAt } = {};
  beforeAll(async () => {
    Object.assign(started, await own.start({ MILLPOND_OIDC_ISSUER: provider.issuer }, consolePort));
  });
  afterEach(() => {
    provider.lies.instead = undefined;
  });
  const at = () => started.console as ConsoleAt;
  const { signedIn, stateOf } = visitor(at, provider);

  /** Somebody new who has signed in with these groups. */
  async function signIn(groups: unknown) {
    const person = await createParent(own.deployment.environment);
    const claims = (more: ProvidedClaims) => ({ email: person.email, email_verified: true, groups, ...more });
    const answer = await signedIn(claims({}));
    return {
      person,
      answer,
      state: () => stateOf(answer),
      change: (more: ProvidedClaims) => provider.change(subjectOf({ email: person.email }), claims(more)),
    };
  }
  const mayListAccounts = async (answer: ConsoleResponse) => {
    const cookie = cookieIn(answer, 'millpond-session');
    return (await consoleSend(at(), '/call/api/v1/operator/accounts?limit=1', { headers: { cookie } }))
      .status;
  };
  return { provider, signIn, mayListAccounts };
}

describe.each<[string, ProviderOptions]>([
  ['in the user info', {}],
  ['in the user info, with a refresh token', { givesRefreshTokens: true }],
  ['in the ID token, with a refresh token', { isInIdToken: true, givesRefreshTokens: true }],
])('a claim %s', (_name, options) => {
  const { provider, signIn, mayListAccounts } = useKind(options);

  test('that is still given keeps the session, and one that is lost ends it [oidc-09]', async () => {
    const [keeper, staff] = [await signIn(['keepers']), await signIn(['staff'])];
    expect([await mayListAccounts(keeper.answer), await mayListAccounts(staff.answer)]).toEqual([200, 401]);
    keeper.change({ groups: ['staff'] });
    await expect.poll(() => mayListAccounts(keeper.answer)).toBe(401);
    // It was ended, not only refused: signing in again gives what the claim gives now.
    expect(await keeper.state()).toBeUndefined();
    // Long after it was asked for the first time.
    expect(await staff.state()).toMatchObject({ uid: staff.person.uid });
    staff.change({ groups: [] });
    await expect.poll(() => staff.state()).toBeUndefined();
    const ends = await operate(['audit', '--action', 'session.end', '--json'], own.deployment.environment);
    expect(ends).toContain('"actor":"identity provider"');
  });

  test('outlives a provider that does not answer for a while [oidc-09]', async () => {
    const staff = await signIn(['staff']);
    const failing = { count: 0 };
    provider.lies.instead = (_path: string, response: ServerResponse) => {
      failing.count++;
      response.writeHead(503).end();
      return true;
    };
    await expect
      .poll(async () => {
        expect(await staff.state()).toMatchObject({ uid: staff.person.uid });
        return failing.count;
      })
      .toBeGreaterThan(0);
    provider.lies.instead = undefined;
    staff.change({ groups: ['none'] });
    await expect.poll(() => staff.state()).toBeUndefined();
  });
});

describe('a claim in the ID token of a provider that can’t be asked again', () => {
  const { signIn } = useKind({ isInIdToken: true });

  test('holds as long as the ID token [oidc-09]', async () => {
    const keeper = await signIn(['keepers']);
    const { operator, now, expires } = (await keeper.state()) as {
      operator: boolean;
      now: number;
      expires: string;
    };
    expect(operator).toBe(true);
    expect(Date.parse(expires) - now).toBeLessThanOrEqual(ID_TOKEN_SECONDS * 1000);
  });
});
