/** Who is calling: what it costs to know once the key was seen, and what a limited key may call. */
import { randomBytes } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { dialects, FORM_TYPE, keyActions, signManagement } from '@millpond/protocol';
import { expect, test, vi } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { nodeHashing } from '../../platform/hashing.ts';
import { Sealer } from '../../platform/secrets/sealer.ts';
import { bodyLimits, proxyTrust, RequestContext } from '../../platform/web/index.ts';
import { Accounts } from './accounts.service.ts';
import { AccountStore } from './accounts.store.ts';
import { Audit } from './audit.store.ts';
import { authenticators } from './authenticate.ts';
import { KeyStore } from './keys/key.store.ts';
import { Keyring } from './keys/keyring.ts';
import { Keys, type NewKey } from './keys/keys.ts';
import { signatureExplainer } from './signature-diagnostics.ts';
import { Tenants } from './tenants.ts';
import { Passwords } from './tokens/passwords.ts';
import { TokenStore } from './tokens/token.store.ts';
import { Tokens } from './tokens/tokens.ts';
import { WebhookSecretStore } from './webhook-secrets/webhook-secret.store.ts';
import { WebhookSecrets } from './webhook-secrets/webhook-secrets.ts';

const VERIFICATIONS = 1_000;

const databases = useDatabases();

async function setUp() {
  const { control } = databases;
  const sealer = new Sealer([{ id: 'one', key: randomBytes(32) }]);
  const keyStore = new KeyStore(control);
  const tokenStore = new TokenStore(control);
  const times = { freshMs: 600_000, staleMs: 600_000 };
  const accounts = new Accounts({
    control,
    store: new AccountStore(control),
    keys: new Keys(keyStore, sealer),
    tokens: tokenStore,
    passwords: new Passwords({ minCharacters: 8 }),
    audit: new Audit(control),
    webhookSecrets: new WebhookSecrets(new WebhookSecretStore(control), sealer, times),
  });
  const tokens = new Tokens(tokenStore, {
    accessSeconds: 3600,
    rotation: 'sliding',
    derivationKeys: sealer.deriveKeys('test'),
    ...times,
  });
  const keyring = new Keyring(keyStore, sealer, times);
  const authenticate = authenticators({
    keyring,
    tenants: new Tenants(new AccountStore(control)),
    tokens,
    dialect: dialects.svc,
    plainHttp: true,
    explain: signatureExplainer(false),
  });
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const { account, key } = await accounts.create(email, undefined, {
    name: 'test',
    address: 'local',
    reqid: '',
  });
  return { authenticate, accounts, tokens, account, key };
}

/** A stat of some object, as it comes from the socket. */
function callWith(authorization: string): RequestContext {
  const target = '/stat/YnVja2V0OmtleQ==';
  const raw = new IncomingMessage(new Socket());
  raw.method = 'POST';
  raw.url = target;
  const headers = [
    ['Host', 'rs.example.com'],
    ['Content-Type', FORM_TYPE],
    ['X-Svc-Trace', 'on'],
    ['User-Agent', 'test'],
    ['Authorization', authorization],
  ] as const;
  raw.rawHeaders = headers.flat();
  raw.headers = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  const routed = { request: raw, id: 'r', target, params: {} };
  const bodies = bodyLimits({ account: 0, open: 0 });
  return new RequestContext(routed, new ServerResponse(raw), proxyTrust([]), bodies);
}

function signed(key: NewKey): string {
  const request = {
    method: 'POST',
    target: '/stat/YnVja2V0OmtleQ==',
    host: 'rs.example.com',
    contentType: FORM_TYPE,
    headers: [['X-Svc-Trace', 'on']] as const,
    body: undefined,
  };
  return signManagement(nodeHashing, key, request, dialects.svc);
}

/** How often a connection was taken from the pool meanwhile. */
async function queriesDuring(work: () => Promise<void>): Promise<number> {
  let queries = 0;
  const count = () => queries++;
  databases.control.pool.on('acquire', count);
  await work();
  databases.control.pool.off('acquire', count);
  return queries;
}

test('a signature is verified without a query once its key was seen', async () => {
  const { authenticate, account, key } = await setUp();
  const context = callWith(signed(key));
  expect(await queriesDuring(async () => void (await authenticate.call(context)))).toBe(1);
  const queries = await queriesDuring(async () => {
    for (let i = 0; i < VERIFICATIONS; i++) await authenticate.call(context);
  });
  expect(queries).toBe(0);
  expect((await authenticate.call(context)).uid).toBe(account.uid);
  await expect(authenticate.call(callWith(signed({ ...key, secretKey: 'wrong' })))).rejects.toMatchObject({
    fault: 'badToken',
  });
});

test('an access token is known without a query once it was seen', async () => {
  const { authenticate, tokens, account } = await setUp();
  const { access_token } = await tokens.begin(account.uid, '192.0.2.1');
  const context = callWith(`Svc ${access_token}`);
  expect((await authenticate.call(context)).uid).toBe(account.uid);
  expect(
    await queriesDuring(async () => {
      for (let i = 0; i < 1_000; i++) await authenticate.call(context);
    }),
  ).toBe(0);
});

test('a route that does not say what it asks is closed to keys with limits, whatever they allow', async () => {
  const { authenticate, accounts, account } = await setUp();
  const actor = { name: 'test', address: 'local', reqid: '' };
  const limits = { actions: keyActions };
  const key = await accounts.createKey(account.uid, { kind: 'root', limits }, actor);
  const call = () => callWith(signed(key));
  await expect(authenticate.call(call())).rejects.toMatchObject({
    fault: 'keyLimited',
    hint: 'no key with limits may make this call',
  });
  await expect(authenticate.accountCall(call())).rejects.toMatchObject({ fault: 'permissionDenied' });
  const principal = await authenticate.call(call(), () => ({ action: 'read', bucket: 'b', key: 'k' }));
  expect(principal).toMatchObject({ uid: account.uid, key: { limits } });
});

test('what a call asks is looked at only after its signature, and only if its key has limits', async () => {
  const { authenticate, accounts, account, key } = await setUp();
  const actor = { name: 'test', address: 'local', reqid: '' };
  const limited = await accounts.createKey(account.uid, { kind: 'user', limits: { expiresAt: 1 } }, actor);
  const asks = vi.fn(() => []);
  await authenticate.call(callWith(signed(key)), asks);
  const forged = callWith(signed({ ...limited, secretKey: 'wrong' }));
  await expect(authenticate.call(forged, asks)).rejects.toMatchObject({ fault: 'badToken' });
  expect(asks).not.toHaveBeenCalled();
  await expect(authenticate.call(callWith(signed(limited)), asks)).rejects.toMatchObject({
    fault: 'keyLimited',
    hint: expect.stringContaining('limit expiresAt: '),
  });
});
