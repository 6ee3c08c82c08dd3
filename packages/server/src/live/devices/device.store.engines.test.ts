import { beforeAll, expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { openTransaction, slowInserts, untilWaiting } from '../../../test/locks.ts';
import { DeviceStore } from './device.store.ts';
import type { NewDeviceValues } from './devices.fields.ts';

const databases = useDatabases();
const PASSWORD = { bytes: Buffer.alloc(1), masterKey: 'k' };
const GBID = '34020000001320000001';
const MOST = 2;
let store: DeviceStore;

const device = (gbId: string, username = 'camera'): NewDeviceValues => ({
  gbId,
  username,
  name: '',
  desc: '',
  type: 1,
  password: '',
});

beforeAll(async () => {
  store = new DeviceStore(databases.region);
  await databases.region.pool.query(
    `INSERT INTO region.live_namespaces (ns_id, uid, name, description, access_type, callback, offline_delay, url_type,
       is_record_for_all, is_snapshot_for_all)
     SELECT n, 1, n, '', 'gb28181', '', 0, 1, false, false FROM unnest(ARRAY['one', 'two', 'full', 'going']) n`,
  );
});

test('a user name that two devices of one id take at once is taken for the second', async () => {
  const { region } = databases;
  await store.insert('one', device(GBID, 'first'), PASSWORD, MOST);
  await store.insert('two', device(GBID, 'second'), PASSWORD, MOST);
  const id = (await store.find('two', GBID))?.device_id ?? 0n;
  const first = await region.pool.connect();
  await first.query('BEGIN');
  await first.query(`UPDATE region.devices SET username = 'same' WHERE ns_id = 'one'`);
  const second = store.update(id, { username: 'same' }, undefined);
  await untilWaiting(region, 1);
  await first.query('COMMIT');
  first.release();
  expect(await second).toBe(false);
  expect(await store.update(id, { username: 'same' }, undefined)).toBe(false);
  expect(await store.update(id, { username: 'third' }, undefined)).toBe(true);
});

test('a namespace that goes at that moment is none to put a device into', async () => {
  const other = await openTransaction(databases.region);
  await other.query(`DELETE FROM region.live_namespaces WHERE ns_id = 'going'`);
  const putting = store.insert('going', device('34020000001320000999'), PASSWORD, MOST);
  const refusal = expect(putting).rejects.toMatchObject({ fault: 'noSuchNamespace' });
  await untilWaiting(databases.region, 1);
  await other.query('COMMIT');
  await other.end();
  await refusal;
});

test('a namespace has as many devices as it may, also when many are asked for at once', async () => {
  await slowInserts(databases.region, 'region.devices');
  const added = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      store.insert('full', device(`3402000000132000010${n}`), PASSWORD, MOST),
    ),
  );
  expect(added.filter((isAdded) => isAdded)).toHaveLength(MOST);
});
