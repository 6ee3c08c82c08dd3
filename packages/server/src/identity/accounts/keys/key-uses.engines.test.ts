import { randomBytes } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { Sealer } from '../../../platform/secrets/sealer.ts';
import { AccountStore } from '../accounts.store.ts';
import { KeyStore } from './key.store.ts';
import { KeyUseRecorder } from './key-use-recorder.ts';
import { Keys } from './keys.ts';

const databases = useDatabases();
const MINUTE = Date.parse('2026-11-17T01:02:00Z');

afterEach(() => {
  vi.useRealTimers();
});

async function setUp() {
  const { control } = databases;
  const store = new KeyStore(control);
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const account = await new AccountStore(control).insert(
    { email, parentUid: 0n, passwordHash: undefined },
    control,
  );
  const uid = account?.uid ?? 0n;
  const keys = new Keys(store, new Sealer([{ id: 'one', key: randomBytes(32) }]));
  const [first, second] = await control.transaction(async (transaction) => [
    (await keys.create(uid, { kind: 'root' }, transaction)).accessKey,
    (await keys.create(uid, { kind: 'root', note: 'the second' }, transaction)).accessKey,
  ]);
  const shown = async () =>
    new Map(
      (await store.ofAccount(uid)).map((row) => [
        row.access_key,
        [row.last_used?.getTime(), row.last_address],
      ]),
    );
  return { store, uses: new KeyUseRecorder(store), first: first ?? '', second: second ?? '', shown };
}

/** What the process takes for the time; the database keeps its own. */
function at(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: ms });
}

test('the last use of each key is written, to the minute; a key that was not used stays as it was', async () => {
  const { uses, first, second, shown } = await setUp();
  at(MINUTE + 1_000);
  uses.note(first, '192.0.2.1');
  at(MINUTE + 59_999);
  uses.note(first, '192.0.2.2');
  uses.note('gone-in-between', '192.0.2.3');
  expect(uses.of(first)).toEqual({ at: MINUTE + 59_999, address: '192.0.2.2' });
  await uses.flush();
  expect(await shown()).toEqual(
    new Map([
      [first, [MINUTE, '192.0.2.2']],
      [second, [undefined, null]],
    ]),
  );
  expect(uses.of(first)).toBeUndefined();
});

test('a process that writes later what was earlier changes nothing', async () => {
  const { uses, first, second, shown, store } = await setUp();
  const late = new KeyUseRecorder(store);
  at(MINUTE);
  for (const key of [first, second]) late.note(key, '192.0.2.1');
  at(MINUTE + 60_000);
  for (const key of [second, first]) uses.note(key, '192.0.2.2');
  await uses.flush();
  await late.flush();
  expect([...(await shown()).values()]).toEqual([
    [MINUTE + 60_000, '192.0.2.2'],
    [MINUTE + 60_000, '192.0.2.2'],
  ]);
});

test('what could not be written is written the next time, unless the key was used since', async () => {
  const { uses, first, second, shown, store } = await setUp();
  at(MINUTE);
  for (const key of [first, second]) uses.note(key, '192.0.2.1');
  const failing = vi.spyOn(store, 'setUses').mockImplementationOnce(async () => {
    at(MINUTE + 60_000);
    uses.note(second, '192.0.2.2');
    throw new Error('the database is away');
  });
  await uses.flush();
  expect(await shown()).toEqual(
    new Map([
      [first, [undefined, null]],
      [second, [undefined, null]],
    ]),
  );
  await uses.flush();
  expect(failing).toHaveBeenCalledTimes(2);
  expect(await shown()).toEqual(
    new Map([
      [first, [MINUTE, '192.0.2.1']],
      [second, [MINUTE + 60_000, '192.0.2.2']],
    ]),
  );
});
