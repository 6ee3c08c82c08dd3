/** Many cameras of sipp, and a customer who is away while half of them vanish. */
import { type Sipp, type SippCamera, startSipp } from '@millpond/testing';
import { afterEach, expect, test } from 'vitest';
import { expectOk, newGbid, PASSWORD, useDeviceDeployment } from '../support/live/devices.ts';
import { json, type Received, reset, useReceiver } from '../support/receivers/receiver.ts';

const HEARTBEAT_MS = 2000;
const CAMERAS = 20;
const place = useDeviceDeployment({
  MILLPOND_SIP_HEARTBEAT: `${HEARTBEAT_MS}ms`,
  MILLPOND_TIME_FACTOR: '10',
});
const receiver = useReceiver();
const running: Sipp[] = [];
afterEach(async () => {
  for (const sipp of running.splice(0)) await sipp.vanish();
});

const LATE = { timeout: 300_000, interval: 100 };

test('cameras of sipp come, list their channels and half of them vanish while the customer is away: every event arrives, and the last one told about each is the truth [G43 live-rule-06 live-rule-09 live-rule-11 live-device-01 live-device-02]', async () => {
  let isAway = false;
  const taken: Received[] = [];
  const endpoint = receiver.at((response, request) => {
    if (isAway) return reset(response, request);
    taken.push(request);
    return json({})(response, request);
  });
  const events = await place.namespace({ callback: endpoint.url });
  const cameras: SippCamera[] = Array.from({ length: 2 * CAMERAS }, () => ({
    gbid: newGbid(),
    password: PASSWORD,
    channels: [newGbid('131'), newGbid('131')],
  }));
  for (const { gbid } of cameras)
    await expectOk(
      await place.call('POST', `/namespaces/${events.id}/devices`, { gbId: gbid, password: PASSWORD }),
    );
  const [vanishing, staying] = [cameras.slice(0, CAMERAS), cameras.slice(CAMERAS)];
  await place.camera(newGbid());
  const start = async (some: readonly SippCamera[]) => {
    const sipp = await startSipp({
      server: place.sip,
      cameras: some,
      rate: 40,
      heartbeatMs: HEARTBEAT_MS / 4,
    });
    running.push(sipp);
    return sipp;
  };
  const half = await start(vanishing);
  await start(staying);
  const states = () => {
    const histories = new Map<string, string[]>();
    // One that came twice is one.
    for (const { text } of new Map(taken.map((each) => [each.headers['webhook-id'], each])).values()) {
      const { gbid, chGbid, deviceState } = JSON.parse(text) as Record<string, string>;
      const key = `${gbid}/${chGbid}`;
      histories.set(key, [...(histories.get(key) ?? []), deviceState ?? '']);
    }
    return histories;
  };
  const expected = (some: readonly SippCamera[], history: readonly string[]) =>
    some.flatMap(({ gbid, channels: [on] }) =>
      [`${gbid}/`, `${gbid}/${on}`].map((key) => [key, history] as const),
    );
  const sorted = (entries: Iterable<readonly [string, readonly string[]]>) =>
    [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1));
  await expect.poll(() => sorted(states()), LATE).toEqual(sorted(expected(cameras, ['online'])));
  isAway = true;
  await half.vanish();
  // Away until well after the last one has been missed.
  await expect
    .poll(async () => {
      const list = await place.call('GET', `/namespaces/${events.id}/devices?state=offline`);
      return ((await list.json()) as { total: number }).total;
    }, LATE)
    .toBe(CAMERAS);
  isAway = false;
  await expect
    .poll(() => sorted(states()), LATE)
    .toEqual(sorted([...expected(vanishing, ['online', 'offline']), ...expected(staying, ['online'])]));
});
