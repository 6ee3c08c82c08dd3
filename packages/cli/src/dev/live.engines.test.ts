// @module-tag nginx
/** Live streams and devices of `millpond dev`, as its users meet them on their first day. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { coloursOf, freePorts, makeVideo, openCamera, serveMedia, signedFetch } from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageError } from '../exit.ts';
import { planLive } from './live.ts';
import { choosePorts, PORTS } from './ports.ts';
import { createDevFixture, type DevFixture, type DevProcess } from './testing.ts';

const SOON = { timeout: 300_000, interval: 250 };

let place: DevFixture;
let dev: DevProcess;
let publisher: ChildProcess | undefined;
beforeAll(async () => {
  place = createDevFixture();
  dev = await place.start('--data', path.join(place.folder, 'data'));
});
afterAll(async () => {
  publisher?.kill('SIGKILL');
  await place?.remove();
});

async function did<T>(method: 'GET' | 'POST', target: string, body?: object): Promise<T> {
  const answer = await call(method, target, body);
  const text = await answer.text();
  expect(answer.status, `${method} ${target}: ${text}`).toBe(200);
  return JSON.parse(text) as T;
}

function call(method: 'GET' | 'POST', target: string, body?: object): Promise<Response> {
  const keys = {
    accessKey: dev.env.MILLPOND_ACCESS_KEY ?? '',
    secretKey: dev.env.MILLPOND_SECRET_KEY ?? '',
  };
  const sent =
    body === undefined
      ? { contentType: null }
      : { body: JSON.stringify(body), contentType: 'application/json' };
  return signedFetch(dev.url, keys, `/v1${target}`, { method, ...sent });
}

const streamPath = async () => {
  const { items } = await did<{ items: { id: string; name: string }[] }>('GET', '/namespaces');
  return `/namespaces/${items.find(({ name }) => name === 'stage')?.id}/streams/door`;
};

test('a stream is published at the address that is handed out, and plays', async () => {
  const { id } = await did<{ id: string }>('POST', '/namespaces', { name: 'stage' });
  await did('POST', `/namespaces/${id}/streams`, { streamId: 'door' });
  const { publishUrl, playUrls } = await did<{ publishUrl: string; playUrls: { hls: string } }>(
    'POST',
    `${await streamPath()}/urls`,
  );
  expect(publishUrl).toMatch(new RegExp(`^${dev.env.MILLPOND_RTMP_URL}/`));
  const video = path.join(place.folder, 'video.flv');
  await makeVideo(video, 'blue', 3);
  const source = ['-re', '-stream_loop', '-1', '-i', video, '-c', 'copy', '-f', 'flv', publishUrl];
  publisher = spawn('ffmpeg', ['-v', 'error', '-nostdin', ...source], { stdio: 'ignore' });
  const playlist = () => fetch(playUrls.hls).then((answer) => answer.text());
  const firstSegment = async () => /^\d+\.ts.*$/m.exec(await playlist())?.[0] ?? '';
  await expect.poll(firstSegment, SOON).not.toBe('');
  const segment = new URL(await firstSegment(), playUrls.hls).href;
  expect([...(await coloursOf(segment))]).toEqual(['blue']);
});

test('a device registers at the address that is handed out, and its video arrives at the engine', async () => {
  const gbid = '34020000001320000001';
  const password = 'camera-secret';
  const { id } = await did<{ id: string }>('POST', '/namespaces', { name: 'yard', accessType: 'gb28181' });
  await did('POST', `/namespaces/${id}/devices`, { name: 'Gate', gbId: gbid, password });
  const [, serverId = '', address = '', port = ''] =
    /^sip:(\d+)@([\d.]+):(\d+)$/.exec(dev.env.MILLPOND_SIP_URL ?? '') ?? [];
  const server = { serverId, address, port: Number(port), realm: serverId.slice(0, 10) };
  const camera = await openCamera(server, { gbid, password });
  const media = serveMedia(camera);
  try {
    expect((await camera.register()).status).toBe(200);
    const device = `/namespaces/${id}/devices/${gbid}`;
    expect(await did('GET', device)).toMatchObject({ state: 'online' });
    expect((await call('POST', `${device}/start`, { channels: [] })).status).toBe(200);
    const running = async () => (await did<{ media: { running: number } }>('GET', device)).media.running;
    await expect.poll(running, SOON).toBe(1);
  } finally {
    media.close();
    await camera.close();
  }
});

test('doctor finds the engine, its address and the port of devices', async () => {
  const { stdout } = await place.command('doctor', '--config', dev.env.MILLPOND_CONFIG ?? '');
  expect(stdout).not.toMatch(/^BAD +.*database/m);
  expect(stdout).toMatch(/^good {2}live engine main: answers, \d publishing$/m);
  expect(stdout).toContain(`good  address of publishers: something listens at ${dev.env.MILLPOND_RTMP_URL}`);
  expect(stdout).toMatch(/^good {2}port of devices: something listens at 127\.0\.0\.1:\d+$/m);
});

test('a reset ends publishers with their streams', async () => {
  expect(publisher?.exitCode).toBe(null);
  const gone = publisher && once(publisher, 'exit');
  expect((await fetch(`${dev.controlUrl}/reset`, { method: 'POST' })).status).toBe(200);
  await gone;
  expect(await did('GET', '/namespaces')).toMatchObject({ items: [], total: 0 });
});

test('the engine of a killed one is ended by the next start; one with live off says so, and hands out no address', async () => {
  const engine = pidOfEngine(dev);
  expect(existsSync(`/proc/${engine}`)).toBe(true);
  const port = new URL(dev.url).port;
  await dev.kill('SIGKILL');
  expect(existsSync(`/proc/${engine}`)).toBe(true);
  const data = path.join(place.folder, 'data');
  dev = await place.startWith({ MILLPOND_LIVE_ENGINES: '' }, '--data', data, '--port', port);
  expect(wordsOf(engine)).toBe('');

  expect(dev.missing).toContainEqual(expect.objectContaining({ reason: 'MILLPOND_LIVE_ENGINES is empty' }));
  expect(dev.env).not.toHaveProperty('MILLPOND_RTMP_URL');
  expect(dev.env).toHaveProperty('MILLPOND_SIP_URL');
  const { id } = await did<{ id: string }>('POST', '/namespaces', { name: 'stage' });
  await did('POST', `/namespaces/${id}/streams`, { streamId: 'door' });
  const refused = await call('POST', `${await streamPath()}/urls`);
  expect([refused.status, await refused.json()]).toEqual([
    501,
    { error: 'no engine takes live streams', hint: expect.stringContaining('MILLPOND_LIVE_ENGINES') },
  ]);
  const { stdout } = await place.command('doctor', '--config', dev.env.MILLPOND_CONFIG ?? '');
  expect(stdout).toContain('live streams: live is off: MILLPOND_LIVE_ENGINES names no engine');
});

test('where nginx is not installed live is off, with the command that brings it; devices register all the same', async () => {
  const ports = await choosePorts(0);
  const folders = [{ rtmp: '/none' }, { records: '/none' }] as unknown as [
    Parameters<typeof planLive>[0],
    Parameters<typeof planLive>[1],
  ];
  const plan = await planLive(...folders, ports, {}, () => Promise.resolve(false));
  expect(plan).toMatchObject({
    engine: undefined,
    defaults: { MILLPOND_SIP_LISTEN: `sip://127.0.0.1:${ports.sip}` },
    fixed: {},
    missing: [{ program: 'nginx with its RTMP module', off: expect.stringContaining('live streams') }],
  });
  expect(plan.defaults).not.toHaveProperty('MILLPOND_SIP_MEDIA_PORTS');
});

test('a port of live streams or devices that is taken is named, by TCP and by UDP', async () => {
  const first = await freePorts(PORTS);
  const server = createServer().listen(first + 4, '127.0.0.1');
  await once(server, 'listening');
  await expect(choosePorts(first)).rejects.toThrow(
    new UsageError(
      `port ${first + 4} is in use: give another --port (19 consecutive ports are needed), or --port 0 for free ones`,
    ),
  );
  server.close();
  await once(server, 'close');
  const socket = createSocket('udp4').bind(first + 6, '127.0.0.1');
  await once(socket, 'listening');
  await expect(choosePorts(first)).rejects.toThrow(`port ${first + 6} is in use`);
  socket.close();
  await once(socket, 'close');
  expect(await choosePorts(first)).toMatchObject({ http: first, rtmp: first + 4, sip: first + 6 });
});

function pidOfEngine({ env }: DevProcess): number {
  const folder = path.dirname(env.MILLPOND_CONFIG ?? '');
  return Number(readFileSync(path.join(folder, 'rtmp/nginx.pid'), 'utf8'));
}

/** Command line of a process that is alive; one that is dead and not yet waited for has none. */
function wordsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
