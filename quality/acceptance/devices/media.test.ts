/** Video of cameras: from INVITE by RTP and the engine to a video that can be decoded. */
import dgram from 'node:dgram';
import { once } from 'node:events';
import {
  createRtmpEngine,
  freePort,
  freePorts,
  openCamera,
  publishRtmp,
  type RtmpEngine,
  rtpPacket,
  type SipServer,
} from '@millpond/testing';
import { afterAll, beforeAll, test } from 'vitest';
import { expectOk, newGbid, PASSWORD, SOON, useDeviceDeployment } from '../support/live/devices.ts';
import { type VideoCamera, videoCamera } from '../support/live/video-cameras.ts';

const MEDIA_PORTS = 40;
let engine: RtmpEngine | undefined;
let overTcp: SipServer | undefined;
const place = useDeviceDeployment(async () => {
  engine = await createRtmpEngine({ updateInterval: '1s' });
  await engine.start();
  return {
    ...engine.settings,
    ...(await mediaPorts()),
    MILLPOND_SIP_MEDIA_SILENCE: '4s',
    MILLPOND_LIVE_LEASE: '2s',
    MILLPOND_LIVE_RECONCILE_EVERY: '1s',
  };
});
beforeAll(async () => {
  overTcp = { ...place.sip, port: await freePort() };
  await place.deployment.start({
    settings: {
      ...(await mediaPorts()),
      MILLPOND_LISTEN: `http://127.0.0.1:${await freePort()}`,
      MILLPOND_SIP_LISTEN: `sip://127.0.0.1:${overTcp.port}`,
      MILLPOND_SIP_MEDIA_TRANSPORT: 'tcp',
      MILLPOND_SIP_MEDIA_TRANSCODE: 'true',
    },
  });
});
const opened = new Set<VideoCamera>();
afterAll(async () => {
  await Promise.all([...opened].map((camera) => camera.close()));
  await engine?.destroy();
});

async function mediaPorts(): Promise<Record<string, string>> {
  const first = await freePorts(MEDIA_PORTS);
  return { MILLPOND_SIP_MEDIA_PORTS: `${first}-${first + MEDIA_PORTS - 1}` };
}

const video: typeof videoCamera = async (...given) => {
  const camera = await videoCamera(...given);
  opened.add(camera);
  return camera;
};

test.concurrent('a camera that is wanted sends its video, which plays; stopped, it is told so', async ({
  expect,
}) => {
  const events = await place.namespace({ offlineDelay: 0 });
  const { gbid, media, start, stop, shown, states, played } = await video(place, events, { answers: 3 });
  await start();
  await expect.poll(states, SOON).toEqual([1]);
  const call = media.calls.at(-1);
  const ssrc = String(call?.ssrc).padStart(10, '0');
  expect(call?.target).toBe(gbid);
  expect(call?.sdp.split('\r\n')).toEqual(
    expect.arrayContaining(['s=Play', 'a=recvonly', 'a=rtpmap:96 PS/90000', `y=${ssrc}`]),
  );
  expect(call?.headers.subject).toBe(`${gbid}:${ssrc},34020000002000000001:0`);
  // A repeated answer is acknowledged again.
  await expect.poll(() => call?.acknowledgements, SOON).toBe(3);
  await expect.poll(shown, SOON).toEqual({ wanted: 1, running: 1, reason: '' });
  await expect.poll(played, SOON).toContain('h264,160');
  await stop();
  await expect.poll(() => call?.isOver, SOON).toBe(true);
  await expect.poll(states, SOON).toEqual([1, 0]);
  expect(await shown()).toEqual({ wanted: 0, running: 0, reason: '' });
});

