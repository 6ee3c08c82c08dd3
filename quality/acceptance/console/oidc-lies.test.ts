/** A provider that lies, is broken or is somebody else: each of its answers is tried once, and none of them signs anybody in. */
import { generateKeyPairSync } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type ConsoleAt, type ConsoleResponse, freePort } from '@millpond/testing';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newEmail, type Person } from '../support/accounts/accounts.ts';
import { createParent, operate } from '../support/accounts/operator.ts';
import { cookieIn, OIDC_PATH, visitor } from '../support/console/oidc-visit.ts';
import { CLIENT, KEY_ID, type ProvidedClaims, useProvider } from '../support/console/provider.ts';
import { changedAfterwards, signedByKey, signedBySecret, unsigned } from '../support/console/tokens.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';

const [providerPort, consolePort, elsewherePort] = [await freePort(), await freePort(), await freePort()];
/** Ports of consoles that start later, and have not seen the provider's keys yet. */
const laterPorts = [await freePort(), await freePort()];
const redirectUris = [consolePort, ...laterPorts].map(
  (port) => `https://127.0.0.1:${port}${OIDC_PATH}/callback`,
);
const provider = useProvider(providerPort, redirectUris);
const [otherProviderPort, elsewhereConsolePort] = [await freePort(), await freePort()];
/** Another provider that tells no lies, of another console. */
const elsewhere = useProvider(otherProviderPort, [
  `https://127.0.0.1:${elsewhereConsolePort}${OIDC_PATH}/callback`,
]);
const own = useSecureDeployment({
  MILLPOND_PLAIN_HTTP: 'true',
  MILLPOND_OIDC_ISSUER: provider.issuer,
  MILLPOND_OIDC_CLIENT_ID: CLIENT.id,
  MILLPOND_OIDC_CLIENT_SECRET: CLIENT.secret,
  MILLPOND_OIDC_SCOPES: 'openid email groups',
  MILLPOND_OIDC_RIGHTS_CLAIM: 'groups',
  MILLPOND_OIDC_RIGHTS: 'keepers=operator,staff=account',
  MILLPOND_OIDC_NETWORKS: '127.0.0.1/32',
});
const thief = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { privateKey, publicKey } = provider.key;
const pem = publicKey.export({ type: 'spki', format: 'pem' });

let console: ConsoleAt;
let victim: Person;
beforeAll(async () => {
  victim = await createParent(own.deployment.environment);
  ({ console } = await own.start({}, consolePort));
});
afterEach(() => {
  Object.assign(provider.lies, { idToken: undefined, userInfo: undefined, instead: undefined });
});
const { follow, visit, signedIn, failureIn: wordIn, stateOf } = visitor(() => console, provider);
/** How many were tried and refused. */
let lies = 0;
const failureIn = (answer: ConsoleResponse) => {
  const word = wordIn(answer);
  if (word !== null) lies++;
  return word;
};

type Claims = Record<string, unknown>;
const truth = (claims: ProvidedClaims = {}): ProvidedClaims => ({
  email: victim.email,
  email_verified: true,
  groups: ['staff'],
  ...claims,
});
/** With the provider's own key: what a provider itself could say. */
const signed = (claims: Claims) => signedByKey(claims, privateKey, KEY_ID);
/** The URL that leads back, of which the rest is right. */
function changedBack(back: string, change: (fields: URLSearchParams) => void): string {
  const [path, query] = back.split('?');
  const fields = new URLSearchParams(query);
  change(fields);
  return `${path}?${fields.toString()}`;
}
const soon = () => Math.floor(Date.now() / 1000);

test('the truth, passed through the same way, signs in [oidc-08]', async () => {
  provider.lies.idToken = signed;
  provider.lies.userInfo = (claims) => claims;
  expect(await stateOf(await signedIn(truth()))).toMatchObject({ uid: victim.uid, operator: false });
});

