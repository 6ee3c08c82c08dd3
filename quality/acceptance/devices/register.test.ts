/** Devices that come and go, as their customer is told. */
import { expect, test } from 'vitest';
import { expectOk, liveCall, newGbid, PASSWORD, SOON, useDeviceDeployment } from '../support/live/devices.ts';

const place = useDeviceDeployment();

test.each(['udp', 'tcp'] as const)(
  'a device that registers over %s is told online at once, one that unregisters offline [live-01 live-02 live-device-01 live-device-02 live-rule-07]',
  async (transport) => {
    const events = await place.namespace();
    const gbid = await place.device(events.id);
    const camera = await place.camera(gbid, { transport });
    expect((await camera.register()).status).toBe(200);
    await expect.poll(() => events.states(gbid), SOON).toEqual(['online']);
    expect((await camera.keepalive()).status).toBe(200);
    expect((await camera.register({ expires: 0 })).status).toBe(200);
    await expect.poll(() => events.states(gbid), SOON).toEqual(['online', 'offline']);
    expect((await camera.keepalive()).status).toBe(403);
    for (const { method, headers } of events.requests) {
      expect(method).toBe('POST');
      expect(headers['content-type']).toBe('application/json');
    }
  },
);

test('an event has exactly the fields of the interface, with its types [live-03 live-04 live-05 live-06 live-device-03 live-device-04 live-device-05 live-rule-02 live-rule-03]', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  const channel = newGbid('131');
  const camera = await place.camera(gbid, { channels: [{ gbid: channel }] });
  const begun = Math.floor(Date.now() / 1000);
  await camera.register();
  await expect.poll(() => events.events().length, SOON).toBe(2);
  const common = { type: 'device', nsId: events.id, gbid, deviceState: 'online' };
  // The device and its channel are two entities: there is no order between them.
  expect(events.events().toSorted((one, other) => one.chGbid.localeCompare(other.chGbid))).toEqual([
    { ...common, chGbid: '', timeSec: expect.any(Number), reqId: expect.any(String) },
    { ...common, chGbid: channel, timeSec: expect.any(Number), reqId: expect.any(String) },
  ]);
  for (const [at, { timeSec, reqId }] of events.events().entries()) {
    expect(Number.isInteger(timeSec) && String(timeSec)).toHaveLength(10);
    // By the database's clock, which is this machine's.
    expect(timeSec).toBeGreaterThanOrEqual(begun - 1);
    expect(timeSec).toBeLessThanOrEqual(Date.now() / 1000 + 1);
    expect(events.requests[at]?.headers['webhook-id']).toBe(reqId);
  }
  expect(new Set(events.events().map(({ reqId }) => reqId)).size).toBe(2);
});

test('without a configured URL nothing is sent, and the state is kept all the same [live-07]', async () => {
  const events = await place.namespace({ callback: '' });
  const gbid = await place.device(events.id);
  const camera = await place.camera(gbid);
  await camera.register();
  const answer = await place.call('GET', `/namespaces/${events.id}/devices/${gbid}`);
  expect(await answer.json()).toMatchObject({ state: 'online' });
  const records = await place.deployment.run('deliveries', 'list', '--json');
  expect(records).not.toContain(gbid);
});

test('a refresh keeps a device online without telling it again [live-rule-11]', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  const camera = await place.camera(gbid);
  for (let n = 0; n < 3; n++) expect((await camera.register()).headers.expires).toBe('3600');
  await camera.register({ expires: 0 });
  await expect.poll(() => events.states(gbid), SOON).toEqual(['online', 'offline']);
});

test('old cameras answer the challenge without qop', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  const camera = await place.camera(gbid, { plainDigest: true });
  expect((await camera.register()).status).toBe(200);
});

test('a wrong password, another user name and an unknown device are refused alike', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id, { username: 'front-gate' });
  const tries = [
    await place.camera(gbid, { username: 'front-gate', password: 'wrong-secret' }),
    await place.camera(gbid),
    await place.camera(newGbid()),
  ];
  for (const camera of tries) {
    const answer = await camera.register();
    expect(answer.status).toBe(403);
    expect(Object.keys(answer.headers)).not.toContain('www-authenticate');
  }
  const right = await place.camera(gbid, { username: 'front-gate' });
  expect((await right.register()).status).toBe(200);
  await expect.poll(() => events.states(gbid), SOON).toEqual(['online']);
});

test('credentials that were seen on the way are good for nobody else, and not twice', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  const camera = await place.camera(gbid, { plainDigest: true });
  const challenge = (await camera.registerOnce(60)).headers['www-authenticate'] ?? '';
  const authorization = camera.authorization(challenge);
  expect((await camera.registerOnce(60, authorization)).status).toBe(200);
  const again = await camera.registerOnce(60, authorization);
  expect(again.status).toBe(401);
  expect(again.headers['www-authenticate']).toContain('stale=true');
  const invented = authorization.replace(/nonce="[^"]*"/, 'nonce="0.0.00000000000000000000000000000000"');
  expect((await camera.registerOnce(60, invented)).status).toBe(401);
});

test('a message counts only from where the device registered, whoever it says it is', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  const camera = await place.camera(gbid);
  await camera.register();
  const stranger = await place.camera(gbid);
  expect((await stranger.keepalive()).status).toBe(403);
  const overTcp = await place.camera(gbid, { transport: 'tcp' });
  expect((await overTcp.keepalive()).status).toBe(403);
  expect((await camera.keepalive()).status).toBe(200);
});