test.concurrent('packets that are lost, doubled and out of order still play; garbage and what comes from elsewhere does not get in', async ({
  expect,
}) => {
  const events = await place.namespace({ offlineDelay: 0 });
  let held = new Uint8Array() as Buffer;
  let strange = 0;
  const { media, start, states, played } = await video(place, events, {
    pass(packet, number, send) {
      if (number % 50 === 49) return;
      // Each sixth after the one that follows it.
      if (number % 6 === 0) {
        held = packet;
        return;
      }
      send(packet);
      if (number % 6 === 1) send(held);
      if (number % 7 === 0) send(packet);
    },
  });
  await start();
  await expect.poll(() => media.calls.at(-1)?.acknowledgements, SOON).toBe(1);
  const { port = 0, ssrc = 0 } = media.calls.at(-1) ?? {};
  const foreign = dgram.createSocket('udp4').bind(0, '127.0.0.2');
  await once(foreign, 'listening');
  const other = dgram.createSocket('udp4').bind(0, '127.0.0.1');
  await once(other, 'listening');
  const figure = async (name: string) => {
    const metrics = await (await fetch(`${place.server.adminUrl}/metrics`)).text();
    return Number(new RegExp(`^millpond_sip_media_${name} (\\d+)`, 'm').exec(metrics)?.[1]);
  };
  const noise = setInterval(() => {
    strange += 1;
    foreign.send(rtpPacket(strange, ssrc, Buffer.alloc(900, 0xff)), port, '127.0.0.1');
    other.send(rtpPacket(strange, ssrc + 1, Buffer.alloc(900, 0xff)), port, '127.0.0.1');
    other.send(Buffer.alloc(strange % 40, 0x80 + (strange % 64)), port, '127.0.0.1');
  }, 20);
  try {
    await expect.poll(states, SOON).toEqual([1]);
    await expect.poll(played, SOON).toContain('h264,160');
    await expect.poll(() => figure('foreign_total'), SOON).toBeGreaterThan(50);
    await expect.poll(() => figure('lost_total'), SOON).toBeGreaterThan(0);
    await expect.poll(() => figure('running'), SOON).toBeGreaterThan(0);
  } finally {
    clearInterval(noise);
    foreign.close();
    other.close();
  }
});

test.concurrent('a camera that hangs up is asked again, but not for a stream that is disabled', async ({
  expect,
}) => {
  const events = await place.namespace({ offlineDelay: 60 });
  const { gbid, media, start, shown, states } = await video(place, events);
  await start();
  await expect.poll(states, SOON).toEqual([1]);
  const { length } = media.calls;
  expect(await media.calls.at(-1)?.hangUp()).toBe('200');
  await expect.poll(() => media.calls.length, SOON).toBeGreaterThan(length);
  await expect.poll(shown, SOON).toEqual({ wanted: 1, running: 1, reason: '' });
  expect(states()).toEqual([1]);
  await expectOk(await place.call('POST', `/namespaces/${events.id}/streams/${gbid}/disabled`, {}));
  await expect.poll(() => media.calls.at(-1)?.isOver, SOON).toBe(true);
  const disabled = 'the namespace or the stream is disabled';
  await expect.poll(shown, SOON).toEqual({ wanted: 1, running: 0, reason: disabled });
});

test.concurrent('a camera that falls silent is asked again', async ({ expect }) => {
  const events = await place.namespace();
  const { media, start, shown } = await video(place, events);
  await start();
  await expect.poll(shown, SOON).toMatchObject({ running: 1 });
  const silent = media.calls.at(-1);
  silent?.stopSending();
  await expect.poll(shown, SOON).toEqual({ wanted: 1, running: 0, reason: 'the device sends nothing' });
  await expect.poll(() => silent?.isOver, SOON).toBe(true);
  await expect.poll(() => media.calls.at(-1) !== silent, SOON).toBe(true);
});

test.concurrent('a device that refuses is quoted, and one that sends H.265 is told why not', async ({
  expect,
}) => {
  const events = await place.namespace();
  const busy = await video(place, events, { refusal: '486 Busy Here' });
  const modern = await video(place, events, { codec: 'libx265' });
  await busy.start();
  await modern.start();
  const quoted = { wanted: 1, running: 0, reason: 'the device answers 486 Busy Here' };
  await expect.poll(busy.shown, SOON).toEqual(quoted);
  expect(busy.media.calls).toEqual([]);
  await expect.poll(async () => (await modern.shown()).reason, SOON).toContain('H.265');
  await expect.poll(() => modern.media.calls.at(-1)?.isOver, SOON).toBe(true);
});

