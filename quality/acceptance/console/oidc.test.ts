/** Signing in at the console with another provider: a real one, over HTTP. */
import { type Account, type ConsoleAt, consoleSend, freePort } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { newChild, newEmail, type Person, userCall } from '../support/accounts/accounts.ts';
import { createParent, operate } from '../support/accounts/operator.ts';
import { OIDC_PATH as PATH, visitor } from '../support/console/oidc-visit.ts';
import { CLIENT, type ProvidedClaims, subjectOf, useProvider } from '../support/console/provider.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';

const [providerPort, consolePort] = [await freePort(), await freePort()];
const [elsewherePort, otherPort, subjectsPort] = [await freePort(), await freePort(), await freePort()];
const provider = useProvider(
  providerPort,
  [consolePort, subjectsPort].map((port) => `https://127.0.0.1:${port}${PATH}/callback`),
);
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
const LISTED = 'listed@example.com';
/** Which a setting has, and nobody has registered yet. */
const [UNREGISTERED, FOR_IT] = ['not-there-yet@example.com', 'colleague@example.com'];
const FOR_CHILD = 'of-the-child@example.com';

/** Another console on the same accounts, whose people another provider knows. */
const elsewhere = useProvider(elsewherePort, [`https://127.0.0.1:${otherPort}${PATH}/callback`]);

let console: ConsoleAt;
let other: ConsoleAt;
let account: Account;
let team: Account;
let child: Person;
let [email, accessKey] = ['', ''];

beforeAll(async () => {
  account = await own.deployment.createAccount();
  team = await own.deployment.createAccount();
  child = await newChild(account, own.at);
  email = account.email;
  const made = await userCall('create_key', { limits: '{"actions":["list"]}' }, account, own.at);
  accessKey = (made.json() as { key: string }).key;
  const started = await own.start(
    {
      MILLPOND_OIDC_ISSUER: provider.issuer,
      MILLPOND_OIDC_ACCOUNTS: `${LISTED}=${team.email},${FOR_IT}=${UNREGISTERED},${FOR_CHILD}=${child.uid}`,
      MILLPOND_OIDC_RIGHTS: `staff=account,keepers=operator,guests=key:${accessKey}`,
    },
    consolePort,
  );
  console = started.console;
  const rights = { MILLPOND_OIDC_RIGHTS: 'staff=account' };
  ({ console: other } = await own.start({ MILLPOND_OIDC_ISSUER: elsewhere.issuer, ...rights }, otherPort));
});

const verified = (claims: ProvidedClaims = {}) => ({
  email,
  email_verified: true,
  groups: ['staff'],
  ...claims,
});
const { follow, visit: trip, signedIn, failureIn, stateOf } = visitor(() => console, provider);
const operator = (...args: string[]) => operate(args, own.deployment.environment);

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
    expect(await stateOf(keeper)).toMatchObject({ operator: true, email, uid: account.uid });
    const guest = await signedIn(verified({ groups: 'guests' }));
    expect(await stateOf(guest)).toMatchObject({ operator: false, accessKey, limits: { actions: ['list'] } });
  });

  test('nobody signs in without [oidc-02]', async () => {
    const answer = await signedIn(verified({ groups: ['others'] }));
    expect(failureIn(answer)).toBe('noRights');
  });
});

