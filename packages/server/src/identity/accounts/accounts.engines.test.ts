import { randomBytes } from 'node:crypto';
import { Fault } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { slowInserts } from '../../../test/locks.ts';
import { Sealer } from '../../platform/secrets/sealer.ts';
import { Accounts } from './accounts.service.ts';
import { AccountStore } from './accounts.store.ts';
import { Audit } from './audit.store.ts';
import { KeyStore } from './keys/key.store.ts';
import { Keyring } from './keys/keyring.ts';
import { Keys } from './keys/keys.ts';
import { Passwords } from './tokens/passwords.ts';
import { TokenStore } from './tokens/token.store.ts';
import { WebhookSecretStore } from './webhook-secrets/webhook-secret.store.ts';
import { WebhookSecrets } from './webhook-secrets/webhook-secrets.ts';

const databases = useDatabases();
const masterKey = (id: string) => ({ id, key: randomBytes(32) });
const old = masterKey('old');

const actor = { name: 'test', address: 'local', reqid: 'r1' };

function setUp(sealer = new Sealer([old])) {
  const { control } = databases;
  const [store, keyStore, audit, passwords] = [
    new AccountStore(control),
    new KeyStore(control),
    new Audit(control),
    new Passwords({ minCharacters: 8 }),
  ];
  return {
    accounts: new Accounts({
      control,
      store,
      keys: new Keys(keyStore, sealer),
      tokens: new TokenStore(control),
      passwords,
      audit,
      webhookSecrets: new WebhookSecrets(new WebhookSecretStore(control), sealer, { freshMs: 0, staleMs: 0 }),
    }),
    keyring: new Keyring(keyStore, sealer, { freshMs: 0, staleMs: 0 }),
  };
}

test('an account’s key is found with the secret that was shown once', async () => {
  const { accounts, keyring } = setUp();
  const { account, key } = await accounts.create('one@example.com', undefined, actor);
  expect(key.accessKey).toMatch(/^[A-Za-z0-9_-]{40}$/);
  expect(await keyring.find(key.accessKey)).toEqual({
    ...key,
    uid: account.uid,
    parentUid: 0n,
    kind: 'root',
    oldSigning: true,
    dateRequired: false,
  });
});

test('no key or secret begins with a hyphen, which commands would take for an option', async () => {
  const { accounts } = setUp();
  const made = await Promise.all(
    Array.from({ length: 150 }, (_, n) => accounts.create(`hyphen-${n}@example.com`, undefined, actor)),
  );
  const texts = made.flatMap(({ key }) => [key.accessKey, key.secretKey]);
  expect(texts.filter((text) => text.startsWith('-'))).toEqual([]);
});

test('an e-mail has one account, whatever its case', async () => {
  const { accounts } = setUp();
  await accounts.create('Two@example.com', undefined, actor);
  await expect(accounts.create('two@EXAMPLE.com', undefined, actor)).rejects.toMatchObject({
    fault: 'recordExists',
  });
  await expect(accounts.create('not an address', undefined, actor)).rejects.toMatchObject({
    fault: 'invalidEmail',
  });
});

