/** A deployment with an engine of its own, and short words for what tests of live do with it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventTypes } from '@millpond/protocol';
import {
  type Account,
  createBucket,
  createDeployment,
  createRtmpEngine,
  type Deployment,
  type RtmpEngine,
  type RtmpEngineOptions,
  type ServerProcess,
  signedFetch,
} from '@millpond/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import { mismatches } from '../matches-schema.ts';
import { json, type Receiver } from '../receivers/receiver.ts';
import { target } from '../target.ts';

const run = promisify(execFile);
/** Everything comes by itself; a starved machine takes its time. */
export const SOON = { timeout: 300_000, interval: 50 };

/** For processes that have none: the address stands in the settings for the server. */
const NO_LISTENER = { MILLPOND_LISTEN: 'http://127.0.0.1:1' };

export type LiveEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/** What the API's description says of events of its type. */
function described({ type }: LiveEvent): object {
  return eventTypes[type as keyof typeof eventTypes]?.body ?? { enum: [] };
}

export interface NamespaceUnderTest {
  readonly id: string;
  /** Those that came, in their order, each once. */
  events(type?: string): LiveEvent[];
}

export interface Publisher {
  readonly process: ChildProcess;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

export interface LiveDeployment {
  readonly deployment: Deployment;
  readonly engine: RtmpEngine;
  readonly account: Account;
  readonly bucket: string;
  readonly url: string;
  readonly server: ServerProcess;
  /** With `isApart`: a process of its own that looks after the engine, and another one once this is called again. */
  startOwner(): Promise<ServerProcess>;
  /** A new server where the last one was. */
  restart(): Promise<void>;
  call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Response>;
  /** A call that answers 200; its JSON. */
  did<T = Record<string, unknown>>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<T>;
  namespace(receiver: Receiver, fields?: object): Promise<NamespaceUnderTest>;
  template(fields: object): Promise<string>;
  /** Makes the stream, and gives the address to publish it at. */
  stream(ns: NamespaceUnderTest, streamId: string, fields?: object): Promise<string>;
  /** A real publisher, in real time; for `seconds`, or until it is stopped. By default of a test video. */
  publish(url: string, seconds?: number, video?: string): Publisher;
}

export interface LiveDeploymentOptions extends RtmpEngineOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * The server answers and nothing else; events are sent by a process that nobody kills, because what a dead sender had on
   * its way is tried again only after half a minute. Owners are started by the tests.
   */
  readonly isApart?: boolean;
}

