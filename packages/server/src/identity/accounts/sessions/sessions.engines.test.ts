import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { statement } from '../../../platform/db/database.ts';
import { Sealer } from '../../../platform/secrets/sealer.ts';
import type { RequestContext } from '../../../platform/web/index.ts';
import { AccountStore } from '../accounts.store.ts';
import { Audit } from '../audit.store.ts';
import { KeyStore } from '../keys/key.store.ts';
import { Keys } from '../keys/keys.ts';
import { SessionStore } from './sessions.store.ts';
import { type SessionOptions, Sessions, type SigningIn } from './sessions.ts';

const databases = useDatabases();
const actor = { name: 'test', address: 'local', reqid: 'r' };
const HOUR_MS = 3_600_000;
/** What a session is told of the request. */
const call = {
  peer: { address: '192.0.2.7', secure: true },
  reqid: 'r',
  header: (name: string) => (name === 'user-agent' ? 'x'.repeat(1000) : undefined),
} as unknown as RequestContext;

async function setUp(lives: Partial<SessionOptions> = {}) {
  const { control } = databases;
  const accounts = new AccountStore(control);
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const account = await accounts.insert({ email, parentUid: 0n, passwordHash: 'first' }, control);
  const uid = account?.uid ?? 0n;
  const store = new SessionStore(control);
  const options = { idleMs: HOUR_MS, maxMs: 12 * HOUR_MS, freshMs: 0, staleMs: 0, ...lives };
  const sessions = new Sessions({ control, store, audit: new Audit(control) }, options);
  const who: SigningIn = { uid, how: 'password', name: email, passwordHash: 'first' };
  const isOpen = async (cookie: string) => (await sessions.find(cookie, '192.0.2.8')) !== undefined;
  return { control, accounts, sessions, store, uid, who, isOpen };
}

/** As if the session had last been used, and begun, so long ago. */
const pass = statement(
  'test-session-pass',
  `UPDATE control.sessions SET begun_at = begun_at - $2::float8 * interval '1 ms', ends_at = ends_at - $2::float8 * interval '1 ms',
     last_used_at = last_used_at - $2::float8 * interval '1 ms', idle_until = idle_until - $2::float8 * interval '1 ms'
   WHERE uid = $1 RETURNING session_id`,
);

test('only the hash of the cookie is in the database, and long names of browsers are cut', async () => {
  const { control, sessions, who } = await setUp();
  const { id, cookie } = await sessions.begin(who, call);
  const all = statement('test-session-row', 'SELECT * FROM control.sessions WHERE session_id = $1');
  const [row] = await control.query<{ cookie_hash: Buffer; agent: string }>(all, [id]);
  expect(row?.cookie_hash).toEqual(createHash('sha256').update(cookie).digest());
  expect(
    Object.values(row ?? {})
      .map(String)
      .join(' '),
  ).not.toContain(cookie);
  expect(row?.agent).toHaveLength(256);
});

test('a session that is used goes on, up to its longest life', async () => {
  const { control, sessions, uid, who, isOpen } = await setUp();
  const { cookie } = await sessions.begin(who, call);
  for (let passed = 0; passed < 11.5; passed += 0.9) {
    expect(await isOpen(cookie)).toBe(true);
    await control.query(pass, [uid, 0.9 * HOUR_MS]);
  }
  await control.query(pass, [uid, 0.9 * HOUR_MS]);
  expect(await isOpen(cookie)).toBe(false);
  expect(await sessions.list(uid)).toEqual([]);
  expect(await sessions.forgetExpired()).toBeGreaterThanOrEqual(1);
});

test('one that is not used ends, also where it is cached', async () => {
  const { control, sessions, uid, who, isOpen } = await setUp();
  const { cookie } = await sessions.begin(who, call);
  await control.query(pass, [uid, HOUR_MS]);
  expect(await isOpen(cookie)).toBe(false);
  // While the database is not asked, its own clock ends it.
  const short = await setUp({ maxMs: 300, freshMs: HOUR_MS, staleMs: HOUR_MS });
  const begun = await short.sessions.begin(short.who, call);
  await expect.poll(() => short.isOpen(begun.cookie)).toBe(false);
});

test('its use is written down once a minute, with the address', async () => {
  const { control, sessions, uid, who, isOpen } = await setUp();
  const { cookie } = await sessions.begin(who, call);
  await isOpen(cookie);
  expect((await sessions.list(uid))[0]?.address).toBe('192.0.2.7');
  await control.query(pass, [uid, 61_000]);
  await isOpen(cookie);
  expect((await sessions.list(uid))[0]?.address).toBe('192.0.2.8');
});

test('a password that changed while it was compared opens nothing, and every change ends what was open', async () => {
  const { accounts, control, sessions, uid, who, isOpen } = await setUp();
  const { cookie } = await sessions.begin(who, call);
  await accounts.setPassword(uid, 'second', control);
  expect(await isOpen(cookie)).toBe(false);
  await expect(sessions.begin(who, call)).rejects.toMatchObject({ fault: 'failedAuthentication' });
  const again = await sessions.begin({ ...who, passwordHash: 'second' }, call);
  await accounts.setDisabled(uid, { isDisabled: true, by: 'parent' }, 'r', control);
  await accounts.setDisabled(uid, { isDisabled: false, by: 'parent' }, undefined, control);
  expect(await isOpen(again.cookie)).toBe(false);
});

test('one with a key’s rights ends with the key, and begins only with one of the account', async () => {
  const { control, sessions, uid, who, isOpen } = await setUp();
  const keys = new Keys(new KeyStore(control), new Sealer([{ id: 'one', key: randomBytes(32) }]));
  const make = (owner: bigint) => control.transaction((on) => keys.create(owner, { kind: 'user' }, on));
  const { accessKey } = await make(uid);
  const foreign = await make((await setUp()).uid);
  const limited = await sessions.begin({ ...who, accessKey }, call);
  const whole = await sessions.begin(who, call);
  await keys.setEnabled(accessKey, false, control);
  expect([await isOpen(limited.cookie), await isOpen(whole.cookie)]).toEqual([false, true]);
  for (const name of [accessKey, foreign.accessKey, 'none'])
    await expect(sessions.begin({ ...who, accessKey: name }, call)).rejects.toMatchObject({
      fault: 'failedAuthentication',
    });
});

test('an ended one is refused at once here, although it is cached', async () => {
  const { sessions: cached, uid, who } = await setUp({ freshMs: HOUR_MS, staleMs: HOUR_MS });
  const { id, cookie } = await cached.begin(who, call);
  expect(await cached.find(cookie, '')).toBeDefined();
  expect(await cached.end(uid + 1n, id, actor)).toBe(false);
  expect(await cached.end(uid, 'not an id', actor)).toBe(false);
  expect(await cached.end(uid, id, actor)).toBe(true);
  expect(await cached.find(cookie, '')).toBeUndefined();
  const [one, two] = [await cached.begin(who, call), await cached.begin(who, call)];
  for (const each of [one, two]) expect(await cached.find(each.cookie, '')).toBeDefined();
  expect(await cached.endOthers(uid, one.id, actor)).toBe(1);
  expect(await cached.find(one.cookie, '')).toBeDefined();
  expect(await cached.find(two.cookie, '')).toBeUndefined();
});