describe('an ID token', () => {
  test.each<[string, (claims: Claims) => string]>([
    ['of another issuer', (claims) => signed({ ...claims, iss: 'https://id.example.com' })],
    ['whose issuer only begins like ours', (claims) => signed({ ...claims, iss: `${provider.issuer}/` })],
    ['without an issuer', (claims) => signed({ ...claims, iss: undefined })],
    ['for another audience', (claims) => signed({ ...claims, aud: 'another client' })],
    ['for another audience, as a list', (claims) => signed({ ...claims, aud: ['another client'] })],
    [
      'for several, of which another was meant',
      (claims) => signed({ ...claims, aud: [CLIENT.id, 'another client'], azp: 'another client' }),
    ],
    ['without an audience', (claims) => signed({ ...claims, aud: undefined })],
    ['with another nonce', (claims) => signed({ ...claims, nonce: 'another' })],
    ['without a nonce', (claims) => signed({ ...claims, nonce: undefined })],
    ['that has expired', (claims) => signed({ ...claims, iat: soon() - 7200, exp: soon() - 3600 })],
    ['that never expires', (claims) => signed({ ...claims, exp: undefined })],
    ['whose end is a text', (claims) => signed({ ...claims, exp: String(soon() + 600) })],
    ['that is valid only later', (claims) => signed({ ...claims, nbf: soon() + 3600 })],
    ['without a subject', (claims) => signed({ ...claims, sub: undefined })],
    ['whose subject is a number', (claims) => signed({ ...claims, sub: 7 })],
    ['whose subject is endless', (claims) => signed({ ...claims, sub: 'x'.repeat(100_000) })],
    ['without a signature, which says so', (claims) => unsigned(claims)],
    ['without a signature, in capitals', (claims) => unsigned(claims, 'None')],
    ['without a signature, which claims one', (claims) => unsigned(claims, 'RS256')],
    ['under the client’s secret', (claims) => signedBySecret(claims, CLIENT.secret)],
    ['under the public key, as if it were a secret', (claims) => signedBySecret(claims, pem, KEY_ID)],
    ['of another key', (claims) => signedByKey(claims, thief.privateKey, 'a key that nobody has')],
    [
      'of another key under the name of the right one',
      (claims) => signedByKey(claims, thief.privateKey, KEY_ID),
    ],
    [
      'changed after it was signed',
      (claims) => changedAfterwards(claims, { ...claims, sub: 'somebody else' }, privateKey, KEY_ID),
    ],
    ['that is none', () => 'no token'],
    ['that is a list', () => `${Buffer.from('[]').toString('base64url')}.W10.W10`],
  ])('%s [oidc-08]', async (_name, idToken) => {
    provider.lies.idToken = idToken;
    expect(failureIn(await signedIn(truth()))).toBe('wrongProvider');
  });
});

describe('user info', () => {
  test.each<[string, (claims: Claims) => unknown, string]>([
    ['of another subject', (claims) => ({ ...claims, sub: 'somebody else' }), 'wrongProvider'],
    ['without a subject', (claims) => ({ ...claims, sub: undefined }), 'wrongProvider'],
    ['that is a list', (claims) => [claims], 'wrongProvider'],
    ['with groups in a text', (claims) => ({ ...claims, groups: 'staff,keepers' }), 'noRights'],
    ['with groups in JSON in a text', (claims) => ({ ...claims, groups: '["keepers"]' }), 'noRights'],
    ['with groups as names of fields', (claims) => ({ ...claims, groups: { keepers: true } }), 'noRights'],
    ['with groups within groups', (claims) => ({ ...claims, groups: [['keepers']] }), 'noRights'],
    ['with groups of several kinds', (claims) => ({ ...claims, groups: ['keepers', 1] }), 'noRights'],
    ['with `true` for groups', (claims) => ({ ...claims, groups: true }), 'noRights'],
    ['without groups', (claims) => ({ ...claims, groups: undefined }), 'noRights'],
    [
      'with 60,000 groups, none of ours',
      (claims) => ({ ...claims, groups: Array.from({ length: 60_000 }, String) }),
      'noRights',
    ],
    ['of 4 MB', (claims) => ({ ...claims, more: 'x'.repeat(4_000_000) }), 'providerAway'],
  ])('%s [oidc-08]', async (_name, userInfo, failure) => {
    provider.lies.userInfo = userInfo;
    expect(failureIn(await signedIn(truth()))).toBe(failure);
  });
});

