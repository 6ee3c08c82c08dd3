/** Devices that vanish, and servers that do. */
import type { Camera, ServerProcess } from '@millpond/testing';
import { expect, test } from 'vitest';
import { newGbid, SOON, useDeviceDeployment } from '../support/live/devices.ts';

/** Three of them are what a busy machine may take between two heartbeats of a camera. */
const HEARTBEAT_S = 2;
const place = useDeviceDeployment({ MILLPOND_SIP_HEARTBEAT: `${HEARTBEAT_S}s` });

const timesOf = (events: Awaited<ReturnType<typeof place.namespace>>, gbid: string) =>
  events
    .events()
    .filter((event) => event.gbid === gbid && event.chGbid === '')
    .map(({ timeSec }) => timeSec);

const lastedFor = (events: Awaited<ReturnType<typeof place.namespace>>, gbid: string) => {
  const [online = 0, offline = 0] = timesOf(events, gbid);
  return offline - online;
};

/** Heartbeats, until there is what is waited for; how they were answered. */
async function beatUntil(camera: Camera, isOver: (status: number) => boolean): Promise<Set<number>> {
  const answers = new Set<number>();
  const beat = async () => {
    const { status } = await camera.keepalive();
    answers.add(status);
    return isOver(status);
  };
  await expect.poll(beat, { ...SOON, interval: 200 }).toBe(true);
  return answers;
}

test('a device is offline after 3 missed heartbeats, or at the end of its registration where that is first, and its channels with it [live-rule-09 live-rule-06 live-rule-02]', async () => {
  const events = await place.namespace();
  const [silent, sending, ending] = [
    await place.device(events.id),
    await place.device(events.id),
    await place.device(events.id),
  ];
  const channel = newGbid('131');
  await (await place.camera(silent)).register({ expires: 3600 });
  await (await place.camera(sending, { channels: [{ gbid: channel }] })).register({ expires: 3600 });
  for (const gbid of [silent, sending])
    await expect.poll(() => events.states(gbid), SOON).toEqual(['online', 'offline']);
  await expect.poll(() => events.states(sending, channel), SOON).toEqual(['online', 'offline']);
  // Nobody is told offline in the first 3 heartbeats of a server; they have passed.
  await (await place.camera(ending)).register({ expires: 3 });
  await expect.poll(() => events.states(ending), SOON).toEqual(['online', 'offline']);
  // The time of the change is that of the rule, to the second, however late this machine tells it.
  const lasted = (gbid: string) => lastedFor(events, gbid);
  expect([3 * HEARTBEAT_S, 3 * HEARTBEAT_S + 1]).toContain(lasted(silent));
  expect([3, 4]).toContain(lasted(ending));
});

test('heartbeats keep a device online, and the end of its registration ends it all the same [live-rule-09]', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  const camera = await place.camera(gbid);
  const expires = 4 * HEARTBEAT_S;
  await camera.register({ expires });
  await beatUntil(camera, (status) => status !== 200);
  await expect.poll(() => events.states(gbid), SOON).toEqual(['online', 'offline']);
  expect([expires, expires + 1]).toContain(lastedFor(events, gbid));
});

test('registrations survive a restart: nobody is told anything, messages are taken, and who is silent has 3 heartbeats from then on [live-rule-10]', async () => {
  const events = await place.namespace();
  const [staying, silent] = [await place.device(events.id), await place.device(events.id)];
  const cameras = [await place.camera(staying), await place.camera(silent)];
  for (const camera of cameras) await camera.register({ expires: 3600 });
  await expect.poll(() => events.events().length, SOON).toBe(2);
  await place.server.kill('SIGKILL');
  // Longer than 3 heartbeats: whoever counted them would tell everybody to be gone.
  await place.passSeconds(4 * HEARTBEAT_S);
  const restarted = Math.floor(Date.now() / 1000);
  await place.restart('SIGKILL');
  const [first] = cameras;
  if (first === undefined) throw new Error('there is no camera');
  // Repeated until a server owns the port again, after the dead one's lease.
  const answers = await beatUntil(first, () => events.states(silent).length === 2);
  expect([...answers]).toEqual([200]);
  expect(events.states(silent)).toEqual(['online', 'offline']);
  expect(timesOf(events, silent)[1]).toBeGreaterThanOrEqual(restarted + 3 * HEARTBEAT_S);
  expect(events.states(staying)).toEqual(['online']);
});

test('a second process takes the port over when its owner dies, and never listens beside it [live-rule-12]', async () => {
  const events = await place.namespace();
  const gbid = await place.device(events.id);
  const camera = await place.camera(gbid);
  expect((await camera.register()).status).toBe(200);
  const listens = async ({ adminUrl }: ServerProcess) =>
    /^millpond_sip_listening 1$/m.test(await (await fetch(`${adminUrl}/metrics`)).text());
  /** The one that listens, and the other; waits until there is one. */
  const ownerOf = async (one: ServerProcess, two: ServerProcess) => {
    const state = async () => [await listens(one), await listens(two)].map(Number).join('');
    await expect.poll(state, SOON).toMatch(/^(?:01|10)$/);
    return (await listens(one)) ? ([one, two] as const) : ([two, one] as const);
  };
  const [owner, standby] = await ownerOf(place.server, await place.deployment.start());
  await owner.kill('SIGKILL');
  // Asked again and again until somebody listens.
  expect((await camera.register()).status).toBe(200);
  const [second, third] = await ownerOf(standby, await place.deployment.start());
  // One that is told to stop hands the port over.
  await second.kill('SIGTERM');
  expect((await camera.register()).status).toBe(200);
  await expect.poll(() => listens(third), SOON).toBe(true);
});
