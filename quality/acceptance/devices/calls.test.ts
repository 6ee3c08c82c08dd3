/** Calls on devices. */
import type { Account } from '@millpond/testing';
import { beforeAll, expect, test } from 'vitest';
import { expectOk, liveCall, newGbid, PASSWORD, SOON, useDeviceDeployment } from '../support/live/devices.ts';

const place = useDeviceDeployment();
let stranger: Account;
beforeAll(async () => {
  stranger = await place.deployment.createAccount();
});

const devicesOf = (nsId: string) => `/namespaces/${nsId}/devices`;

test('a device is made, read, changed, listed with its state and deleted [live-ns-04]', async () => {
  const events = await place.namespace();
  const gbid = newGbid();
  const made = await expectOk(
    await place.call('POST', devicesOf(events.id), {
      name: 'Gate',
      gbId: gbid,
      password: PASSWORD,
      desc: 'north',
    }),
  );
  expect(made).toEqual({
    nsId: events.id,
    nsName: expect.any(String),
    name: 'Gate',
    gbId: gbid,
    type: 1,
    username: gbid,
    pullIfRegister: false,
    desc: 'north',
    state: 'notReg',
    channels: 0,
    media: { wanted: 0, running: 0, reason: '' },
    vendor: '',
    createdAt: expect.any(Number),
    updatedAt: expect.any(Number),
    lastRegisterAt: 0,
    lastKeepaliveAt: 0,
  });
  const one = `${devicesOf(events.id)}/${gbid}`;
  const operations = [
    { op: 'replace', key: 'name', value: 'Yard' },
    { op: 'delete', key: 'desc' },
  ];
  const changed = await expectOk(await place.call('PATCH', one, { operations }));
  expect(changed).toMatchObject({ name: 'Yard', desc: '', username: gbid });
  const camera = await place.camera(gbid);
  await camera.register();
  expect(await expectOk(await place.call('GET', one))).toMatchObject({
    state: 'online',
    vendor: 'Test Camera 1.0',
    lastRegisterAt: expect.any(Number),
  });
  await camera.register({ expires: 0 });
  await expect
    .poll(async () => ((await (await place.call('GET', one)).json()) as { state: string }).state, SOON)
    .toBe('offline');
  await expectOk(await place.call('DELETE', one));
  expect((await place.call('GET', one)).status).toBe(612);
});

test('a list is filtered by state, kind and prefix, and paged [live-ns-04]', async () => {
  const events = await place.namespace();
  const cameras = [await place.device(events.id), await place.device(events.id)];
  const platform = await place.device(events.id, { type: 2, gbId: newGbid('200') });
  const camera = await place.camera(cameras[0] ?? '');
  await camera.register();
  const list = async (query: string) => {
    const page = await expectOk(await place.call('GET', `${devicesOf(events.id)}?${query}`));
    const { items, total } = page as { items: { gbId: string }[]; total: number };
    return [items.map(({ gbId }) => gbId), total];
  };
  expect(await list('sortBy=asc:createdAt')).toEqual([[...cameras, platform], 3]);
  expect(await list('state=online')).toEqual([[cameras[0]], 1]);
  expect(await list('state=notReg&qtype=1')).toEqual([[cameras[1]], 1]);
  expect(await list('state=offline')).toEqual([[], 0]);
  expect(await list('qtype=2')).toEqual([[platform], 1]);
  expect(await list(`prefix=${platform.slice(0, 13)}`)).toEqual([[platform], 1]);
  expect(await list('sortBy=asc&offset=1&line=1')).toEqual([[cameras[1]], 3]);
  for (const bad of ['state=on', 'qtype=3', 'line=0', 'offset=-1', 'sortBy=up'])
    expect((await place.call('GET', `${devicesOf(events.id)}?${bad}`)).status).toBe(400);
});

test('an id that is not given is made, a password is never told, and fields are checked', async () => {
  const events = await place.namespace();
  const made = await expectOk(await place.call('POST', devicesOf(events.id), { password: PASSWORD }));
  expect(made).toMatchObject({ gbId: expect.stringMatching(/^3402000000132\d{7}$/) });
  expect(JSON.stringify(made)).not.toContain(PASSWORD);
  const bad = [{}, { password: 'abc' }, { password: PASSWORD, gbId: '123' }, { password: PASSWORD, type: 3 }];
  for (const body of [...bad, { password: 'has blanks' }, { password: PASSWORD, username: 'a b c d' }])
    expect((await place.call('POST', devicesOf(events.id), body)).status).toBe(400);
});

test('what another account has is told to nobody: its devices may have the same id and user name, and prove themselves by their passwords [live-device-07]', async () => {
  const [mine, password] = [await place.namespace(), 'another-password'];
  const gbid = await place.device(mine.id);
  const { deployment, server } = place;
  const other = await deployment.createAccount();
  const call = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
    liveCall(server.url, other, method, path, body);
  const space = { name: 'theirs', accessType: 'gb28181', callback: 'http://127.0.0.1:9/' };
  const { id } = (await expectOk(await call('POST', '/namespaces', space))) as { id: string };
  await expectOk(await call('POST', devicesOf(id), { gbId: gbid, password }));
  const renamed = await place.device(mine.id, { username: 'taken' });
  await expectOk(await call('POST', devicesOf(id), { gbId: renamed, password }));
  const operations = [{ op: 'replace', key: 'username', value: 'taken' }];
  await expectOk(await call('PATCH', `${devicesOf(id)}/${renamed}`, { operations }));
  const stateOf = async (answer: Promise<Response>) =>
    ((await expectOk(await answer)) as { state: string }).state;
  const states = async () => [
    await stateOf(place.call('GET', `${devicesOf(mine.id)}/${gbid}`)),
    await stateOf(call('GET', `${devicesOf(id)}/${gbid}`)),
  ];
  const wrong = await place.camera(gbid, { password: 'of nobody' });
  expect((await wrong.register()).status).toBe(403);
  expect(await states()).toEqual(['notReg', 'notReg']);
  expect((await (await place.camera(gbid, { password })).register()).status).toBe(200);
  await expect.poll(states, SOON).toEqual(['notReg', 'online']);
  expect((await (await place.camera(gbid)).register()).status).toBe(200);
  await expect.poll(states, SOON).toEqual(['online', 'online']);
});

