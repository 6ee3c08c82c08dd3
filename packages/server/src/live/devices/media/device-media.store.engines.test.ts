import type { Dialog } from '@millpond/camera-wire';
import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { openTransaction, untilWaiting } from '../../../../test/locks.ts';
import { MediaStore } from './device-media.store.ts';

const databases = useDatabases();
const LEASE = 'sip 127.0.0.1:5060';
const [CAMERA, ONE, TWO, ALARM] = ['132', '131', '131', '101'].map(
  (type, number) => `3402000000${type}${String(number).padStart(7, '0')}`,
) as [string, string, string, string];
const dialog: Dialog = { callId: 'c', from: 'f', to: 't', target: 'sip:a@b', sequence: 1 };

let store: MediaStore;
let devices = 0;
beforeEach(() => {
  store = new MediaStore(databases.region);
});

async function device(kind: 1 | 2, channels: readonly string[], isRegistered = true): Promise<bigint> {
  const { pool } = databases.region;
  const ns = `n${String(++devices).padStart(11, '0')}`;
  await pool.query(
    `INSERT INTO region.live_namespaces (ns_id, uid, name, description, access_type, callback, offline_delay, url_type,
       is_record_for_all, is_snapshot_for_all) VALUES ($1, 1, $1, '', 'gb28181', '', 5, 1, false, false)`,
    [ns],
  );
  const { rows } = await pool.query<{ device_id: string }>(
    `INSERT INTO region.devices (ns_id, gbid, name, description, kind, username, sealed_password, master_key)
     VALUES ($1, $2, '', '', $3, $1, '', '') RETURNING device_id`,
    [ns, CAMERA, kind],
  );
  const id = BigInt(rows[0]?.device_id ?? 0);
  for (const gbid of channels)
    await pool.query(`INSERT INTO region.device_channels VALUES ($1, $2, '', '', true, true, now())`, [
      id,
      gbid,
    ]);
  if (isRegistered)
    await pool.query(
      `INSERT INTO region.device_registrations VALUES ($1, $2, 'udp', '127.0.0.1', 5060, now(), now(), now())`,
      [id, LEASE],
    );
  return id;
}

const wished = async (id: bigint) =>
  (await store.requests(LEASE, 1000)).filter((row) => row.device_id === id);

/** In microseconds: two requests come within one millisecond. */
async function wantedAt(id: bigint): Promise<number> {
  const { rows } = await databases.region.pool.query<{ micros: string }>(
    'SELECT extract(epoch FROM wanted_at) * 1000000 AS micros FROM region.device_media WHERE device_id = $1',
    [id],
  );
  return Number(rows[0]?.micros);
}

describe('channels', () => {
  test.each([
    ['lists none', [], CAMERA],
    ['lists itself', [ONE, CAMERA], CAMERA],
    ['lists an alarm and two cameras', [ALARM, TWO, ONE], ONE],
    ['lists an alarm', [ALARM], ALARM],
  ])('a camera that %s is its own channel', async (_what, listed, own) => {
    const id = await device(1, listed);
    await store.request(id, [''], 10);
    expect(await wished(id)).toMatchObject([{ channel: '', target: own, is_wanted: true }]);
    expect([...(await store.resolve(id, [own], false))]).toEqual([[own, '']]);
  });

  test('of a platform have their own names, and only those it lists are known', async () => {
    const id = await device(2, [ALARM, ONE, TWO]);
    expect(await store.listed(id, 10)).toEqual([ONE, TWO]);
    expect(await store.listed(id, 1)).toEqual([ONE]);
    expect([...(await store.resolve(id, [ONE, CAMERA], false))]).toEqual([[ONE, ONE]]);
    await store.request(id, [CAMERA], 10);
    expect([...(await store.resolve(id, [CAMERA], true))]).toEqual([[CAMERA, CAMERA]]);
  });

  test('are wanted up to a number, of which those that are wanted already count once', async () => {
    const id = await device(2, [ONE, TWO]);
    expect(await store.request(id, [ONE], 1)).toBe(true);
    expect(await store.request(id, [ONE], 1)).toBe(true);
    expect(await store.request(id, [TWO], 1)).toBe(false);
    expect(await store.request(id, [ONE, TWO], 2)).toBe(true);
    expect(await wished(id)).toHaveLength(2);
  });
});

describe('what is not wanted any more', () => {
  test('stays until the owner of the port has ended it, and only then goes', async () => {
    const id = await device(1, []);
    await store.request(id, [''], 10);
    const { region } = databases;
    await store.saveStates(region, [{ deviceId: id, channel: '', state: 'running', reason: '', dialog }]);
    await store.forget(region, [{ deviceId: id, channel: '' }]);
    expect(await wished(id)).toMatchObject([{ is_wanted: true, dialog }]);
    await store.cancel(id, undefined);
    expect(await wished(id)).toMatchObject([{ is_wanted: false, dialog }]);
    await store.forget(region, [{ deviceId: id, channel: '' }]);
    expect(await wished(id)).toEqual([]);
  });

  test('goes at once where the device is registered nowhere', async () => {
    const id = await device(2, [ONE, TWO], false);
    await store.request(id, [ONE, TWO], 10);
    await store.cancel(id, [ONE]);
    const { rows } = await databases.region.pool.query<{ channel: string }>(
      'SELECT channel FROM region.device_media WHERE device_id = $1',
      [id],
    );
    expect(rows).toEqual([{ channel: TWO }]);
  });

  test('who asks again is newer', async () => {
    const id = await device(1, []);
    await store.request(id, [''], 10);
    const before = await wantedAt(id);
    await store.request(id, [''], 10);
    expect(await wantedAt(id)).toBeGreaterThan(before);
  });
});

test('of a device that goes at that moment nothing can be wanted', async () => {
  const id = await device(1, [], false);
  const other = await openTransaction(databases.region);
  await other.query('DELETE FROM region.devices WHERE device_id = $1', [id]);
  const refusal = expect(store.request(id, [''], 10)).rejects.toMatchObject({ fault: 'noSuchDevice' });
  await untilWaiting(databases.region, 1);
  await other.query('COMMIT');
  await other.end();
  await refusal;
});

test('where there are more than can be looked at, each tenant has its oldest, and calls that are under way stay', async () => {
  const [large, small] = [await device(2, [ONE, TWO, ALARM]), await device(1, [])];
  const lease = 'sip 127.0.0.1:5999';
  const { pool } = databases.region;
  await pool.query('UPDATE region.device_registrations SET lease = $1 WHERE device_id = ANY ($2)', [
    lease,
    [large, small],
  ]);
  await pool.query(
    `UPDATE region.live_namespaces SET uid = 3, tenant = 2 WHERE ns_id = (SELECT ns_id FROM region.devices WHERE device_id = $1)`,
    [small],
  );
  for (const channel of [ONE, TWO, ALARM]) await store.request(large, [channel], 10);
  await store.request(small, [''], 10);
  const seen = async () =>
    (await store.requests(lease, 2)).map(({ tenant, channel }) => ({ tenant, channel }));
  expect(await seen()).toEqual([
    { tenant: 1n, channel: ONE },
    { tenant: 2n, channel: '' },
  ]);
  await store.saveStates(databases.region, [
    { deviceId: large, channel: ALARM, state: 'running', reason: '', dialog },
  ]);
  expect(await seen()).toEqual([
    { tenant: 1n, channel: ALARM },
    { tenant: 1n, channel: ONE },
  ]);
});
