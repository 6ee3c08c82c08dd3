/** nginx with its RTMP module, owned by this process: with the configuration that operators get, on loopback only. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRtmpFolders, RTMP_PROGRAM, rtmpConfiguration } from '@millpond/server';
import type { Ports } from './ports.ts';

export interface EngineFolders {
  readonly folder: string;
  /** Where engines record, each in its own folder. */
  readonly records: string;
  readonly ports: Ports;
  /** The secret it presents with its hooks. */
  readonly secret: string;
}

export interface RtmpEngine {
  /** Resolves when it ends by itself, with the last part of its output. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
  /** At once, without waiting: for a process that is about to exit. */
  kill(): void;
}

/** Its id in settings and hooks. */
export const ENGINE_ID = 'main';

const READY_TIMEOUT_MS = 30_000;
const CHECK_INTERVAL_MS = 20;
const SAID_BYTES = 2000;
/** The file in the packages, or in a checkout. */
const TEMPLATES = ['../../deploy', '../../../../deploy'].map((deploy) =>
  path.join(import.meta.dirname, deploy, 'nginx-rtmp/nginx.conf'),
);

/** Its earlier streams are gone; its recordings stay. */
export async function startRtmpEngine(place: EngineFolders): Promise<RtmpEngine> {
  rmSync(place.folder, { recursive: true, force: true });
  const configuration = await configure(place);
  const log = openSync(logOf(place), 'a', 0o600);
  const child = spawn(RTMP_PROGRAM, ['-p', place.folder, '-c', configuration, '-e', logOf(place)], {
    stdio: ['ignore', log, log],
    // Ctrl-C goes to all processes of a terminal; this one ends only after the server has let go of it.
    detached: true,
    // Names of recordings are in UTC.
    env: { PATH: process.env.PATH, TZ: 'UTC' },
  });
  let stopping = false;
  const exited = once(child, 'exit');
  const ended = new Promise<string>((resolve) => {
    child.once('exit', () => {
      if (!stopping) resolve(saidIn(place));
    });
  });
  // Its worker is in the same process group.
  const kill = () => {
    stopping = true;
    if (child.pid !== undefined && isRunning(child)) process.kill(-child.pid, 'SIGKILL');
  };
  try {
    await untilReady(place, child);
  } catch (error) {
    kill();
    throw error;
  }
  return {
    ended,
    async stop() {
      stopping = true;
      if (!isRunning(child)) return;
      child.kill('SIGTERM');
      await exited;
    },
    kill,
  };
}

async function configure({ folder, records, ports, secret }: EngineFolders): Promise<string> {
  const own = { folder, records: path.join(records, ENGINE_ID) };
  await makeRtmpFolders(own);
  const template = TEMPLATES.find((file) => existsSync(file));
  if (template === undefined) throw new Error(`${TEMPLATES[0]} is missing`);
  const text = rtmpConfiguration(readFileSync(template, 'utf8'), {
    ...own,
    secret,
    rtmpListen: `127.0.0.1:${ports.rtmp}`,
    feedListen: `127.0.0.1:${ports.feed}`,
    httpListen: `127.0.0.1:${ports.engine}`,
    hooks: `http://127.0.0.1:${ports.http}/v1/hooks/${ENGINE_ID}`,
    recordInterval: '10m',
    updateInterval: '10s',
  });
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

async function untilReady(place: EngineFolders, child: ChildProcess): Promise<void> {
  let unstarted: Error | undefined;
  child.once('error', (error) => {
    unstarted = error;
  });
  const end = performance.now() + READY_TIMEOUT_MS;
  while (performance.now() < end) {
    if (unstarted !== undefined || !isRunning(child))
      throw new Error(`nginx exited: ${unstarted?.message ?? saidIn(place)}`);
    const answer = await fetch(`http://127.0.0.1:${place.ports.engine}/revision`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(CHECK_INTERVAL_MS);
  }
  throw new Error(`nginx was not ready within ${READY_TIMEOUT_MS / 1000} s: ${saidIn(place)}`);
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

function logOf({ folder }: Pick<EngineFolders, 'folder'>): string {
  return path.join(folder, 'error.log');
}

function saidIn(place: Pick<EngineFolders, 'folder'>): string {
  try {
    return readFileSync(logOf(place), 'utf8').slice(-SAID_BYTES);
  } catch {
    return 'its folder is gone';
  }
}
