/** Addresses are compared by what the servers fold them to, whatever the database's locale, and whoever wrote the row. */
import { openLog } from '@millpond/base';
import { createDatabase, type TestDatabase } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Database } from '../../platform/db/database.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { AccountStore } from './accounts.store.ts';

/** As servers of the version before insert and look up. */
const OLD_INSERT = `INSERT INTO control.accounts (email, parent_uid, password_hash, password_set_at)
   VALUES ($1, $2, $3, CASE WHEN $3::text IS NULL THEN NULL ELSE now() END)
   ON CONFLICT (lower(email)) DO NOTHING RETURNING uid, parent_uid, email, is_disabled`;
const OLD_LOOKUP = 'SELECT uid FROM control.accounts WHERE lower(email) = lower($1)';

describe.each(['C', 'C.UTF-8'])('in a database whose locale is %s', (locale) => {
  let made: TestDatabase;
  let control: Database;
  let store: AccountStore;
  beforeAll(async () => {
    made = await createDatabase('folded', undefined, undefined, locale);
    await migrate(made.url, 'control');
    const options = { connections: 4, timeoutMs: 15_000, applicationName: 'test', log: openLog('silent') };
    control = new Database({ url: made.url, ...options });
    store = new AccountStore(control);
  });
  afterAll(async () => {
    await control?.close();
    await made?.drop();
  });
  const insert = (email: string, parentUid = 0n) =>
    store.insert({ email, parentUid, passwordHash: undefined }, control);
  const rows = async (text: string, values: unknown[] = []) =>
    (await control.pool.query<Record<string, string>>(text, values)).rows;

  test('one address is one account, however it is written', async () => {
    const kate = await insert('kate@example.com');
    const parentUid = kate?.uid ?? 0n;
    for (const twin of [
      'KATE@example.com',
      '\u212Aate@example.com',
      '\uff2b\uff21\uff34\uff25@Example.com',
    ]) {
      expect(await insert(twin, parentUid)).toBeUndefined();
      expect((await store.byEmail(twin))?.uid).toBe(parentUid);
    }
    const muller = await insert('M\u00fcller@M\u00dcNCHEN.example');
    expect(await insert('mu\u0308ller@m\u00fcnchen.example')).toBeUndefined();
    expect((await store.byEmail('M\u00dcLLER@m\u00fcnchen.EXAMPLE'))?.uid).toBe(muller?.uid);
    // It is shown as it was given.
    expect(muller?.email).toBe('M\u00fcller@M\u00dcNCHEN.example');
    expect((await store.page('M\u00dc', '', 10)).map(({ uid }) => uid)).toEqual([muller?.uid]);
  });

  test('what a server of the version before inserts is found: at once in ASCII, otherwise after a job', async () => {
    const [old] = await rows(OLD_INSERT, ['Old@Example.com', 0, null]);
    expect((await store.byEmail('old@example.COM'))?.uid).toBe(BigInt(old?.uid ?? 0));
    expect(await insert('OLD@example.com')).toBeUndefined();
    const [umlaut] = await rows(OLD_INSERT, ['J\u00fcrgen@example.com', 0, null]);
    expect(await store.byEmail('j\u00fcrgen@example.com')).toBeUndefined();
    expect(await store.foldEmails()).toBe(1);
    expect((await store.byEmail('J\u00dcRGEN@example.com'))?.uid).toBe(BigInt(umlaut?.uid ?? 0));
    expect(await store.foldEmails()).toBe(0);
    // And what this version inserts, an old server finds and does not insert again.
    await insert('New@example.com');
    expect(await rows(OLD_LOOKUP, ['new@example.com'])).toHaveLength(1);
    expect(await rows(OLD_INSERT, ['NEW@example.com', 0, null])).toEqual([]);
  });

  test('one that folds to an address that is taken is left, and nobody finds it', async () => {
    const sun = await insert('sun@example.com');
    await rows(OLD_INSERT, ['\u017fun@example.com', 0, null]);
    expect(await store.foldEmails()).toBe(0);
    expect((await store.byEmail('\u017fun@example.com'))?.uid).toBe(sun?.uid);
  });
});