test('an account has two keys at most, also when many are asked for at once', async () => {
  const { accounts } = setUp();
  const { account } = await accounts.create('three@example.com', undefined, actor);
  const made = await Promise.allSettled(
    Array.from({ length: 8 }, () => accounts.createKey(account.uid, { kind: 'user' }, actor)),
  );
  expect(made.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  const refused = made.filter((result) => result.status === 'rejected');
  expect(refused.every((result) => result.reason instanceof Fault)).toBe(true);
});

test('keys are exchanged as often as one likes: a disabled one makes room when it is deleted', async () => {
  const { accounts, keyring } = setUp();
  const { account, key } = await accounts.create('exchanging@example.com', undefined, actor);
  let old = key.accessKey;
  for (let n = 0; n < 3; n++) {
    const next = await accounts.createKey(account.uid, { kind: 'root' }, actor);
    await expect(accounts.deleteKey(old, actor)).rejects.toMatchObject({ fault: 'recordNotFound' });
    await accounts.setKeyEnabled(old, false, actor);
    await accounts.deleteKey(old, actor);
    expect(await keyring.find(old)).toBeUndefined();
    old = next.accessKey;
  }
  expect((await accounts.keysOf(account.uid)).map((row) => row.access_key)).toEqual([old]);
  expect(await accounts.audit({ action: 'key.delete', limit: 10 })).toHaveLength(3);
});

test('a disabled key and the key of a disabled account are not found', async () => {
  const { accounts, keyring } = setUp();
  const { account, key } = await accounts.create('four@example.com', undefined, actor);
  const run = (text: string) => databases.control.pool.query(text, [account.uid]);
  await run('UPDATE control.access_keys SET is_enabled = false WHERE uid = $1');
  expect(await keyring.find(key.accessKey)).toBeUndefined();
  await run('UPDATE control.access_keys SET is_enabled = true WHERE uid = $1');
  expect(await keyring.find(key.accessKey)).toBeDefined();
  await run('UPDATE control.accounts SET is_disabled = true WHERE uid = $1');
  expect(await keyring.find(key.accessKey)).toBeUndefined();
});

test('a parent enables what it disabled, and nothing that the operator disabled or closed', async () => {
  const { accounts } = setUp();
  const parent = (await accounts.create('parent@example.com', undefined, actor)).account;
  const child = await accounts.children.create(parent.uid, 'child@example.com', 'password', actor);
  const byParent = async (isDisabled: boolean) =>
    (await accounts.children.setDisabled(parent.uid, child.uid, isDisabled, 'unpaid', actor)).is_disabled;
  const byOperator = async (isDisabled: boolean) =>
    (await accounts.setDisabled(child.uid, isDisabled, 'abuse', actor)).is_disabled;
  const row = async () => {
    const text = 'SELECT disabled_reason, closed_at FROM control.accounts WHERE uid = $1';
    return (await databases.control.pool.query(text, [child.uid])).rows[0];
  };
  expect([await byParent(true), await byParent(false)]).toEqual([true, false]);

  expect([await byOperator(true), await byParent(true), await byParent(false)]).toEqual([true, true, true]);
  expect(await row()).toMatchObject({ disabled_reason: 'abuse' });
  expect(await byOperator(false)).toBe(false);

  expect([await byParent(true), await byOperator(true), await byOperator(false)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(await byParent(false)).toBe(false);

  await accounts.closing.close(child.uid, actor);
  expect(await byParent(false)).toBe(true);
  expect(await row()).toEqual({ disabled_reason: 'closed', closed_at: expect.any(Date) });
  expect(await byOperator(false)).toBe(false);
  expect(await row()).toMatchObject({ closed_at: null });
});

test('the master key is exchanged while keys are in use, and the old one is then not needed [secret-03]', async () => {
  const next = masterKey('next');
  const before = setUp();
  const { key } = await before.accounts.create('five@example.com', undefined, actor);
  const during = setUp(new Sealer([next, old]));
  const lookups: Promise<unknown>[] = [];
  const reports: number[] = [];
  const rotation = during.accounts.rotateMasterKey(actor, (done) => reports.push(done));
  for (let i = 0; i < 20; i++) lookups.push(during.keyring.find(key.accessKey));
  const rotated = await rotation;
  expect(rotated).toBeGreaterThan(0);
  expect(reports.at(-1)).toBe(rotated);
  for (const found of await Promise.all(lookups)) expect(found).toMatchObject(key);
  expect(await setUp(new Sealer([next])).keyring.find(key.accessKey)).toMatchObject(key);
});

test('the database holds no secret in the clear [secret-01]', async () => {
  const { accounts } = setUp();
  const { secretKey } = (await accounts.create('six@example.com', 'open sesame', actor)).key;
  const rows = await databases.control.pool.query<{ row: string }>(
    `SELECT k::text AS row FROM control.access_keys k UNION ALL SELECT a::text FROM control.accounts a`,
  );
  const dump = rows.rows.map((row) => row.row).join('\n');
  expect(dump).not.toContain('open sesame');
  expect(dump).not.toContain(secretKey);
  expect(dump).not.toContain(Buffer.from(secretKey).toString('hex'));
});

test('every change is in the audit log with its actor, and the log can only grow', async () => {
  const { accounts } = setUp();
  const { account, key } = await accounts.create('seven@example.com', undefined, actor);
  await accounts.setKeyEnabled(key.accessKey, false, { ...actor, reqid: 'r2' });
  await accounts.setDisabled(account.uid, true, 'unpaid', actor);
  const [disabled] = await accounts.audit({ target: key.accessKey, limit: 10 });
  expect(disabled).toMatchObject({
    action: 'key.disable',
    result: 'ok',
    actor: 'test',
    address: 'local',
    reqid: 'r2',
  });
  const acts = await accounts.audit({ target: 'seven@example.com', limit: 10 });
  expect(acts.map((act) => act.action)).toEqual(['account.disable', 'account.create']);
  for (const text of [
    'UPDATE control.audit SET actor = 1',
    'DELETE FROM control.audit',
    'TRUNCATE control.audit',
  ]) {
    await expect(databases.control.pool.query(text)).rejects.toThrow('append-only');
  }
});

test('a child that is made while its parent is closed is closed with it; after it none is made', async () => {
  const { accounts } = setUp();
  const { account: parent } = await accounts.create('closing@example.com', undefined, actor);
  await slowInserts(databases.control, 'control.accounts');
  const making = accounts.children.create(parent.uid, 'late@example.com', 'password', actor);
  // It holds its parent until it is there.
  const isHeld = async () => {
    const held = 'SELECT uid FROM control.accounts WHERE uid = $1 FOR NO KEY UPDATE SKIP LOCKED';
    return (await databases.control.pool.query(held, [parent.uid])).rowCount === 0;
  };
  await expect.poll(isHeld, { interval: 5 }).toBe(true);
  const closed = await accounts.closing.close(parent.uid, actor);
  const child = await making;
  expect(new Set(closed.map(({ uid }) => uid))).toEqual(new Set([parent.uid, child.uid]));
  await expect(
    accounts.children.create(parent.uid, 'later@example.com', 'password', actor),
  ).rejects.toMatchObject({ fault: 'badToken' });
});