describe('is refused', () => {
  test('an e-mail that the provider has not verified [oidc-03]', async () => {
    for (const email_verified of [false, 'true', undefined])
      expect(failureIn(await signedIn(verified({ email: newEmail(), email_verified })))).toBe(
        'unverifiedEmail',
      );
  });

  test('somebody without an account [oidc-03]', async () => {
    const answer = await signedIn(verified({ email: 'nobody@example.com' }));
    expect(failureIn(answer)).toBe('unknownAccount');
  });

  test('a disabled account [oidc-03]', async () => {
    const disabled = await createParent(own.deployment.environment);
    await operator('account', 'disable', disabled.email);
    const answer = await signedIn(verified({ email: disabled.email }));
    expect(failureIn(answer)).toBe('accountDisabled');
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
      expect(failureIn(await follow(target, sent))).toBe('wrongState');
    // And the right one still works.
    expect((await follow(back, cookie)).header('location')).toBe('/');
  });

  test('a code that was used before [oidc-04]', async () => {
    const { cookie, back } = await trip(verified());
    await follow(back, cookie);
    expect(failureIn(await follow(back, cookie))).toBe('providerRefused');
  });

  test('what the provider refuses [oidc-04]', async () => {
    const { cookie, back } = await trip(verified());
    const state = new URLSearchParams(back.split('?')[1]).get('state') ?? '';
    const iss = encodeURIComponent(provider.issuer);
    const target = `${PATH}/callback?error=access_denied&state=${state}&iss=${iss}`;
    expect(failureIn(await follow(target, cookie))).toBe('accessDenied');
  });

  test('an answer that names another issuer [oidc-04]', async () => {
    const { cookie, back } = await trip(verified());
    const target = back.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fevil.example');
    expect(failureIn(await follow(target, cookie))).toBe('wrongProvider');
  });

  test('a provider that is not who it is said to be [oidc-04]', async () => {
    const answer = await follow(PATH, '', own.console);
    expect(failureIn(answer)).toBe('wrongProvider');
  });
});

