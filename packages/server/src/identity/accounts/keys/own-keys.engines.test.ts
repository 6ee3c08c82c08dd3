import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { statement } from '../../../platform/db/database.ts';
import { Sealer } from '../../../platform/secrets/sealer.ts';
import { AccountStore } from '../accounts.store.ts';
import { Audit } from '../audit.store.ts';
import { SessionStore } from '../sessions/sessions.store.ts';
import { KeyStore } from './key.store.ts';
import { type AccessKey, Keyring } from './keyring.ts';
import { Keys } from './keys.ts';
import { OwnKeys } from './own-keys.ts';

const databases = useDatabases();
const actor = { name: 'test', address: 'local', reqid: 'r' };
const sealer = new Sealer([{ id: 'one', key: randomBytes(32) }]);

/** An account with two root keys, as a gateway knows them. */
async function setUp() {
  const { control } = databases;
  const [store, audit] = [new KeyStore(control), new Audit(control)];
  const keys = new Keys(store, sealer);
  const keyring = new Keyring(store, sealer, { freshMs: 0, staleMs: 0 });
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const account = await new AccountStore(control).insert(
    { email, parentUid: 0n, passwordHash: undefined },
    control,
  );
  const uid = account?.uid ?? 0n;
  const made = [];
  for (let i = 0; i < 2; i++) {
    const { accessKey } = await control.transaction((transaction) =>
      keys.create(uid, { kind: 'root' }, transaction),
    );
    made.push(await keyring.find(accessKey));
  }
  const [first, second] = made as [AccessKey, AccessKey];
  const sessions = new SessionStore(control);
  const own = new OwnKeys({ control, keys, audit, keyring, sessions });
  return { own, sessions, keyring, audit, uid, first, second };
}

test('two keys that disable each other at the same moment leave one', async () => {
  for (let i = 0; i < 10; i++) {
    const { own, uid, first, second } = await setUp();
    const ended = await Promise.allSettled([
      own.setEnabled(first, second.accessKey, false, actor),
      own.setEnabled(second, first.accessKey, false, actor),
    ]);
    expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await own.list(uid)).filter((row) => row.is_enabled)).toHaveLength(1);
  }
});

test('a key that a gateway still trusts, but was disabled, changes nothing', async () => {
  const { own, uid, first, second } = await setUp();
  await own.setEnabled(first, second.accessKey, false, actor);
  const failed = { fault: 'failedAuthentication' };
  await expect(own.setEnabled(second, second.accessKey, true, actor)).rejects.toMatchObject(failed);
  await expect(own.setEnabled(second, first.accessKey, false, actor)).rejects.toMatchObject(failed);
  await own.remove(first, second.accessKey, actor);
  await expect(own.create(second, { kind: 'root' }, actor)).rejects.toMatchObject(failed);
  expect(await own.list(uid)).toMatchObject([{ access_key: first.accessKey, is_enabled: true }]);
});

test('a deleted key is gone, leaves its place to another, and its end is in the audit log', async () => {
  const { own, keyring, audit, uid, first, second } = await setUp();
  await expect(own.create(first, { kind: 'user' }, actor)).rejects.toMatchObject({ fault: 'badRequest' });
  await expect(own.remove(first, second.accessKey, actor)).rejects.toMatchObject({ fault: 'badRequest' });
  await own.setEnabled(first, second.accessKey, false, actor);
  await own.remove(first, second.accessKey, actor);
  expect(await keyring.find(second.accessKey)).toBeUndefined();
  const { accessKey } = await own.create(first, { kind: 'user' }, actor);
  expect((await own.list(uid)).map((row) => [row.access_key, row.kind])).toEqual([
    [first.accessKey, 'root'],
    [accessKey, 'user'],
  ]);
  const acts = await audit.search({ target: second.accessKey, limit: 10 });
  expect(acts.map(({ action }) => action)).toEqual(['key.delete', 'key.disable']);
});

const limits = { buckets: ['photos'], actions: ['read'] } as const;