test.concurrent('a platform has a stream for each channel, which nobody else may publish', async ({
  expect,
}) => {
  const events = await place.namespace({ offlineDelay: 0 });
  const platform = await place.device(events.id, { type: 2, gbId: newGbid('200') });
  const [one, two] = [newGbid('131'), newGbid('131')];
  const path = `/namespaces/${events.id}/devices/${platform}`;
  expect((await place.call('POST', `${path}/start`, { channels: [one] })).status).toBe(612);
  expect((await place.call('POST', `${path}/start`, { channels: ['1'] })).status).toBe(400);
  const channels = [{ gbid: one }, { gbid: two }];
  const camera = await openCamera(place.sip, { gbid: platform, password: PASSWORD, channels });
  await camera.register();
  const channel = async (gbid: string) =>
    ((await (await place.call('GET', `${path}/channels/${gbid}`)).json()) as { media?: object }).media;
  await expect
    .poll(() => channel(two), SOON)
    .toMatchObject({ wanted: false, streamId: `${platform}_${two}` });
  await expectOk(await place.call('POST', `${path}/start`, { channels: [one] }));
  expect(await channel(one)).toMatchObject({ wanted: true });
  await expectOk(await place.call('POST', `${path}/start`));
  expect(await channel(two)).toMatchObject({ wanted: true });
  const stream = `/namespaces/${events.id}/streams/${platform}_${two}`;
  const { publishUrl } = (await expectOk(await place.call('POST', `${stream}/urls`, {}))) as {
    publishUrl: string;
  };
  expect((await publishRtmp(publishUrl)).accepted).toBe(false);
  await expectOk(await place.call('POST', `${path}/stop`));
  await expect
    .poll(() => channel(one), SOON)
    .toEqual({ wanted: false, state: '', reason: '', streamId: `${platform}_${one}` });
  await camera.close();
});

test.concurrent('over TCP the device connects, and H.265 is encoded where that is set', async ({
  expect,
}) => {
  const events = await place.namespace();
  const { media, start, played } = await video(place, events, {
    codec: 'libx265',
    transport: 'tcp',
    sip: overTcp ?? place.sip,
  });
  await start();
  await expect.poll(played, SOON).toContain('h264,160');
  expect(media.calls.at(-1)?.sdp).toContain('TCP/RTP/AVP 96');
  expect(media.calls.at(-1)?.sdp).toContain('a=setup:passive');
});

test.concurrent('a device that is deleted ends its stream, and its namespace can be deleted [live-device-06]', async ({
  expect,
}) => {
  const events = await place.namespace({ offlineDelay: 0 });
  const { gbid, media, start, states } = await video(place, events);
  await start();
  await expect.poll(states, SOON).toEqual([1]);
  const idle = await place.device(events.id);
  await expectOk(
    await place.call('POST', `/namespaces/${events.id}/devices/${idle}/start`, { channels: [] }),
  );
  const streams = async () => {
    const page = await expectOk(await place.call('GET', `/namespaces/${events.id}/streams`));
    return (page as { items: { streamId: string }[] }).items.map(({ streamId }) => streamId).toSorted();
  };
  expect(await streams()).toEqual([gbid, idle].toSorted());
  await expectOk(await place.call('DELETE', `/namespaces/${events.id}/devices/${idle}`));
  expect(await streams()).toEqual([gbid]);
  await expectOk(await place.call('DELETE', `/namespaces/${events.id}/devices/${gbid}`));
  await expect.poll(() => media.calls.at(-1)?.isOver, SOON).toBe(true);
  await expect.poll(states, SOON).toEqual([1, 0]);
  await expectOk(await place.call('DELETE', `/namespaces/${events.id}`));
  expect((await place.call('GET', `/namespaces/${events.id}`)).status).toBe(612);
});

test.concurrent('a namespace can be deleted right after the device whose stream is online [live-device-06]', async ({
  expect,
}) => {
  const events = await place.namespace();
  const { gbid, media, start, states } = await video(place, events);
  await start();
  await expect.poll(states, SOON).toEqual([1]);
  await expectOk(await place.call('DELETE', `/namespaces/${events.id}/devices/${gbid}`));
  await expectOk(await place.call('DELETE', `/namespaces/${events.id}`));
  await expect.poll(() => media.calls.at(-1)?.isOver, SOON).toBe(true);
});

test('the server is killed and comes back: the call of before is ended, and the media go on by themselves; one that ends says so', async ({
  expect,
}) => {
  const events = await place.namespace({ offlineDelay: 60 });
  const { media, start, shown, states } = await video(place, events);
  await start();
  await expect.poll(states, SOON).toEqual([1]);
  await expect.poll(shown, SOON).toMatchObject({ running: 1 });
  const before = media.calls.at(-1);
  await place.restart('SIGKILL');
  await expect
    .poll(() => media.calls.at(-1) !== before && media.calls.at(-1)?.acknowledgements, SOON)
    .toBe(1);
  await expect.poll(() => before?.isOver, SOON).toBe(true);
  await expect.poll(shown, SOON).toEqual({ wanted: 1, running: 1, reason: '' });
  expect(states()).toEqual([1]);
  await place.server.kill('SIGTERM');
  await expect.poll(() => media.calls.at(-1)?.isOver, SOON).toBe(true);
});
