/** Cameras with video, also for tests that run at the same time: made, started, stopped; what is told and played of them. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  type Camera,
  type CameraMedia,
  type CameraMediaOptions,
  openCamera,
  type SipServer,
  serveMedia,
} from '@millpond/testing';
import { type DeviceDeployment, expectOk, PASSWORD, type ReceivedEvents } from './devices.ts';

const run = promisify(execFile);

export interface MediaShown {
  readonly wanted: number;
  readonly running: number;
  readonly reason: string;
}

export interface VideoCamera {
  readonly gbid: string;
  readonly camera: Camera;
  readonly media: CameraMedia;
  readonly start: (channels?: readonly string[]) => Promise<unknown>;
  readonly stop: (channels?: readonly string[]) => Promise<unknown>;
  readonly shown: () => Promise<MediaShown>;
  /** States of its stream that the receiver was sent: 1 online, 0 offline. */
  readonly states: () => number[];
  /** What players get of it, as ffprobe decodes it; empty while there is nothing. */
  readonly played: () => Promise<string>;
  close(): Promise<void>;
}

export async function videoCamera(
  deployment: DeviceDeployment,
  events: ReceivedEvents,
  options: CameraMediaOptions & { sip?: SipServer; transport?: 'udp' | 'tcp' } = {},
): Promise<VideoCamera> {
  const gbid = await deployment.device(events.id);
  const { sip = deployment.sip, transport = 'udp' } = options;
  const camera = await openCamera(sip, { gbid, password: PASSWORD, transport });
  const media = serveMedia(camera, options);
  await camera.register();
  const path = `/namespaces/${events.id}/devices/${gbid}`;
  const ask =
    (word: string) =>
    async (channels: readonly string[] = []) =>
      expectOk(await deployment.call('POST', `${path}/${word}`, { channels }));
  return {
    gbid,
    camera,
    media,
    start: ask('start'),
    stop: ask('stop'),
    shown: async () => ((await expectOk(await deployment.call('GET', path))) as { media: MediaShown }).media,
    states: () => streamStates(events, gbid),
    played: () => played(deployment, events, gbid).catch(() => ''),
    close() {
      media.close();
      return camera.close();
    },
  };
}

function streamStates(told: ReceivedEvents, streamId: string): number[] {
  const events = told.events() as object[] as { type: string; streamId: string; streamState: number }[];
  return events
    .filter((event) => event.type === 'stream' && event.streamId === streamId)
    .map(({ streamState }) => streamState);
}

async function played(
  deployment: DeviceDeployment,
  events: ReceivedEvents,
  streamId: string,
): Promise<string> {
  const path = `/namespaces/${events.id}/streams/${streamId}/urls`;
  const { playUrls } = (await expectOk(await deployment.call('POST', path, {}))) as {
    playUrls: { hls: string };
  };
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-select_streams',
    'v',
    '-show_entries',
    'stream=codec_name,width:frame=pict_type',
    '-of',
    'csv=p=0',
    '-read_intervals',
    '%+#5',
    playUrls.hls,
  ]);
  return stdout;
}
