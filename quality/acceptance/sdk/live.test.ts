/** Namespaces, templates, streams and devices by our own client, against a real server. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { collected, sdkClient } from '../support/running/sdk.ts';
import { newBucket } from '../support/target.ts';

const { live } = sdkClient();
const newName = () => `sdk-${randomBytes(5).toString('hex')}`;

test('a namespace with its templates and streams is made, read, changed and removed', async () => {
  const [name, bucket] = [newName(), await newBucket()];
  const template = await live.createTemplate({ name, bucket, templateType: 0, recordType: 2 });
  expect(await live.template(template.id)).toMatchObject({ name, bucket, recordType: 2 });
  expect(await live.changeTemplate(template.id, { deleteAfterDays: 7 })).toMatchObject({
    deleteAfterDays: 7,
  });
  const made = await live.createNamespace({ name, recordTemplateId: template.id, offlineDelay: 3 });
  expect(await live.namespace(made.id)).toEqual(made);
  const changed = await live.changeNamespace(made.id, { desc: 'ours', offlineDelay: null });
  expect(changed).toMatchObject({ desc: 'ours', offlineDelay: 5, recordTemplateId: template.id });
  expect(await collected(live.namespaces({ prefix: name }))).toHaveLength(1);

  const streams = live.streams(made.id);
  await streams.create({ streamId: 'one' });
  const { key, ...stream } = await streams.get('one');
  expect(stream).toMatchObject({ streamId: 'one', nsId: made.id, status: false });
  expect(await streams.changeKey('one')).not.toBe(key);
  expect(await streams.change('one', { desc: 'first' })).toMatchObject({ desc: 'first' });
  await streams.disable('one');
  expect((await streams.get('one')).disabled).toBe(true);
  await streams.enable('one');
  expect(await collected(streams.list({ state: 'offline' }))).toHaveLength(1);
  expect(await collected(streams.list({ state: 'online' }))).toEqual([]);
  expect(await streams.publishers('one')).toEqual([]);
  expect(await collected(streams.recordings('one'))).toEqual([]);
  expect(await collected(streams.snapshots('one'))).toEqual([]);
  await expect(streams.startRecording('one')).rejects.toMatchObject({ status: 612 });
  await expect(live.removeNamespace(made.id)).rejects.toMatchObject({ status: 403 });
  await streams.remove('one');
  await live.removeNamespace(made.id);
  await live.removeTemplate(template.id);
  await expect(live.namespace(made.id)).rejects.toMatchObject({ status: 612 });
});

test('a device is made, read, changed and removed', async () => {
  const { id } = await live.createNamespace({ name: newName(), accessType: 'gb28181' });
  const devices = live.devices(id);
  const { gbId } = await devices.create({ password: 'a-good-password', name: 'Gate' });
  expect(gbId).toMatch(/^\d{20}$/);
  expect(await devices.get(gbId)).toMatchObject({ name: 'Gate', state: 'notReg', channels: 0 });
  expect(await devices.change(gbId, { desc: 'north' })).toMatchObject({ desc: 'north' });
  expect(await collected(devices.list({ state: 'notReg', type: 'camera' }))).toHaveLength(1);
  expect(await devices.channelCounts(gbId)).toEqual({ onlineCount: 0, offlineCount: 0, total: 0 });
  expect(await collected(devices.channels(gbId))).toEqual([]);
  await expect(devices.fetchCatalog(gbId)).rejects.toMatchObject({ status: 403 });
  await devices.remove(gbId);
  await expect(devices.get(gbId)).rejects.toMatchObject({ status: 612 });
});
