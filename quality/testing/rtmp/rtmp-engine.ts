/**
 * A separate nginx-rtmp for a test or a fault run, with the configuration that operators get: in the foreground, on
 * free ports, started, killed and started again. It provides the server settings that it needs.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { filledRtmpConfiguration, makeRtmpFolders } from '@millpond/engines';
import { freePort } from '../ports.ts';

export interface RtmpEngine {
  /** `rtmp://127.0.0.1:port/live`. */
  readonly rtmpUrl: string;
  readonly rtmpPort: number;
  /** Address of `/stat` and `/control`, which require the secret. */
  readonly httpUrl: string;
  /** Where it records. */
  readonly records: string;
  /** Where its HLS files are, each stream's in its own folder. */
  readonly hls: string;
  /** Where the HLS side receives accepted streams: `rtmp://127.0.0.2:port`. */
  readonly feedUrl: string;
  /** For a server that handles its hooks; the engine expects it at `MILLPOND_LISTEN`. */
  readonly settings: Readonly<Record<string, string>>;
  start(): Promise<void>;
  /** Its processes end without notifying anybody. */
  kill(): Promise<void>;
  /** The errors it logged. */
  errors(): Promise<string>;
  destroy(): Promise<void>;
}

export interface RtmpEngineOptions {
  /** How often real-time recordings are cut. */
  readonly recordInterval?: string;
  readonly updateInterval?: string;
  /** Where its hooks go; default: a free port, which `settings` names. */
  readonly serverPort?: number;
}

const ID = 'main';
const FEED_HOST = '127.0.0.2';
const READY_TIMEOUT_MS = 30_000;

export async function createRtmpEngine(options: RtmpEngineOptions = {}): Promise<RtmpEngine> {
  const home = await mkdtemp(path.join(tmpdir(), 'millpond-rtmp-'));
  const [rtmpPort, httpPort] = [await freePort(), await freePort()];
  const serverPort = options.serverPort ?? (await freePort());
  const secret = randomBytes(12).toString('hex');
  const folder = path.join(home, 'nginx');
  const records = path.join(home, 'records', ID);
  const httpUrl = `http://127.0.0.1:${httpPort}`;
  await makeRtmpFolders({ folder, records });
  await writeFile(
    path.join(folder, 'nginx.conf'),
    filledRtmpConfiguration({
      folder,
      records,
      secret,
      rtmpListen: `127.0.0.1:${rtmpPort}`,
      feedListen: `${FEED_HOST}:${rtmpPort}`,
      httpListen: `127.0.0.1:${httpPort}`,
      hooks: `http://127.0.0.1:${serverPort}/v1/hooks/${ID}`,
      recordInterval: options.recordInterval ?? '10m',
      updateInterval: options.updateInterval ?? '10s',
    }),
  );
  let child: ChildProcess | undefined;
  const errors = () => readFile(path.join(folder, 'error.log'), 'utf8').catch(() => '');
  const kill = async () => {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    // The worker is in the master's process group.
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  return {
    rtmpUrl: `rtmp://127.0.0.1:${rtmpPort}/live`,
    rtmpPort,
    httpUrl,
    records,
    hls: path.join(folder, 'hls'),
    feedUrl: `rtmp://${FEED_HOST}:${rtmpPort}`,
    settings: {
      MILLPOND_LISTEN: `http://127.0.0.1:${serverPort}`,
      MILLPOND_LIVE_ENGINES: `${ID}=nginx-rtmp@${httpUrl}`,
      MILLPOND_LIVE_HOOK_SECRET: secret,
      MILLPOND_LIVE_RECORD_FOLDER: path.dirname(records),
      MILLPOND_LIVE_RTMP_URL: `rtmp://127.0.0.1:${rtmpPort}/live`,
    },
    async start() {
      child = spawn('nginx', ['-p', folder, '-c', path.join(folder, 'nginx.conf'), '-e', 'error.log'], {
        stdio: ['ignore', 'ignore', 'inherit'],
        detached: true,
        env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, TZ: 'UTC' },
      });
      await ready(`${httpUrl}/`, child, errors);
    },
    kill,
    errors,
    async destroy() {
      await kill();
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function ready(url: string, child: ChildProcess, errors: () => Promise<string>): Promise<void> {
  const end = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < end) {
    if (child.exitCode !== null) throw new Error(`nginx exited with ${child.exitCode}: ${await errors()}`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`nginx did not answer within ${READY_TIMEOUT_MS / 1000} s`);
}
