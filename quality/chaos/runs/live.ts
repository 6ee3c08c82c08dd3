/**
 * Publishers that flap while our server, the RTMP engine and PostgreSQL are killed in turn: afterwards the last event
 * sent about each stream is true, and per stream online and offline alternate.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@millpond/testing';
import { type Account, createRtmpEngine, freePort, type RtmpEngine, signedFetch } from '@millpond/testing';
import { checkStreams, isTrue } from '../checks/streams.ts';
import { startEventReceiver } from '../load/events.ts';
import type { Victim } from '../load/kills.ts';
import {
  type FlappingPublisher,
  ffmpegConnect,
  flappingPublisher,
  lightConnect,
  makeVideo,
} from '../load/publishers.ts';
import { KillableServer } from '../load/server.ts';
import { Findings } from '../report.ts';
import { type RunContext, withOwnDatabase } from '../run-environment.ts';

const REAL = 4;
const MAX_ENGINE_AWAY_MS = 3000;
const MIN_LIFE_MS = 2_000;
const MAX_LIFE_MS = 10_000;
/** The worst case: a lease, a round of the reconciler, the delay, and what dead senders had leased (25 s). */
const CONVERGENCE_TIMEOUT_MS = 120_000;
const SETTINGS = {
  MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32',
  MILLPOND_TIME_FACTOR: '20',
  MILLPOND_LIVE_RECORD_SLOTS: '0',
  MILLPOND_LIVE_SNAP_SLOTS: '0',
};

export function runLive(context: RunContext): Promise<[Findings, object]> {
  return withOwnDatabase(context, async ({ deployment, account }, database) => {
    const { random, say, options } = context;
    const folder = await mkdtemp(path.join(tmpdir(), 'millpond-chaos-live-'));
    const port = await freePort();
    const engine = await createRtmpEngine({ serverPort: port });
    const receiver = await startEventReceiver(random.fork('receiver'));
    const stop = new AbortController();
    let publishers: FlappingPublisher[] = [];
    try {
      await engine.start();
      const video = path.join(folder, 'video.flv');
      await makeVideo(video);
      const server = await KillableServer.start(deployment, { ...SETTINGS, ...engine.settings });
      const urls = await makeStreams(server.url, account, receiver.url, options.publishers);
      publishers = urls.map(({ streamId, url }, index) => {
        const connect = index < REAL ? ffmpegConnect(video, url) : lightConnect(url);
        return flappingPublisher(streamId, connect, random.fork(streamId));
      });
      say(`${publishers.length} publishers, ${REAL} of them ffmpeg`);
      const flapping = publishers.map((publisher) => publisher.flap(stop.signal));
      const kills = await killInTurn(context, {
        server,
        engine: killableEngine(engine, random.fork('engine')),
        database,
      });
      stop.abort();
      await Promise.all(flapping);
      say(`${receiver.arrivals.length} events so far`);
      await untilTrue(context, () => isTrue(publishers, receiver.arrivals));
      const findings = new Findings();
      checkStreams(publishers, receiver.arrivals, findings);
      const times = publishers.reduce((sum, publisher) => sum + publisher.times, 0);
      return [
        findings,
        { acknowledged: times, wrong: findings.count('wrong'), events: receiver.arrivals.length, kills },
      ];
    } finally {
      stop.abort();
      await Promise.all(publishers.map((publisher) => publisher.close()));
      await receiver.close();
      await engine.destroy();
      await rm(folder, { recursive: true, force: true });
    }
  });
}

async function makeStreams(
  url: string,
  account: Account,
  receiver: string,
  count: number,
): Promise<{ readonly streamId: string; readonly url: string }[]> {
  const call = async <T>(target: string, body: object): Promise<T> => {
    const answer = await signedFetch(url, account, `/v1/namespaces${target}`, {
      body: JSON.stringify(body),
      contentType: 'application/json',
    });
    if (answer.status !== 200) throw new Error(`${target} answered ${answer.status}`);
    return (await answer.json()) as T;
  };
  const callback = `${receiver}/events`;
  const { id } = await call<{ id: string }>('', { name: 'chaos', callback, offlineDelay: 1 });
  const streams = [];
  for (let number = 0; number < count; number++) {
    const streamId = `s${number}`;
    await call(`/${id}/streams`, { streamId });
    const { publishUrl } = await call<{ publishUrl: string }>(`/${id}/streams/${streamId}/urls`, {});
    streams.push({ streamId, url: publishUrl });
  }
  return streams;
}

function killableEngine(engine: RtmpEngine, random: Random): Victim {
  return {
    async killAndRestart() {
      await engine.kill();
      await sleep(random.integer(0, MAX_ENGINE_AWAY_MS));
      await engine.start();
    },
  };
}

/** One after the other, so that each is killed however short the run is. */
async function killInTurn(
  { options, random, signal, say }: RunContext,
  victims: Readonly<Record<'server' | 'engine' | 'database', Victim>>,
): Promise<Record<string, number>> {
  const nemesis = random.fork('nemesis');
  const counts = { server: 0, engine: 0, database: 0 };
  const order = ['server', 'engine', 'database'] as const;
  const end = options.minutes === undefined ? undefined : Date.now() + options.minutes * 60_000;
  for (let kills = 0; end === undefined ? kills < options.kills : Date.now() < end; kills++) {
    await sleep(nemesis.integer(MIN_LIFE_MS, MAX_LIFE_MS), undefined, { signal });
    const victim = order[kills % order.length] ?? 'server';
    await victims[victim].killAndRestart();
    counts[victim]++;
    say(`kill ${kills + 1}: ${victim}`);
  }
  await sleep(MIN_LIFE_MS, undefined, { signal });
  return counts;
}

async function untilTrue({ signal }: RunContext, holds: () => boolean): Promise<void> {
  const end = Date.now() + CONVERGENCE_TIMEOUT_MS;
  while (!holds() && Date.now() < end) await sleep(500, undefined, { signal });
}
