// nginx with its RTMP module, the engine for live streams: made from the same configuration that operators get.

import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  makeRtmpFolders,
  RTMP_PACKAGES,
  RTMP_PROGRAM,
  type RtmpConfiguration,
  rtmpConfiguration,
} from '@millpond/server/rtmp-engine';
import { type Daemon, lastLines, running, start, stop } from './daemon.ts';
import { EngineError } from './fault.ts';
import { requireFreePort } from './ports.ts';
import { memoryMiB } from './processes/identity.ts';
import { say } from './progress.ts';
import { type RtmpRecord, readRtmpRecord, writeRecord } from './record.ts';
import type { RtmpSettings } from './settings.ts';
import { readOrNothing } from './text-file.ts';

export const rtmpPackages = [...RTMP_PACKAGES];

// Its id in the server's settings; its recordings are in a folder of that name.
const rtmpEngineId = 'main';
const secondsToStart = 20;
const template = join(import.meta.dirname, '../../../deploy/nginx-rtmp/nginx.conf');

export type RtmpState = {
  state: 'absent' | 'down' | 'up';
  healthy: boolean;
  port?: number;
  pid?: number;
  memoryMiB?: number;
};

export function filledRtmpConfiguration(values: RtmpConfiguration): string {
  return rtmpConfiguration(readFileSync(template, 'utf8'), values);
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
  say(`rtmp: ${started ? 'started' : 'is already running'} on 127.0.0.1:${settings.port}`);
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

// An engine made by an older version gets the configuration of this one, and runs with it.
async function configure(folder: string, record: RtmpRecord): Promise<void> {
  const values = configurationOf(folder, record);
  await makeRtmpFolders(values);
  const [path, text] = [join(folder, 'nginx.conf'), filledRtmpConfiguration(values)];
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
    command: RTMP_PROGRAM,
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
      throw new EngineError(`nginx-rtmp did not start: ${lastLines(daemon)}`);
    await sleep(50);
  }
}

async function isReady({ httpPort }: RtmpSettings): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${httpPort}/revision`, {
    signal: AbortSignal.timeout(2000),
  }).catch(() => undefined);
  return answer?.ok ?? false;
}
