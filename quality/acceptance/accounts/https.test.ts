/** Token and account calls travel encrypted, or not at all. */
import { FORM_TYPE } from '@millpond/protocol';
import {
  type Account,
  type Certificate,
  createDeployment,
  type Deployment,
  makeCertificate,
  type SecureServer,
  startSecure,
} from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccountError, expectUnstored } from '../support/accounts/account-errors.ts';
import { children, info, logIn, newChild, newEmail, userCall } from '../support/accounts/accounts.ts';
import { rawFetch } from '../support/raw.ts';
import { secureSend } from '../support/running/secure.ts';
import { authorize, type Call, send, sendSigned } from '../support/signing.ts';
import { target } from '../support/target.ts';

const { account, secure, url } = target;
const token = { target: '/oauth2/token', body: 'grant_type=refresh_token&refresh_token=x' };
const accountCalls: Call[] = [
  { target: '/v1/user/info' },
  { target: '/v1/user/children', method: 'GET' },
  { target: '/v1/user/create_child', body: `email=${newEmail()}&password=correct+horse` },
  { target: '/v1/user/disable_child', body: 'uid=1&reason=r' },
  { target: '/v1/user/enable_child', body: 'uid=1' },
  { target: '/v1/user/child_key?uid=1', method: 'GET' },
  { target: '/v1/user/keys', method: 'GET' },
  { target: '/v1/user/create_key', body: 'kind=user' },
  { target: '/v1/user/disable_key', body: 'key=k' },
  { target: '/v1/user/enable_key', body: 'key=k' },
  { target: '/v1/user/delete_key', body: 'key=k' },
  { target: '/v1/user/webhook_secrets', method: 'GET' },
  { target: '/v1/user/exchange_webhook_secret', body: 'keep_old=60' },
];

describe('plain HTTP', () => {
  test('does not serve the token call: 400, 8, no redirect [https-01 https-rule-01]', async () => {
    const answer = await send(token);
    expectAccountError(answer, 8);
    expect(answer.header('location')).toBeUndefined();
  });

  test.each(accountCalls)(
    'does not serve $target [https-rule-01 info-03 children-10 create-child-04]',
    async (call) => {
      const answer = await sendSigned(call);
      expectAccountError(answer, 8);
      expect(answer.header('location')).toBeUndefined();
    },
  );

  test('created nobody by the call above [create-child-04]', async () => {
    const emails = (await children(account)).text();
    for (const { body } of accountCalls) {
      const email = new URLSearchParams(body).get('email');
      if (email !== null) expect(emails).not.toContain(email);
    }
  });

  test.each(accountCalls)('is judged before the credential on $target [https-rule-04]', async (call) => {
    expectAccountError(await send(call, `Svc ${account.accessKey}:${'A'.repeat(27)}=`), 8);
    expectAccountError(await send(call), 8);
  });

  test('tells a wrong method first: the route is judged before the transport', async () => {
    expectAccountError(await send({ ...token, method: 'GET', body: '' }), 1);
  });

  test('is not made secure by a header of a client that nobody trusts [https-rule-03]', async () => {
    for (const headers of [
      [['X-Forwarded-Proto', 'https']],
      [
        ['X-Forwarded-Proto', 'https'],
        ['X-Forwarded-For', '127.0.0.1'],
      ],
      [['Forwarded', 'proto=https']],
      [['X-Forwarded-Ssl', 'on']],
    ] as const) {
      expectAccountError(await send({ ...token, headers }), 8);
      expectAccountError(await sendSigned({ target: '/v1/user/info', headers }), 8);
    }
  });
});