test('a message over TCP counts only by the connection that registered: another of the same address has to register first', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  const [real, made] = [newGbid('131'), newGbid('131')];
  const camera = await place.camera(gbid, { transport: 'tcp', channels: [{ gbid: real }] });
  await camera.register();
  await expect.poll(() => events.states(gbid, real), SOON).toEqual(['online']);
  const stranger = await place.camera(gbid, { transport: 'tcp', channels: [{ gbid: made }] });
  expect((await stranger.keepalive()).status).toBe(403);
  expect((await stranger.catalog('1')).map(({ status }) => status)).toEqual([403]);
  const path = `/namespaces/${events.id}/devices/${gbid}`;
  expect((await place.call('POST', `${path}/catalog/fetch`)).status).toBe(200);
  await expect.poll(() => camera.queries.length, SOON).toBe(2);
  expect(stranger.queries).toEqual([]);
  const { items } = (await (await place.call('GET', `${path}/channels`)).json()) as { items: object[] };
  expect(items).toMatchObject([{ gbId: real }]);
  expect((await camera.keepalive()).status).toBe(200);
  // One that proves who it is takes its place.
  expect((await stranger.register()).status).toBe(200);
  expect([(await stranger.keepalive()).status, (await camera.keepalive()).status]).toEqual([200, 403]);
});

test('devices of a disabled account are sent away and may not register, until it is enabled', async () => {
  const owner = await place.deployment.createAccount();
  const call = (path: string, body: object) =>
    liveCall(place.server.url, owner, 'POST', `/namespaces${path}`, body).then(expectOk);
  const { id } = (await call('', { name: 'theirs', accessType: 'gb28181' })) as { id: string };
  const gbid = newGbid();
  await call(`/${id}/devices`, { gbId: gbid, password: PASSWORD });
  const camera = await place.camera(gbid);
  const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;
  // How often a password may be tried is bounded.
  const slowly = { ...SOON, interval: 1000 };
  expect(await statusOf(camera.register())).toBe(200);
  await place.deployment.run('account', 'disable', owner.email);
  await expect.poll(() => statusOf(camera.keepalive()), slowly).toBe(403);
  await expect.poll(() => statusOf(camera.register()), slowly).toBe(403);
  // It may have been let in once more by what was known for some seconds.
  await expect.poll(() => statusOf(camera.keepalive()), slowly).toBe(403);
  await place.deployment.run('account', 'enable', owner.email);
  await expect.poll(() => statusOf(camera.register()), slowly).toBe(200);
  await expect.poll(() => statusOf(camera.keepalive()), slowly).toBe(200);
});

test('a request that is sent again is answered as before, and has no second effect', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  const camera = await place.camera(gbid, { plainDigest: true });
  const challenge = (await camera.registerOnce(60)).headers['www-authenticate'] ?? '';
  const { sip } = place;
  const request = Buffer.from(
    [
      `REGISTER sip:${sip.serverId}@${sip.realm} SIP/2.0`,
      'Via: SIP/2.0/UDP 127.0.0.1:5060;rport;branch=z9hG4bKagain',
      `From: <sip:${gbid}@${sip.realm}>;tag=1`,
      `To: <sip:${gbid}@${sip.realm}>`,
      'Call-ID: again',
      'CSeq: 7 REGISTER',
      'Expires: 60',
      `Authorization: ${camera.authorization(challenge)}`,
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n'),
  );
  const answers: Buffer[] = [];
  await expect
    .poll(async () => {
      const came = await camera.raw(request, 300);
      answers.push(...came.filter((bytes) => bytes.includes('Call-ID: again')));
      return answers.length;
    }, SOON)
    .toBeGreaterThanOrEqual(3);
  expect(new Set(answers.map(String)).size).toBe(1);
  expect(String(answers[0])).toMatch(/^SIP\/2\.0 200 OK\r\n/);
  await camera.register({ expires: 0 });
  await expect.poll(() => events.states(gbid), SOON).toEqual(['online', 'offline']);
});

test('a challenge that is asked for again is the same, a new request gets a new one', async () => {
  const camera = await place.camera(newGbid());
  const { sip } = place;
  const ask = (branch: string) =>
    camera.raw(
      Buffer.from(
        [
          `REGISTER sip:${sip.serverId}@${sip.realm} SIP/2.0`,
          `Via: SIP/2.0/UDP 127.0.0.1:5060;rport;branch=${branch}`,
          `From: <sip:${camera.gbid}@${sip.realm}>;tag=1`,
          `To: <sip:${camera.gbid}@${sip.realm}>`,
          'Call-ID: challenge',
          'CSeq: 1 REGISTER',
          'Content-Length: 0',
          '',
          '',
        ].join('\r\n'),
      ),
      300,
    );
  const answers: string[] = [];
  await expect
    .poll(async () => answers.push(...(await ask('z9hG4bKone')).map(String)), SOON)
    .toBeGreaterThanOrEqual(2);
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toMatch(/^SIP\/2\.0 401 /);
  await expect
    .poll(async () => answers.push(...(await ask('z9hG4bKtwo')).map(String)), SOON)
    .toBeGreaterThanOrEqual(3);
  expect(new Set(answers.map((text) => /nonce="([^"]+)"/.exec(text)?.[1])).size).toBe(2);
});

test('a registration that is too short is refused with the least, one that is too long is cut', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  const camera = await place.camera(gbid);
  expect((await camera.register({ expires: 1_000_000 })).headers.expires).toBe('86400');
});

test('what is no SIP is left unanswered, and hurts nobody', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  for (const transport of ['udp', 'tcp'] as const) {
    const hostile = await place.camera(newGbid(), { transport });
    const bytes = Buffer.from(`GET / HTTP/1.1\r\nHost: x\r\n\r\n${'\0'.repeat(1000)}`);
    expect(await hostile.raw(bytes, 200)).toEqual([]);
  }
  const camera = await place.camera(gbid);
  expect((await camera.register()).status).toBe(200);
});
