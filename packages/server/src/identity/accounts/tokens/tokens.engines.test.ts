import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { openTransaction, untilWaiting } from '../../../../test/locks.ts';
import { AccountStore } from '../accounts.store.ts';
import { TokenStore } from './token.store.ts';
import { type TokenOptions, Tokens } from './tokens.ts';

const databases = useDatabases();
const key = randomBytes(32);
const ADDRESS = '192.0.2.1';
let uid: bigint;

function tokens(overrides: Partial<TokenOptions> = {}): Tokens {
  const options = {
    accessSeconds: 3600,
    rotation: 'sliding' as const,
    derivationKeys: [key],
    freshMs: 0,
    staleMs: 0,
  };
  return new Tokens(new TokenStore(databases.control), { ...options, ...overrides });
}

beforeEach(async () => {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const values = { email, parentUid: 0n, passwordHash: 'the old hash' };
  const account = await new AccountStore(databases.control).insert(values, databases.control);
  uid = account?.uid ?? 0n;
});

/** Lets time pass for all tokens, by moving their times back. */
async function passDays(days: number): Promise<void> {
  for (const table of ['token_families', 'access_tokens']) {
    await databases.control.pool.query(
      `UPDATE control.${table} SET expires_at = expires_at - $1 * interval '1 day'`,
      [days],
    );
  }
  await databases.control.pool.query(
    `UPDATE control.token_families SET previous_until = previous_until - $1 * interval '1 day'`,
    [days],
  );
}

const DISABLE = 'UPDATE control.accounts SET is_disabled = $2 WHERE uid = $1';

describe.each(['sliding', 'rotate'] as const)('with %s refresh tokens', (rotation) => {
  test('an account that was disabled and enabled has none of its access tokens, and refreshes again', async () => {
    const service = tokens({ rotation });
    const { access_token, refresh_token } = await service.begin(uid, ADDRESS);
    for (const isDisabled of [true, false]) await databases.control.pool.query(DISABLE, [uid, isDisabled]);
    expect(await service.find(access_token)).toBeUndefined();
    const { pair } = await service.refresh(refresh_token, ADDRESS);
    expect(await service.find(pair.access_token)).toEqual({ uid });
    expect(await service.find(access_token)).toBeUndefined();
  });

  test('a refresh that an account is disabled during leaves no access token either, whichever comes first', async () => {
    const service = tokens({ rotation });
    const { refresh_token } = await service.begin(uid, ADDRESS);
    const other = await openTransaction(databases.control);
    await other.query(DISABLE, [uid, true]);
    const refreshing = service.refresh(refresh_token, ADDRESS).catch((error: unknown) => error);
    await untilWaiting(databases.control, 1);
    await other.query('COMMIT');
    await other.end();
    expect(await refreshing).toMatchObject({ fault: 'failedAuthentication' });
    await databases.control.pool.query(DISABLE, [uid, false]);
    const { rows } = await databases.control.pool.query(
      'SELECT count(*)::int AS count FROM control.access_tokens JOIN control.token_families USING (family_id) WHERE uid = $1',
      [uid],
    );
    expect(rows).toEqual([{ count: 0 }]);
  });

  test('200 refreshes of one token at once all end with a working pair', async () => {
    const service = tokens({ rotation });
    const { refresh_token } = await service.begin(uid, ADDRESS);
    const results = await Promise.all(
      Array.from({ length: 200 }, () => service.refresh(refresh_token, ADDRESS)),
    );
    for (const { pair } of results) {
      expect(await service.find(pair.access_token)).toEqual({ uid });
      expect(pair.expires_in).toBeGreaterThan(3500);
    }
    expect(new Set(results.map(({ pair }) => pair.refresh_token)).size).toBe(1);
    const next = results[0]?.pair.refresh_token ?? '';
    expect((await service.refresh(next, ADDRESS)).uid).toBe(uid);
  });

  test('a refresh token is good for 30 days, then expired and told from one that never was', async () => {
    const service = tokens({ rotation });
    const { refresh_token } = await service.begin(uid, ADDRESS);
    await passDays(30);
    const { pair } = await service.refresh(refresh_token, ADDRESS);
    await passDays(32);
    await expect(service.refresh(pair.refresh_token, ADDRESS)).rejects.toMatchObject({
      fault: 'tokenExpired',
    });
    await expect(service.refresh('never was', ADDRESS)).rejects.toMatchObject({ fault: 'invalidToken' });
  });

  test('an access token expires on its own, and says so', async () => {
    const service = tokens({ rotation });
    const { access_token } = await service.begin(uid, ADDRESS);
    expect(await service.find(access_token)).toEqual({ uid });
    await passDays(1);
    expect(await service.find(access_token)).toBe('expired');
    expect(await service.find('never was')).toBeUndefined();
  });

  test('an access token that is cached expires in time, also while the database is not asked', async () => {
    const service = tokens({ rotation, accessSeconds: 5, freshMs: 60_000, staleMs: 60_000 });
    const { access_token } = await service.begin(uid, ADDRESS);
    expect(await service.find(access_token)).toEqual({ uid });
    await expect.poll(() => service.find(access_token)).toBe('expired');
  });

  test('a disabled account has no tokens', async () => {
    const service = tokens({ rotation });
    const { access_token, refresh_token } = await service.begin(uid, ADDRESS);
    await databases.control.pool.query('UPDATE control.accounts SET is_disabled = true WHERE uid = $1', [
      uid,
    ]);
    expect(await service.find(access_token)).toBeUndefined();
    await expect(service.refresh(refresh_token, ADDRESS)).rejects.toMatchObject({
      fault: 'failedAuthentication',
    });
  });
});