describe('the account of a person', () => {
  test('is known by issuer and subject, whatever becomes of the address [oidc-06]', async () => {
    const { uid, email: first } = await createParent(own.deployment.environment);
    const subject = subjectOf({ email: first });
    expect(await stateOf(await signedIn(verified({ email: first })))).toMatchObject({ uid });
    const changes = [{ email: newEmail() }, { email: undefined }, { email_verified: false }, { email }];
    for (const change of changes)
      expect(
        await stateOf(await signedIn(verified({ email: first, ...change }), '/', subject)),
      ).toMatchObject({ uid });
  });

  test('is nobody else’s: not who has the address later, nor who is the same at another issuer [oidc-06]', async () => {
    const ada = await createParent(own.deployment.environment);
    expect(await stateOf(await signedIn(verified({ email: ada.email })))).toMatchObject({ uid: ada.uid });
    const later = await signedIn(verified({ email: ada.email }), '/', 'who has the address later');
    expect(failureIn(later)).toBe('otherPerson');
    // The first one is still known.
    expect(await stateOf(await signedIn(verified({ email: ada.email })))).toMatchObject({ uid: ada.uid });
    const subject = subjectOf({ email: ada.email });
    const another = visitor(() => other, elsewhere);
    const unverified = await another.signedIn(
      verified({ email: ada.email, email_verified: false }),
      '/',
      subject,
    );
    expect(another.failureIn(unverified)).toBe('unverifiedEmail');
    const bob = await createParent(own.deployment.environment);
    const same = await another.signedIn(verified({ email: bob.email }), '/', subject);
    expect(await another.stateOf(same)).toMatchObject({ uid: bob.uid });
  });

  test('that has joined one does not come to another by an address that a setting lists [oidc-06]', async () => {
    const { uid, email: first } = await createParent(own.deployment.environment);
    const subject = subjectOf({ email: first });
    expect(await stateOf(await signedIn(verified({ email: first })))).toMatchObject({ uid });
    const changed = await signedIn(verified({ email: LISTED.toUpperCase() }), '/', subject);
    expect(failureIn(changed)).toBe('otherAccount');
    expect(await stateOf(await signedIn(verified({ email: LISTED })))).toMatchObject({ uid: team.uid });
    expect(failureIn(await signedIn(verified({ email: LISTED }), '/', 'another'))).toBe('otherPerson');
  });

  test('that a tenant made is not joined by its address, unless an operator invites [oidc-07]', async () => {
    // A colleague’s address, registered beforehand.
    const squatted = await newChild(account, own.at);
    expect(failureIn(await signedIn(verified({ email: squatted.email })))).toBe('notInvited');
    await operator('account', 'identities', squatted.email, '--invite');
    const { uid } = squatted;
    expect(await stateOf(await signedIn(verified({ email: squatted.email })))).toMatchObject({ uid });
    // The invitation is used up.
    expect(failureIn(await signedIn(verified({ email: squatted.email }), '/', 'another'))).toBe('notInvited');
    expect(failureIn(await signedIn(verified({ email: squatted.email, groups: ['keepers'] })))).toBe(
      'noRights',
    );
    const subject = subjectOf({ email: squatted.email });
    const [person = '{}'] = (await operator('account', 'identities', squatted.email, '--json')).split('\n');
    expect(JSON.parse(person)).toMatchObject({ issuer: provider.issuer, subject, address: squatted.email });
  });

  test('that a setting names by an address is not one that a tenant made; by its uid it is [oidc-07]', async () => {
    const email = UNREGISTERED;
    await userCall('create_child', { email, password: 'a password of a tenant' }, account, own.at);
    expect(failureIn(await signedIn(verified({ email: FOR_IT })))).toBe('notInvited');
    expect(await stateOf(await signedIn(verified({ email: FOR_CHILD })))).toMatchObject({ uid: child.uid });
  });

  test('nor where the subject decides [oidc-07]', async () => {
    const email = newEmail();
    const { console: bySubject } = await own.start(
      {
        MILLPOND_OIDC_ISSUER: provider.issuer,
        MILLPOND_OIDC_ACCOUNT_CLAIM: 'sub',
        MILLPOND_OIDC_ACCOUNTS: `of-an-address=${email},of-a-parent=${team.email},of-a-uid=${child.uid}`,
        MILLPOND_OIDC_RIGHTS: 'staff=account',
      },
      subjectsPort,
    );
    const there = visitor(() => bySubject, provider);
    const signedInAs = (subject: string) => there.signedIn(verified(), '/', subject);
    await userCall('create_child', { email, password: 'a password of a tenant' }, account, own.at);
    expect(there.failureIn(await signedInAs('of-an-address'))).toBe('notInvited');
    expect(await there.stateOf(await signedInAs('of-a-parent'))).toMatchObject({ uid: team.uid });
    expect(await there.stateOf(await signedInAs('of-a-uid'))).toMatchObject({ uid: child.uid });
    // Its verified address, which has an account, is not asked for.
    expect(there.failureIn(await signedInAs('nobody'))).toBe('unknownAccount');
  });

  test('is forgotten by command, which ends what the provider opened [oidc-07]', async () => {
    const { uid, email: first } = await createParent(own.deployment.environment);
    const begun = await signedIn(verified({ email: first }));
    expect(await stateOf(begun)).toMatchObject({ uid });
    await operator('account', 'identities', first, '--remove', subjectOf({ email: first }));
    await expect.poll(() => stateOf(begun)).toBeUndefined();
    expect(await stateOf(await signedIn(verified({ email: first }), '/', 'another'))).toMatchObject({ uid });
    const acts = await operator('audit', '--target', first, '--json');
    const actions = acts
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { action: string }).action);
    expect(actions.filter((action) => action.startsWith('identity.'))).toEqual([
      'identity.join',
      'identity.remove',
      'identity.join',
    ]);
  });
});

test('every sign-in that began here is in the audit log, with how it ended and who it was [oidc-05]', async () => {
  const lines = await own.deployment.run('audit', '--action', 'session.begin', '--json');
  const acts = lines.split('\n').filter((line) => line !== '');
  const seen = acts
    .map((line) => JSON.parse(line) as Record<string, string>)
    .map(({ result, actor }) => `${result} ${actor === 'console:unknown' ? 'unknown' : 'somebody'}`);
  expect([...new Set(seen)].toSorted()).toEqual([
    'accessDenied unknown',
    'accountDisabled somebody',
    'noRights somebody',
    'notInvited somebody',
    'ok somebody',
    'otherAccount somebody',
    'otherPerson somebody',
    'providerRefused unknown',
    'unknownAccount somebody',
    'unverifiedEmail unknown',
    'wrongProvider unknown',
    'wrongState unknown',
  ]);
});
