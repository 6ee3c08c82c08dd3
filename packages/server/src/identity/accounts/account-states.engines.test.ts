import { randomBytes } from 'node:crypto';
import { Fault } from '@millpond/protocol';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { AccountStates } from './account-states.ts';
import { AccountStore } from './accounts.store.ts';

const databases = useDatabases();

/** The real one, that can be away. */
class Store extends AccountStore {
  isAway = false;
  isSilent = false;

  override byUid(uid: bigint) {
    return this.isAway ? Promise.reject(new Fault('serverFailure')) : super.byUid(uid);
  }

  override disabledAmong(uids: readonly bigint[]) {
    if (this.isSilent) return new Promise<never>(() => undefined);
    return this.isAway ? Promise.reject(new Fault('serverFailure')) : super.disabledAmong(uids);
  }
}

function gateway(times = { freshMs: 0, staleMs: 60_000 }) {
  const store = new Store(databases.control);
  return { store, states: new AccountStates(store, times) };
}

async function newAccount(isDisabled = false): Promise<bigint> {
  const { rows } = await databases.control.pool.query<{ uid: bigint }>(
    'INSERT INTO control.accounts (email, is_disabled) VALUES ($1, $2) RETURNING uid',
    [`${randomBytes(6).toString('hex')}@example.com`, isDisabled],
  );
  return rows[0]?.uid ?? 0n;
}

const NOBODY = 999_999_999n;

test('an account is disabled by its row, and where it has none', async () => {
  const { states } = gateway();
  const uid = await newAccount();
  const state = async (of: bigint) => [await states.isDisabled(of), await states.isEnabledOrUnknown(of)];
  expect(await state(uid)).toEqual([false, true]);
  await databases.control.pool.query('UPDATE control.accounts SET is_disabled = true WHERE uid = $1', [uid]);
  expect(await state(uid)).toEqual([true, false]);
  expect(await state(NOBODY)).toEqual([true, false]);
});

test('of many those that are disabled or gone are found at once', async () => {
  const { states } = gateway();
  const [good, bad] = [await newAccount(), await newAccount(true)];
  expect(await states.disabledAmong([good, bad, bad, NOBODY])).toEqual(new Set([bad, NOBODY]));
  expect(await states.disabledAmong([])).toEqual(new Set());
});

test('while the control database is away the last state counts; without one nobody new is let in, and nobody sent away', async () => {
  const { store, states } = gateway();
  const [good, bad, unknown] = [await newAccount(), await newAccount(true), await newAccount(true)];
  for (const uid of [good, bad]) await states.isDisabled(uid);
  store.isAway = true;
  expect([await states.isDisabled(good), await states.isDisabled(bad)]).toEqual([false, true]);
  expect([await states.isEnabledOrUnknown(good), await states.isEnabledOrUnknown(bad)]).toEqual([
    true,
    false,
  ]);
  await expect(states.isDisabled(unknown)).rejects.toThrow(Fault);
  expect(await states.isEnabledOrUnknown(unknown)).toBe(true);
  expect(await states.disabledAmong([good, bad, unknown])).toEqual(new Set());
  store.isAway = false;
  expect(await states.isDisabled(unknown)).toBe(true);
});

test('is asked for once in a while, not by everybody', async () => {
  const { store, states } = gateway({ freshMs: 60_000, staleMs: 60_000 });
  const uid = await newAccount();
  expect(await states.isDisabled(uid)).toBe(false);
  store.isAway = true;
  expect(await states.isDisabled(uid)).toBe(false);
});

test('nobody waits long for a control database that is silent, and the next does not wait at all', async () => {
  const { store, states } = gateway();
  const bad = await newAccount(true);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  store.isSilent = true;
  const first = states.disabledAmong([bad]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await first).toEqual(new Set());
  // The clock stands still now: whoever waits for it waits for ever.
  expect(await states.disabledAmong([bad])).toEqual(new Set());
});
