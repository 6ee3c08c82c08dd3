// nginx with its RTMP module, the engine of live streams: made from the configuration that operators get too.

import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Daemon, lastLines, running, start, stop } from './daemon.ts';
import { EngineFault } from './fault.ts';
import { memoryMiB } from './identity.ts';
import { requireFreePort } from './ports.ts';
import { say } from './progress.ts';
import { type RtmpRecord, readRtmpRecord, writeRecord } from './record.ts';
import type { RtmpSettings } from './settings.ts';
import { fillTemplate } from './template.ts';
import { readOrNothing } from './text-file.ts';

export const rtmpPackages = ['nginx-light', 'libnginx-mod-rtmp'];

// The id that the server's settings give it; its recordings lie in a folder of that name.
const rtmpEngineId = 'main';
const secondsToStart = 20;
const template = join(import.meta.dirname, '..', '..', 'deploy', 'nginx-rtmp', 'nginx.conf');

export type RtmpState = {
  state: 'absent' | 'down' | 'up';
  healthy: boolean;
  port?: number;
  pid?: number;
  memoryMiB?: number;
};

export type RtmpConfiguration = {
  folder: string;
  records: string;
  rtmpListen: string;
  // Of this machine only: where what was let in becomes HLS.
  feedListen: string;
  httpListen: string;
  // Where the server takes the engine's hooks: http://host:port/v1/hooks/<engine>
  hooks: string;
  secret: string;
  recordInterval: string;
  // How often the server is told that a publisher is still there.
  updateInterval: string;
};

// Started by root, its worker stays root: the folders are its own, and nobody else's.
export function rtmpConfiguration(values: RtmpConfiguration): string {
  const feed = createHash('sha256').update(`feed of ${values.secret}`).digest('hex').slice(0, 32);
  return fillTemplate(template, { ...values, feed, user: process.getuid?.() === 0 ? 'user root;' : '' });
}

// The folders that the configuration names.
export function makeRtmpFolders({ folder, records }: Pick<RtmpConfiguration, 'folder' | 'records'>): void {
  for (const each of [folder, join(folder, 'hls'), join(folder, 'tmp'), records]) {
    mkdirSync(each, { recursive: true });
    // The server may be another user, and reads what is recorded.
    chmodSync(each, 0o755);
  }
}

export async function rtmpUp(folder: string, settings: RtmpSettings): Promise<void> {
  const made = readRtmpRecord(folder);
  if (!made) rmSync(folder, { recursive: true, force: true });
  const record: RtmpRecord = made ?? { settings, secret: randomBytes(24).toString('hex') };
  await configure(folder, record);
  if (!made) writeRecord(folder, record);
  const daemon = nginx(folder);
  if (!running(daemon)) {
    await requireFreePort(settings.port, 'MILLPOND_ENGINES_RTMP_PORT');
    await requireFreePort(settings.httpPort, 'MILLPOND_ENGINES_RTMP_HTTP_PORT');
  }
  const started = start(daemon);
  await untilReady(daemon, settings);
  say(`rtmp: ${started ? 'started' : 'runs already'} on 127.0.0.1:${settings.port}`);
}

export async function rtmpDown(folder: string): Promise<void> {
  await stop(nginx(folder), 'SIGTERM', 20);
}

export async function rtmpState(folder: string): Promise<RtmpState> {
  const record = readRtmpRecord(folder);
  if (!record) return { state: 'absent', healthy: false };
  const { port } = record.settings;
  const identity = running(nginx(folder));
  if (!identity) return { state: 'down', healthy: false, port };
  const healthy = await isReady(record.settings);
  return { state: 'up', healthy, port, pid: identity.pid, memoryMiB: memoryMiB(identity) };
}

// An engine that an older version made gets the configuration of this one, and runs with it.
async function configure(folder: string, record: RtmpRecord): Promise<void> {
  const values = configurationOf(folder, record);
  makeRtmpFolders(values);
  const [path, text] = [join(folder, 'nginx.conf'), rtmpConfiguration(values)];
  if (readOrNothing(path) === text) return;
  await rtmpDown(folder);
  writeFileSync(path, text, { mode: 0o600 });
}

function configurationOf(folder: string, { settings, secret }: RtmpRecord): RtmpConfiguration {
  return {
    folder,
    records: join(folder, 'records', rtmpEngineId),
    rtmpListen: `127.0.0.1:${settings.port}`,
    feedListen: `127.0.0.2:${settings.port}`,
    httpListen: `127.0.0.1:${settings.httpPort}`,
    hooks: `http://127.0.0.1:${settings.serverPort}/v1/hooks/${rtmpEngineId}`,
    secret,
    recordInterval: '10m',
    updateInterval: '10s',
  };
}

function nginx(folder: string): Daemon {
  return {
    name: 'nginx-rtmp',
    command: '/usr/sbin/nginx',
    args: ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')],
    folder,
    pidFile: join(folder, 'nginx.identity'),
    logFile: join(folder, 'nginx.log'),
  };
}

async function untilReady(daemon: Daemon, settings: RtmpSettings): Promise<void> {
  const end = performance.now() + secondsToStart * 1000;
  while (!(await isReady(settings))) {
    if (!running(daemon) || performance.now() > end)
      throw new EngineFault(`nginx-rtmp did not start: ${lastLines(daemon)}`);
    await sleep(50);
  }
}

async function isReady({ httpPort }: RtmpSettings): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${httpPort}/stat`, {
    signal: AbortSignal.timeout(2000),
  }).catch(() => undefined);
  return answer?.ok ?? false;
}
