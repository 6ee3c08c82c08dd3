/** Who signs what an account is told, in a process that has read its keys before. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { Sealer } from '../../../platform/secrets/sealer.ts';
import { AccountStore } from '../accounts.store.ts';
import { KeyStore } from './key.store.ts';
import { Keyring } from './keyring.ts';
import { Keys } from './keys.ts';
import { SigningKeys } from './signing-keys.ts';

const databases = useDatabases();
const sealer = new Sealer([{ id: 'one', key: randomBytes(32) }]);
/** Nothing that is read once is read again while a test runs. */
const times = { freshMs: 3_600_000, staleMs: 7_200_000 };

async function setUp() {
  const { control } = databases;
  const store = new KeyStore(control);
  const keys = new Keys(store, sealer);
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const account = await new AccountStore(control).insert(
    { email, parentUid: 0n, passwordHash: undefined },
    control,
  );
  const uid = account?.uid ?? 0n;
  const create = (kind: 'root' | 'user') =>
    control.transaction((transaction) => keys.create(uid, { kind }, transaction));
  const setEnabled = (accessKey: string, isEnabled: boolean) =>
    control.transaction((transaction) => keys.setEnabled(accessKey, isEnabled, transaction));
  const root = await create('root');
  const signing = new SigningKeys(store, sealer, times);
  const signer = async (accessKey?: string) => (await signing.of(uid, accessKey))?.accessKey;
  return { uid, root, create, setEnabled, signer, keyring: new Keyring(store, sealer, times) };
}

test('a key that made a request signs, however new it is', async () => {
  const { root, create, signer } = await setUp();
  expect(await signer()).toBe(root.accessKey);
  const { accessKey } = await create('user');
  expect(await signer(accessKey)).toBe(accessKey);
  expect(await signer()).toBe(root.accessKey);
});

test('a key that is enabled again signs at once, and one that is gone leaves it to the oldest root key', async () => {
  const { root, create, setEnabled, signer } = await setUp();
  const { accessKey } = await create('user');
  await setEnabled(accessKey, false);
  expect(await signer(accessKey)).toBe(root.accessKey);
  await setEnabled(accessKey, true);
  expect(await signer(accessKey)).toBe(accessKey);
  expect(await signer('no-such-key')).toBe(root.accessKey);
});

test('after a rotation the new root key signs what it asked for, and all that no key asked for', async () => {
  const { root, create, setEnabled, signer } = await setUp();
  expect(await signer(root.accessKey)).toBe(root.accessKey);
  const { accessKey } = await create('root');
  await setEnabled(root.accessKey, false);
  expect(await signer(accessKey)).toBe(accessKey);
  expect(await signer()).toBe(accessKey);
  expect(await signer(root.accessKey)).toBe(accessKey);
});

test('of a key that made a request it is not believed that there was none before', async () => {
  const { uid, create, setEnabled, keyring } = await setUp();
  const { accessKey } = await create('root');
  await setEnabled(accessKey, false);
  expect(await keyring.find(accessKey)).toBeUndefined();
  await setEnabled(accessKey, true);
  expect(await keyring.find(accessKey)).toBeUndefined();
  expect(await keyring.findUsed(accessKey)).toMatchObject({ uid, accessKey });
  expect(await keyring.findUsed('no key/')).toBeUndefined();
});
