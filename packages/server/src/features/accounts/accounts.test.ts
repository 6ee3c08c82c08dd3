import { randomBytes } from 'node:crypto';
import { Fault } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { Sealer } from '../../platform/secrets/sealer.ts';
import { Keyring } from './keyring.ts';
import { Accounts } from './service.ts';
import { AccountStore } from './store.ts';

const databases = useDatabases();
const masterKey = (id: string) => ({ id, key: randomBytes(32) });
const old = masterKey('old');

function setUp(sealer = new Sealer([old])) {
  const store = new AccountStore(databases.control);
  return {
    accounts: new Accounts(store, sealer),
    keyring: new Keyring(store, sealer, { freshMs: 0, staleMs: 0 }),
  };
}

test('an account’s key is found with the secret that was shown once', async () => {
  const { accounts, keyring } = setUp();
  const account = await accounts.create('one@example.com');
  const key = await accounts.createKey('One@Example.com', 'root');
  expect(key.accessKey).toMatch(/^[A-Za-z0-9_-]{40}$/);
  expect(await keyring.find(key.accessKey)).toEqual({ ...key, uid: account.uid, kind: 'root' });
});

test('an e-mail has one account, whatever its case', async () => {
  const { accounts } = setUp();
  await accounts.create('Two@example.com');
  await expect(accounts.create('two@EXAMPLE.com')).rejects.toMatchObject({ fault: 'recordExists' });
  await expect(accounts.create('not an address')).rejects.toMatchObject({ fault: 'invalidEmail' });
});

test('an account has two keys at most, also when many are asked for at once', async () => {
  const { accounts } = setUp();
  await accounts.create('three@example.com');
  const made = await Promise.allSettled(
    Array.from({ length: 8 }, () => accounts.createKey('three@example.com', 'user')),
  );
  expect(made.filter((result) => result.status === 'fulfilled')).toHaveLength(2);
  const refused = made.filter((result) => result.status === 'rejected');
  expect(refused.every((result) => result.reason instanceof Fault)).toBe(true);
});

test('a disabled key and the key of a disabled account are not found', async () => {
  const { accounts, keyring } = setUp();
  const account = await accounts.create('four@example.com');
  const key = await accounts.createKey('four@example.com', 'root');
  const run = (text: string) => databases.control.pool.query(text, [account.uid]);
  await run('UPDATE control.access_keys SET is_enabled = false WHERE uid = $1');
  expect(await keyring.find(key.accessKey)).toBeUndefined();
  await run('UPDATE control.access_keys SET is_enabled = true WHERE uid = $1');
  expect(await keyring.find(key.accessKey)).toBeDefined();
  await run('UPDATE control.accounts SET is_disabled = true WHERE uid = $1');
  expect(await keyring.find(key.accessKey)).toBeUndefined();
});

test('the master key is exchanged while keys are in use, and the old one is then not needed [secret-03]', async () => {
  const next = masterKey('next');
  const before = setUp();
  await before.accounts.create('five@example.com');
  const key = await before.accounts.createKey('five@example.com', 'root');
  const during = setUp(new Sealer([next, old]));
  const lookups: Promise<unknown>[] = [];
  const reports: number[] = [];
  const rotation = during.accounts.rotateMasterKey((done) => reports.push(done));
  for (let i = 0; i < 20; i++) lookups.push(during.keyring.find(key.accessKey));
  const rotated = await rotation;
  expect(rotated).toBeGreaterThan(0);
  expect(reports.at(-1)).toBe(rotated);
  for (const found of await Promise.all(lookups)) expect(found).toMatchObject(key);
  expect(await setUp(new Sealer([next])).keyring.find(key.accessKey)).toMatchObject(key);
});

test('the database holds no secret in the clear [secret-01]', async () => {
  const { accounts } = setUp();
  await accounts.create('six@example.com');
  const { secretKey } = await accounts.createKey('six@example.com', 'root');
  const rows = await databases.control.pool.query<{ row: string }>(
    'SELECT k::text AS row FROM control.access_keys k',
  );
  const dump = rows.rows.map((row) => row.row).join('\n');
  expect(dump).not.toContain(secretKey);
  expect(dump).not.toContain(Buffer.from(secretKey).toString('hex'));
});