describe('an address', () => {
  let strangers = 0;
  /** Somebody whom nobody knows yet. */
  const stranger = () => `stranger ${strangers++}`;

  test.each<[string, ProvidedClaims]>([
    ['that is not verified', { email_verified: false }],
    ['verified by a text', { email_verified: 'true' }],
    ['verified by a number', { email_verified: 1 }],
    ['of whose verification nothing is said', { email_verified: undefined }],
    ['in a list', { email: ['ada@example.com'] }],
    ['of 100,000 letters', { email: `${'x'.repeat(100_000)}@example.com` }],
    ['with a line break', { email: 'ada@example.com\nbob@example.com' }],
  ])('%s [oidc-08]', async (_name, claims) => {
    expect(failureIn(await signedIn(truth(claims), '/', stranger()))).toBe('unverifiedEmail');
  });

  test('in the ID token, and its verification beside it [oidc-08]', async () => {
    provider.lies.idToken = (claims) => signed({ ...claims, email: victim.email });
    provider.lies.userInfo = (claims) => ({ ...claims, email: undefined, email_verified: true });
    expect(failureIn(await signedIn(truth(), '/', stranger()))).toBe('unverifiedEmail');
  });

  test('verified in the ID token, another one beside it [oidc-08]', async () => {
    const { email } = await createParent(own.deployment.environment);
    provider.lies.idToken = (claims) => signed({ ...claims, email_verified: true });
    provider.lies.userInfo = (claims) => ({ ...claims, email_verified: undefined, email });
    expect(failureIn(await signedIn(truth(), '/', stranger()))).toBe('unverifiedEmail');
  });

  test('of somebody else, verified: the account is theirs who came first [oidc-08]', async () => {
    expect(failureIn(await signedIn(truth(), '/', stranger()))).toBe('otherPerson');
  });

  test('written so that it folds to that of somebody else is theirs [oidc-08]', async () => {
    const { email } = victim;
    // In capitals, in letters of full width, and with a sign that folds to one of its letters.
    const capital = email.toUpperCase();
    const wide = email.replace(/^./, (first) => String.fromCodePoint((first.codePointAt(0) ?? 0) + 0xfee0));
    const sign = email.replace('example', 'e\u{1d431}ample');
    for (const written of [capital, wide, sign])
      expect(failureIn(await signedIn(truth({ email: written }), '/', stranger())), written).toBe(
        'otherPerson',
      );
  });

  test('that looks like one of ours and is another [oidc-08]', async () => {
    // A letter of another script, and one that cannot be seen.
    for (const written of [victim.email.replace('example', 'ex\u0430mple'), `\u0306${victim.email}`])
      expect(failureIn(await signedIn(truth({ email: written }), '/', stranger())), written).toBe(
        'unknownAccount',
      );
    expect(failureIn(await signedIn(truth({ email: `\u200b${victim.email}` }), '/', stranger()))).toBe(
      'unverifiedEmail',
    );
    expect(failureIn(await signedIn(truth({ email: newEmail() }), '/', stranger()))).toBe('unknownAccount');
  });
});

describe('the way back', () => {
  test.each<[string, (fields: URLSearchParams) => void, string]>([
    ['with another state', (fields) => fields.set('state', 'another'), 'wrongState'],
    ['without a state', (fields) => fields.delete('state'), 'wrongState'],
    ['with an empty state', (fields) => fields.set('state', ''), 'wrongState'],
    ['with another code', (fields) => fields.set('code', 'another'), 'providerRefused'],
    ['without a code', (fields) => fields.delete('code'), 'wrongProvider'],
    ['from another issuer', (fields) => fields.set('iss', 'https://id.example.com'), 'wrongProvider'],
    [
      'with an ID token in the place of the code',
      (fields) => fields.set('id_token', 'a.b.c'),
      'wrongProvider',
    ],
    ['with a response that should be a token', (fields) => fields.set('response', 'a.b.c'), 'wrongProvider'],
  ])('%s [oidc-04 oidc-08]', async (_name, change, failure) => {
    const { cookie, back } = await visit(truth());
    expect(failureIn(await follow(changedBack(back, change), cookie))).toBe(failure);
  });

  test.each(['state', 'code'])('with a second %s [oidc-04 oidc-08]', async (name) => {
    const { cookie, back } = await visit(truth());
    const answer = await follow(
      changedBack(back, (fields) => fields.append(name, 'another')),
      cookie,
    );
    expect([answer.status, cookieIn(answer, 'millpond-session')]).toEqual([400, '']);
    lies++;
  });

  test('of another browser, or to another sign-in of this one [oidc-04 oidc-08]', async () => {
    const [one, another] = [await visit(truth()), await visit(truth())];
    expect(failureIn(await follow(one.back, ''))).toBe('wrongState');
    expect(failureIn(await follow(one.back, another.cookie))).toBe('wrongState');
    // The code of somebody else, beside the state of one's own sign-in: PKCE and the nonce belong to the other.
    const code = new URLSearchParams(another.back.split('?')[1]).get('code') ?? '';
    const mixed = changedBack(one.back, (fields) => fields.set('code', code));
    expect(failureIn(await follow(mixed, one.cookie))).toBe('providerRefused');
  });
});