test('one id and user name belong to one device of an account; one id with two names may belong to two', async () => {
  const [one, two] = [await place.namespace(), await place.namespace()];
  const gbid = await place.device(one.id);
  const again = { gbId: gbid, password: PASSWORD };
  expect((await place.call('POST', devicesOf(one.id), { ...again, username: 'other' })).status).toBe(614);
  expect((await place.call('POST', devicesOf(two.id), again)).status).toBe(614);
  await place.device(two.id, { gbId: gbid, username: 'other' });
  const [first, second] = [await place.camera(gbid), await place.camera(gbid, { username: 'other' })];
  expect((await first.register()).status).toBe(200);
  expect((await second.register()).status).toBe(200);
  await expect.poll(() => [one.states(gbid), two.states(gbid)], SOON).toEqual([['online'], ['online']]);
  await second.register({ expires: 0 });
  await expect.poll(() => two.states(gbid), SOON).toEqual(['online', 'offline']);
  expect(one.states(gbid)).toEqual(['online']);
  expect((await first.keepalive()).status).toBe(200);
});

test('a changed password holds from the next registration on', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  const camera = await place.camera(gbid);
  await camera.register();
  const operations = [{ op: 'replace', key: 'password', value: 'another-secret' }];
  await expectOk(await place.call('PATCH', `${devicesOf(events.id)}/${gbid}`, { operations }));
  expect((await camera.keepalive()).status).toBe(200);
  expect((await camera.register()).status).toBe(403);
  expect((await camera.register({ password: 'another-secret' })).status).toBe(200);
});

test('a deleted device, and one of a disabled namespace, is told offline and heard no more', async () => {
  const events = await place.namespace();
  const [deleted, disabled] = [await place.device(events.id), await place.device(events.id)];
  const cameras = [await place.camera(deleted), await place.camera(disabled)] as const;
  for (const camera of cameras) await camera.register();
  await expect.poll(() => events.events().length, SOON).toBe(2);
  await expectOk(await place.call('DELETE', `${devicesOf(events.id)}/${deleted}`));
  await expect.poll(() => events.states(deleted), SOON).toEqual(['online', 'offline']);
  await expect.poll(async () => (await cameras[0].keepalive()).status, SOON).toBe(403);
  await expectOk(await place.call('POST', `/namespaces/${events.id}/disabled`));
  await expect.poll(() => events.states(disabled), SOON).toEqual(['online', 'offline']);
  expect((await cameras[1].register()).status).toBe(403);
  await expectOk(await place.call('POST', `/namespaces/${events.id}/enabled`));
  expect((await cameras[1].register()).status).toBe(200);
  expect((await place.call('DELETE', `/namespaces/${events.id}`)).status).toBe(403);
});

test('another account’s namespace and devices are as if they were not there', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  const of = async (account: Account, nsId: string, id: string) => {
    const calls = [
      ['GET', devicesOf(nsId)],
      ['POST', devicesOf(nsId)],
      ['GET', `${devicesOf(nsId)}/${id}`],
      ['DELETE', `${devicesOf(nsId)}/${id}`],
      ['GET', `${devicesOf(nsId)}/${id}/channels`],
      ['POST', `${devicesOf(nsId)}/${id}/catalog/fetch`],
    ] as const;
    const answers = calls.map(async ([method, path]) => {
      const body = method === 'POST' ? { password: PASSWORD } : undefined;
      const answer = await liveCall(place.server.url, account, method, path, body);
      return `${answer.status} ${await answer.text()}`;
    });
    return Promise.all(answers);
  };
  expect(await of(stranger, events.id, gbid)).toEqual(await of(stranger, 'aaaaaaaaaaaa', newGbid()));
  expect((await place.call('GET', `${devicesOf(events.id)}/${gbid}`)).status).toBe(200);
});

test('devices need a namespace of their kind, and their video a setting', async () => {
  const rtmp = (await expectOk(await place.call('POST', '/namespaces', { name: 'streams-only' }))) as {
    id: string;
  };
  expect((await place.call('POST', devicesOf(rtmp.id), { password: PASSWORD })).status).toBe(400);
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  for (const word of ['start', 'stop']) {
    const answer = await place.call('POST', `${devicesOf(events.id)}/${gbid}/${word}`, { channels: [] });
    expect(answer.status).toBe(501);
    expect(await answer.json()).toEqual({
      error: 'no media engine takes the streams of devices',
      hint: expect.stringContaining('MILLPOND_SIP_MEDIA_PORTS'),
    });
  }
  expect((await place.call('POST', `${devicesOf(events.id)}/${gbid}/catalog/fetch`)).status).toBe(403);
});