/** To be called at the top of a file; what it returns is there while its tests run. */
export function useLive(options: LiveDeploymentOptions = {}): LiveDeployment {
  const opened: Partial<{ -readonly [K in keyof LiveDeployment]: LiveDeployment[K] }> & { video?: string } =
    {};
  const args = options.isApart ? ['serve', '--no-work'] : ['serve'];
  let folder = '';
  const publishers = new Set<ChildProcess>();
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'millpond-live-'));
    opened.video = path.join(folder, 'video.flv');
    await makeTestVideo(opened.video);
    opened.engine = await createRtmpEngine(options);
    await opened.engine.start();
    opened.deployment = await createDeployment({
      store: target.store,
      settings: { MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32', ...opened.engine.settings, ...options.settings },
    });
    opened.bucket = `live-${randomBytes(6).toString('hex')}`;
    opened.account = await opened.deployment.createAccount();
    if (options.isApart)
      await opened.deployment.start({ args: ['work', '--only', 'deliveries'], settings: NO_LISTENER });
    opened.server = await opened.deployment.start({ args });
    await createBucket(opened.server.url, opened.account, opened.bucket);
  }, 180_000);
  afterAll(async () => {
    for (const child of publishers) child.kill('SIGKILL');
    await opened.deployment?.destroy();
    await opened.engine?.destroy();
    await rm(folder, { recursive: true, force: true });
  });
  const part = <K extends keyof typeof opened>(name: K): NonNullable<(typeof opened)[K]> => {
    const value = opened[name];
    if (value === undefined || value === null) throw new Error('it is there only while tests run');
    return value;
  };
  const call: LiveDeployment['call'] = (method, target, body) =>
    signedFetch(part('server').url, part('account'), `/v1${target}`, {
      method,
      ...(body === undefined
        ? { contentType: null }
        : { body: JSON.stringify(body), contentType: 'application/json' }),
    });
  const did: LiveDeployment['did'] = async <T>(...asked: Parameters<LiveDeployment['call']>) => {
    const answer = await call(...asked);
    const text = await answer.text();
    expect(answer.status, `${asked[0]} ${asked[1]}: ${text}`).toBe(200);
    return (text === '' ? {} : JSON.parse(text)) as T;
  };
  return {
    get deployment() {
      return part('deployment');
    },
    get engine() {
      return part('engine');
    },
    get account() {
      return part('account');
    },
    get bucket() {
      return part('bucket');
    },
    get url() {
      return part('server').url;
    },
    get server() {
      return part('server');
    },
    startOwner: () => part('deployment').start({ args: ['work', '--only', 'live'], settings: NO_LISTENER }),
    async restart() {
      await part('server').kill('SIGKILL');
      opened.server = await part('deployment').start({ args });
    },
    call,
    did,
    async namespace(receiver, fields = {}) {
      const endpoint = receiver.at(json({}));
      const name = `ns-${randomBytes(6).toString('hex')}`;
      const body = { name, callback: endpoint.url, offlineDelay: 1, ...fields };
      const { id } = await did<{ id: string }>('POST', '/namespaces', body);
      return {
        id,
        events(type) {
          const all = endpoint.requests.map(({ text }) => JSON.parse(text) as LiveEvent);
          for (const event of all) expect(mismatches(event, described(event), {})).toEqual([]);
          // A sender that was killed leaves it open whether an event arrived: then it comes again.
          const once = new Map(all.map((event) => [event.reqId, event]));
          return [...once.values()].filter((event) => type === undefined || event.type === type);
        },
      };
    },
    async template(fields) {
      const name = `template-${randomBytes(6).toString('hex')}`;
      return (await did<{ id: string }>('POST', '/templates', { name, bucket: part('bucket'), ...fields }))
        .id;
    },
    async stream(ns, streamId, fields = {}) {
      await did('POST', `/namespaces/${ns.id}/streams`, { streamId, ...fields });
      const urls = await did<{ publishUrl: string }>('POST', `/namespaces/${ns.id}/streams/${streamId}/urls`);
      return urls.publishUrl;
    },
    publish(url, seconds, video = part('video')) {
      const length = seconds === undefined ? [] : ['-t', String(seconds)];
      const source = ['-re', '-stream_loop', '-1', ...length, '-i', video];
      const child = spawn('ffmpeg', ['-v', 'error', '-nostdin', ...source, '-c', 'copy', '-f', 'flv', url], {
        stdio: 'ignore',
      });
      publishers.add(child);
      const ended = once(child, 'exit').then(([code]) => {
        publishers.delete(child);
        return code as number | null;
      });
      return {
        process: child,
        ended,
        async stop() {
          child.kill('SIGTERM');
          await ended;
        },
      };
    },
  };
}

/** Ten seconds, a key frame every half: encoded once, so that publishing costs next to nothing. */
async function makeTestVideo(file: string): Promise<void> {
  await run('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'testsrc=size=160x120:rate=10',
    '-f',
    'lavfi',
    '-i',
    'sine',
    '-t',
    '10',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '5',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-f',
    'flv',
    file,
  ]);
}

/** How much the engine has recorded of a namespace's streams so far, by what its files hold. */
export async function recordedSeconds(
  { engine }: LiveDeployment,
  { id }: NamespaceUnderTest,
): Promise<number> {
  const files = (await readdir(engine.records)).filter((file) => file.includes(id));
  const lengths = await Promise.all(
    files.map(async (file) => {
      const times = ['-show_entries', 'packet=pts_time', '-of', 'csv=p=0', path.join(engine.records, file)];
      // A file that has just been begun, or is removed meanwhile, holds nothing.
      const { stdout } = await run('ffprobe', ['-v', 'quiet', ...times]).catch(() => ({ stdout: '' }));
      return Math.max(0, ...(stdout.match(/^\d+\.\d+/gm) ?? []).map(Number));
    }),
  );
  return Math.max(0, ...lengths);
}

/** Decodes all of a video, and says how long it is by its frames. */
export async function decodedSeconds(input: string): Promise<number> {
  await run('ffmpeg', ['-v', 'error', '-xerror', '-i', input, '-f', 'null', '-']);
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-show_entries',
    'format=duration',
    '-of',
    'csv=p=0',
    input,
  ]);
  return Number(stdout.trim());
}