describe('two providers', () => {
  test('a sign-in that began with one does not end with the other [oidc-08]', async () => {
    const { console: there } = await own.start(
      { MILLPOND_OIDC_ISSUER: elsewhere.issuer },
      elsewhereConsolePort,
    );
    const atOther = visitor(() => there, elsewhere);
    const [here, other] = [await visit(truth()), await atOther.visit(truth())];
    const code = new URLSearchParams(other.back.split('?')[1]).get('code') ?? '';
    // What the other one answers, brought to the sign-in that began here, and the way round.
    expect(failureIn(await follow(other.back, here.cookie))).toBe('wrongState');
    expect(failureIn(await follow(other.back, other.cookie))).toBe('wrongProvider');
    expect(failureIn(await atOther.follow(here.back, here.cookie))).toBe('wrongProvider');
    // Its code, under the name of the right one.
    const mixed = changedBack(here.back, (fields) => fields.set('code', code));
    expect(failureIn(await follow(mixed, here.cookie))).toBe('providerRefused');
    // The same subject, in an ID token of the other under its own key.
    provider.lies.idToken = (claims) =>
      signedByKey({ ...claims, iss: elsewhere.issuer }, elsewhere.key.privateKey, KEY_ID);
    expect(failureIn(await signedIn(truth()))).toBe('wrongProvider');
    provider.lies.idToken = (claims) => signedByKey(claims, elsewhere.key.privateKey, KEY_ID);
    expect(failureIn(await signedIn(truth()))).toBe('wrongProvider');
  });
});

describe('a provider', () => {
  const only =
    (path: string, answer: (response: ServerResponse) => void) =>
    (asked: string, response: ServerResponse) => {
      if (asked !== path) return false;
      answer(response);
      return true;
    };
  const json =
    (body: unknown, status = 200) =>
    (response: ServerResponse) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  test.each<[string, string, (response: ServerResponse) => void, string]>([
    [
      'whose token call redirects',
      '/token',
      (response) => response.writeHead(307, { location: `http://127.0.0.1:${elsewherePort}/token` }).end(),
      'providerAway',
    ],
    [
      'whose token call redirects to itself',
      '/token',
      (response) => response.writeHead(302, { location: '/token' }).end(),
      'providerAway',
    ],
    ['whose token call fails', '/token', json({}, 500), 'providerAway'],
    ['whose token call has a status that there is not', '/token', json({}, 612), 'providerAway'],
    ['whose token call refuses', '/token', json({ error: 'invalid_grant' }, 400), 'providerRefused'],
    [
      'whose token call answers a page',
      '/token',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>sign in</p>'),
      'wrongProvider',
    ],
    [
      'whose token call answers no ID token',
      '/token',
      json({ access_token: 'a', token_type: 'bearer' }),
      'wrongProvider',
    ],
    [
      'whose token call breaks off',
      '/token',
      (response) => {
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
          .write('{"id_token":');
        response.destroy();
      },
      'providerAway',
    ],
    [
      'whose user info redirects',
      '/me',
      (response) => response.writeHead(302, { location: `http://127.0.0.1:${elsewherePort}/me` }).end(),
      'providerAway',
    ],
    ['whose user info refuses', '/me', json({}, 403), 'providerRefused'],
  ])('%s [oidc-08]', async (_name, path, answer, failure) => {
    provider.lies.instead = only(path, answer);
    expect(failureIn(await signedIn(truth()))).toBe(failure);
  });

  test('whose keys are none, or a secret [oidc-08]', async () => {
    const secret = { kty: 'oct', k: 'c2VjcmV0', kid: KEY_ID, alg: 'HS256' };
    for (const [at, keys] of [[], [secret]].entries()) {
      // Keys that were seen are remembered for a while.
      const { console: later } = await own.start({}, laterPorts[at]);
      const there = visitor(() => later, provider);
      provider.lies.instead = only('/jwks', json({ keys }));
      expect(failureIn(await there.signedIn(truth()))).toBe('wrongProvider');
    }
  });

  test('whose token call hangs: it is given up [oidc-08]', async () => {
    const hanging: ServerResponse[] = [];
    provider.lies.instead = only('/token', (response) => hanging.push(response));
    expect(failureIn(await signedIn(truth()))).toBe('providerAway');
    for (const response of hanging) response.destroy();
  });

  test('that comes to its senses signs in as before [oidc-08]', async () => {
    expect(await stateOf(await signedIn(truth()))).toMatchObject({ uid: victim.uid, operator: false });
  });
});

test('nobody became an operator, or somebody else, and every refusal has its word in the log [oidc-05 oidc-08]', async () => {
  const acts = await operate(
    ['audit', '--action', 'session.begin', '--limit', '1000', '--json'],
    own.deployment.environment,
  );
  const rows = acts
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { result: string; actor: string });
  const opened = rows.filter(({ result }) => result === 'ok');
  expect(new Set(opened.map(({ actor }) => actor))).toEqual(new Set([`console:${victim.email}`]));
  expect(opened).toHaveLength(2);
  expect(lies).toBe(87);
});
