/** Channels of devices: listed by them, told one by one. */
import { catalogXml } from '@millpond/testing';
import { expect, test } from 'vitest';
import { expectOk, newGbid, SOON, useDeviceDeployment } from '../support/live/devices.ts';

const place = useDeviceDeployment();

interface Channels {
  readonly onlineCount: number;
  readonly offlineCount: number;
  readonly total: number;
  readonly items: readonly {
    gbId: string;
    name: string;
    state: string;
    vendor: string;
    lastSyncAt: number;
  }[];
}

const channelsOf = async (nsId: string, gbid: string): Promise<Channels> =>
  (await expectOk(await place.call('GET', `/namespaces/${nsId}/devices/${gbid}/channels`))) as Channels;

const common = (streamId: string) => ({
  vendor: 'Test',
  lastSyncAt: expect.any(Number) as unknown,
  media: { wanted: false, state: '', reason: '', streamId },
});

test('a device is asked for its channels when it comes; those that are on are told, one event each beside the device’s own [live-rule-06 live-ns-04]', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  const [gate, yard] = [newGbid('131'), newGbid('131')];
  // 大门 in GBK.
  const name = Buffer.from([0xb4, 0xf3, 0xc3, 0xc5]).toString('latin1');
  const channels = [
    { gbid: gate, name },
    { gbid: yard, status: 'OFF' },
  ];
  const camera = await place.camera(gbid, { channels, perMessage: 1 });
  await camera.register();
  await expect.poll(() => camera.queries.length, SOON).toBe(1);
  await expect.poll(async () => (await channelsOf(events.id, gbid)).total, SOON).toBe(2);
  expect(await channelsOf(events.id, gbid)).toEqual({
    onlineCount: 1,
    offlineCount: 1,
    total: 2,
    items: [
      { gbId: gate, name: '大门', state: 'online', ...common(camera.gbid) },
      { gbId: yard, name: 'Gate', state: 'offline', ...common(`${camera.gbid}_${yard}`) },
    ],
  });
  await camera.register({ expires: 0 });
  await expect.poll(() => events.states(gbid, gate), SOON).toEqual(['online', 'offline']);
  await expect.poll(() => events.states(gbid), SOON).toEqual(['online', 'offline']);
  expect(events.states(gbid, yard)).toEqual([]);
  // Back again, what was on is on, at once; its list then says what is otherwise.
  camera.channels = [{ gbid: gate, status: 'OFF' }, { gbid: yard }];
  await camera.register();
  await expect
    .poll(() => events.states(gbid, gate), SOON)
    .toEqual(['online', 'offline', 'online', 'offline']);
  await expect.poll(() => events.states(gbid, yard), SOON).toEqual(['online']);
});

test('a list on request shows what came, went and changed [live-ns-04 live-rule-11]', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  const [old, kept, fresh] = [newGbid('131'), newGbid('131'), newGbid('131')];
  const camera = await place.camera(gbid, { channels: [{ gbid: old }, { gbid: kept }] });
  await camera.register();
  await expect.poll(() => events.states(gbid, kept), SOON).toEqual(['online']);
  camera.channels = [{ gbid: kept, name: 'Renamed' }, { gbid: fresh }];
  await expectOk(await place.call('POST', `/namespaces/${events.id}/devices/${gbid}/catalog/fetch`));
  await expect.poll(() => events.states(gbid, fresh), SOON).toEqual(['online']);
  await expect.poll(() => events.states(gbid, old), SOON).toEqual(['online', 'offline']);
  expect(events.states(gbid, kept)).toEqual(['online']);
  const { items } = await channelsOf(events.id, gbid);
  expect(items.map(({ gbId, name }) => [gbId, name])).toEqual([
    [kept, 'Renamed'],
    [fresh, 'Gate'],
  ]);
});

test('a list of which a message is lost takes no channel away', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  const [one, two] = [newGbid('131'), newGbid('131')];
  const camera = await place.camera(gbid, { channels: [{ gbid: one }, { gbid: two }] });
  await camera.register();
  await expect.poll(() => events.states(gbid, two), SOON).toEqual(['online']);
  await camera.message(catalogXml(gbid, '999', 2, [{ gbid: one, name: 'Only' }]));
  const nameOf = async () => (await channelsOf(events.id, gbid)).items.find(({ gbId }) => gbId === one)?.name;
  // It is waited for, then taken as what it is.
  await expect.poll(nameOf, SOON).toBe('Only');
  expect((await channelsOf(events.id, gbid)).total).toBe(2);
  expect(events.states(gbid, two)).toEqual(['online']);
});

test('what a device says and nobody can read is refused, and changes nothing', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  const camera = await place.camera(gbid);
  await camera.register();
  for (const body of [
    '',
    '<Notify>',
    '<!DOCTYPE a [<!ENTITY b "c">]><Notify><CmdType>&b;</CmdType></Notify>',
  ])
    expect((await camera.message(Buffer.from(body))).status).toBe(400);
  expect((await channelsOf(events.id, gbid)).total).toBe(0);
  expect((await camera.keepalive()).status).toBe(200);
});

test('a channel can be read, and removed until it is listed again', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  const channel = newGbid('131');
  const camera = await place.camera(gbid, { channels: [{ gbid: channel }] });
  await camera.register();
  await expect.poll(() => events.states(gbid, channel), SOON).toEqual(['online']);
  const path = `/namespaces/${events.id}/devices/${gbid}/channels/${channel}`;
  expect(await expectOk(await place.call('GET', path))).toMatchObject({ gbId: channel, state: 'online' });
  await expectOk(await place.call('DELETE', path));
  await expect.poll(() => events.states(gbid, channel), SOON).toEqual(['online', 'offline']);
  expect((await place.call('GET', path)).status).toBe(612);
  expect((await place.call('DELETE', path)).status).toBe(612);
  await camera.catalog('31');
  await expect.poll(() => events.states(gbid, channel), SOON).toEqual(['online', 'offline', 'online']);
});