test('a key with limits does not take the place of another, and may get and lose them', async () => {
  const { own, keyring, audit, uid, first, second } = await setUp();
  const { accessKey } = await own.create(first, { kind: 'user', limits }, actor);
  expect(await keyring.find(accessKey)).toMatchObject({ limits });
  expect((await own.list(uid)).map((row) => row.limits)).toEqual([null, null, limits]);
  const more = { ...limits, expiresAt: 1 };
  expect(await own.setLimits(first, accessKey, more, actor)).toMatchObject({ limits: more });
  expect(await keyring.find(accessKey)).toMatchObject({ limits: more });
  // There are two without limits already.
  await expect(own.setLimits(first, accessKey, undefined, actor)).rejects.toMatchObject({
    hint: 'an account may have at most 2 access keys without limits',
  });
  await own.setLimits(first, second.accessKey, limits, actor);
  await own.setLimits(first, accessKey, undefined, actor);
  expect((await keyring.find(accessKey))?.limits).toBeUndefined();
  const acts = await audit.search({ target: accessKey, limit: 10 });
  expect(acts.map(({ action }) => action)).toEqual(['key.limit', 'key.limit', 'key.create']);
});

test('an account has a hundred keys with limits', async () => {
  const { own, first } = await setUp();
  const create = () => own.create(first, { kind: 'user', limits }, actor);
  for (let i = 0; i < 10; i++) await Promise.all(Array.from({ length: 10 }, create));
  await expect(create()).rejects.toMatchObject({
    hint: 'an account may have at most 100 access keys with limits',
  });
});

test('a key does not limit itself, and one that was limited a moment ago changes nothing', async () => {
  const { own, uid, first, second } = await setUp();
  await expect(own.setLimits(first, first.accessKey, limits, actor)).rejects.toMatchObject({
    fault: 'badRequest',
  });
  await own.setLimits(first, second.accessKey, limits, actor);
  const failed = { fault: 'failedAuthentication' };
  // As a gateway that has not noticed yet would let it.
  await expect(own.setLimits(second, second.accessKey, undefined, actor)).rejects.toMatchObject(failed);
  await expect(own.setLimits(second, first.accessKey, limits, actor)).rejects.toMatchObject(failed);
  await expect(own.create(second, { kind: 'root' }, actor)).rejects.toMatchObject(failed);
  expect((await own.list(uid)).map((row) => row.limits)).toEqual([null, limits]);
});

test('two keys that limit each other at the same moment leave one without limits', async () => {
  for (let i = 0; i < 10; i++) {
    const { own, uid, first, second } = await setUp();
    await Promise.allSettled([
      own.setLimits(first, second.accessKey, limits, actor),
      own.setLimits(second, first.accessKey, limits, actor),
    ]);
    expect((await own.list(uid)).filter((row) => row.limits === null)).toHaveLength(1);
  }
});

test('limits that this version cannot read make a key useless', async () => {
  const { own, keyring, first } = await setUp();
  const { accessKey } = await own.create(first, { kind: 'root', limits }, actor);
  await databases.control.transaction((transaction) =>
    transaction.query(
      statement('test-newer-limits', 'UPDATE control.access_keys SET limits = $2 WHERE access_key = $1'),
      [accessKey, JSON.stringify({ moons: ['full'] })],
    ),
  );
  expect(await keyring.find(accessKey)).toBeUndefined();
});

test('a session may change keys until it has ended, also both', async () => {
  const { own, sessions, uid, first, second } = await setUp();
  const who = {
    uid,
    how: 'password',
    name: 'a@b.c',
    isOperator: false,
    address: 'local',
    agent: '',
  } as const;
  const lives = { idleMs: 60_000, maxMs: 60_000 };
  const sessionId = (await sessions.begin(randomBytes(32), who, lives)) ?? '';
  const signer = { uid, sessionId };
  await own.setEnabled(signer, first.accessKey, false, actor);
  await own.setEnabled(signer, second.accessKey, false, actor);
  expect((await own.list(uid)).map((row) => row.is_enabled)).toEqual([false, false]);
  await sessions.end(uid, sessionId, databases.control);
  await expect(own.setEnabled(signer, first.accessKey, true, actor)).rejects.toMatchObject({
    fault: 'failedAuthentication',
  });
});