describe('TLS', () => {
  test('serves token and account calls [https-02]', async () => {
    const child = await newChild();
    expect((await logIn(child)).status).toBe(200);
    expect((await info(child)).status).toBe(200);
    expect((await children(account)).status).toBe(200);
  });

  test('does not speak to a client in the clear, nor the plain port to one that encrypts', async () => {
    const plain = secure.url.replace('https:', 'http:');
    await expect(rawFetch({ target: '/v1/user/info', method: 'POST' }, plain)).rejects.toThrow();
    const encrypted = { ...secure, url: url.replace('http:', 'https:') };
    await expect(secureSend(token, undefined, encrypted)).rejects.toThrow();
  });

  test('carries the calls of its hosts and no others [token-rule-15]', async () => {
    for (const path of [
      '/oauth2/tokens',
      '/oauth2',
      '/oauth2/token/',
      '/v1/user',
      '/v1/user/',
      '/v1/user/info/',
    ]) {
      const answer = await secureSend({ target: path });
      expect([404, 405], path).toContain(answer.status);
    }
    expectUnstored(await secureSend({ ...token, method: 'GET', body: '' }));
  });
});

describe('behind a proxy', () => {
  let deployment: Deployment;
  let certificate: Certificate;
  let server: SecureServer;
  let owner: Account;

  beforeAll(async () => {
    certificate = await makeCertificate();
    deployment = await createDeployment({
      store: target.store,
      settings: { MILLPOND_TRUSTED_PROXIES: '127.0.0.1/32' },
    });
    server = await startSecure(deployment, certificate);
    owner = await deployment.createAccount();
  });
  afterAll(async () => {
    await deployment?.destroy();
    await certificate?.remove();
  });

  const through = (call: Call, proto: string | undefined, from: string) => {
    const headers = [
      ...(call.headers ?? []),
      ...(proto === undefined ? [] : [['X-Forwarded-Proto', proto] as const]),
      ['X-Forwarded-For', from] as const,
    ];
    const signed = authorize(call, { url: server.url, keys: owner });
    return send({ ...call, headers }, signed, server.url);
  };

  test('TLS that a trusted proxy ended counts [https-rule-02]', async () => {
    const answer = await through({ target: '/v1/user/info' }, 'https', '203.0.113.7');
    expect(answer.status, answer.text()).toBe(200);
    expect(answer.json()).toMatchObject({ uid: owner.uid });
    expectAccountError(await through(token, 'https', '203.0.113.7'), 3);
  });

  test('what the trusted proxy took in the clear is refused [https-rule-01 https-rule-02]', async () => {
    for (const proto of ['http', undefined, '', 'https, http', 'HTTPS'])
      expectAccountError(await through({ target: '/v1/user/info' }, proto, '203.0.113.7'), 8);
  });

  test('an address that is not trusted is not believed [https-rule-03]', async () => {
    const other = await deployment.start({ settings: { MILLPOND_TRUSTED_PROXIES: '10.0.0.0/8' } });
    const call = {
      target: '/v1/user/info',
      contentType: FORM_TYPE,
      headers: [['X-Forwarded-Proto', 'https']] as const,
    };
    expectAccountError(await sendSigned(call, { url: other.url, keys: owner }), 8);
    await other.kill('SIGTERM');
  });

  test('the audit log has the address that the proxy names, and no invented one [audit-01]', async () => {
    const email = newEmail();
    const body = `email=${encodeURIComponent(email)}&password=correct+horse`;
    const answer = await through(
      { target: '/v1/user/create_child', body },
      'https',
      '198.51.100.1, 203.0.113.9',
    );
    expect(answer.status, answer.text()).toBe(200);
    const act = JSON.parse(await deployment.run('audit', '--target', email, '--json')) as object;
    expect(act).toMatchObject({ action: 'child.create', address: '203.0.113.9' });
  });

  test('direct TLS is served beside it', async () => {
    const at = { url: server.secureUrl, certificate: certificate.text };
    expect((await info(owner, at)).status).toBe(200);
    expect(
      (await userCall('create_child', { email: newEmail(), password: 'correct horse' }, owner, at)).status,
    ).toBe(200);
  });
});