test('sliding: a client that keeps its first refresh token goes on for a year', async () => {
  const service = tokens();
  const { refresh_token } = await service.begin(uid, ADDRESS);
  for (let month = 0; month < 13; month++) {
    await passDays(29);
    const { pair } = await service.refresh(refresh_token, ADDRESS);
    expect(pair.refresh_token).toBe(refresh_token);
    expect(await service.find(pair.access_token)).toEqual({ uid });
  }
});

describe('rotate', () => {
  test('a lost answer is given again within the grace, also after the master key was exchanged', async () => {
    const { refresh_token } = await tokens({ rotation: 'rotate' }).begin(uid, ADDRESS);
    const { pair } = await tokens({ rotation: 'rotate' }).refresh(refresh_token, ADDRESS);
    const exchanged = tokens({ rotation: 'rotate', derivationKeys: [randomBytes(32), key] });
    const again = await exchanged.refresh(refresh_token, ADDRESS);
    expect(again.pair.refresh_token).toBe(pair.refresh_token);
    expect(again.pair.access_token).toBe(pair.access_token);
  });

  test('an old token that is used after the grace ends the family', async () => {
    const service = tokens({ rotation: 'rotate' });
    const { refresh_token } = await service.begin(uid, ADDRESS);
    const { pair } = await service.refresh(refresh_token, ADDRESS);
    await databases.control.pool.query(
      `UPDATE control.token_families SET previous_until = now() - interval '1 second'`,
    );
    await expect(service.refresh(refresh_token, ADDRESS)).rejects.toMatchObject({
      fault: 'invalidToken',
      uid,
    });
    await expect(service.refresh(pair.refresh_token, ADDRESS)).rejects.toMatchObject({
      fault: 'invalidToken',
    });
    expect(await service.find(pair.access_token)).toBeUndefined();
  });
});

describe('a password that is changed while it is compared', () => {
  const changed = `UPDATE control.accounts SET password_hash = 'the new hash' WHERE uid = $1`;

  test('opens nothing', async () => {
    await databases.control.pool.query(changed, [uid]);
    await expect(tokens().begin(uid, ADDRESS, 'the old hash')).rejects.toMatchObject({
      fault: 'failedAuthentication',
    });
    expect((await tokens().begin(uid, ADDRESS, 'the new hash')).access_token).not.toBe('');
  });

  test('opens nothing either where the change is under way, and what was opened before ends with it', async () => {
    const before = await tokens().begin(uid, ADDRESS, 'the old hash');
    const changing = await openTransaction(databases.control);
    await changing.query(changed, [uid]);
    // Looked at from the start: it may fail before the transaction's end is told here.
    const late = expect(tokens().begin(uid, ADDRESS, 'the old hash')).rejects.toMatchObject({
      fault: 'failedAuthentication',
    });
    await untilWaiting(databases.control, 1);
    await changing.query('UPDATE control.token_families SET revoked_at = now() WHERE uid = $1', [uid]);
    await changing.query('COMMIT');
    await late;
    expect(await tokens().find(before.access_token)).toBeUndefined();
    await changing.end();
  });
});

test('only hashes are stored', async () => {
  const { access_token, refresh_token } = await tokens().begin(uid, ADDRESS);
  const rows = await databases.control.pool.query<{ row: string }>(
    'SELECT f::text AS row FROM control.token_families f UNION ALL SELECT t::text FROM control.access_tokens t',
  );
  const dump = rows.rows.map((row) => row.row).join('\n');
  for (const token of [access_token, refresh_token]) {
    expect(dump).not.toContain(token);
    expect(dump).not.toContain(Buffer.from(token).toString('hex'));
  }
});
