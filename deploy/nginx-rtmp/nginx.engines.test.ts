// @module-tag nginx
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  coloursOf,
  createRtmpEngine,
  framesOf,
  makeVideo,
  playRtmp,
  publishRtmp,
  type RtmpEngine,
} from '@millpond/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

interface HookCall {
  readonly call: string;
  readonly name: string;
  readonly key: string;
  readonly address: string;
  readonly secret: string;
  readonly boot: string;
}

/** In place of the server: what it is told, and what it answers to each call; undefined breaks the connection off. */
const told: HookCall[] = [];
let answers: Record<string, number | undefined | ((hook: HookCall) => number | Promise<number>)> = {};
beforeEach(() => {
  answers = {};
});
let server: Server;
let engine: RtmpEngine;

beforeAll(async () => {
  server = createServer((request, response) => {
    void buffer(request).then(async (body) => {
      const fields = new URLSearchParams(body.toString());
      const [call = '', name = '', key = '', address = ''] = ['call', 'name', 'key', 'addr'].map(
        (each) => fields.get(each) ?? '',
      );
      const { 'x-live-secret': secret, 'x-live-boot': boot } = request.headers;
      const hook = { call, name, key, address, secret: String(secret), boot: String(boot) };
      told.push(hook);
      const answer = call in answers ? answers[call] : 200;
      const status = typeof answer === 'function' ? await answer(hook) : answer;
      if (status === undefined) response.destroy();
      else response.writeHead(status).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  engine = await createRtmpEngine({ serverPort: port, updateInterval: '1s' });
  await engine.start();
});
afterAll(async () => {
  await engine.destroy();
  server.close();
  server.closeAllConnections();
});

const updates = () => told.filter(({ call }) => call === 'update_publish').length;
const secret = () => engine.settings.MILLPOND_LIVE_HOOK_SECRET ?? '';
/** By its HTTP address; unlike fetch it sends any Host. */
async function asked(
  target: string,
  headers: Record<string, string>,
  form?: string,
): Promise<{ status: number | undefined; text: string }> {
  const sent = request(`${engine.httpUrl}${target}`, {
    method: form === undefined ? 'GET' : 'POST',
    headers,
  });
  sent.end(form);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, text: (await buffer(answer)).toString() };
}
const soon = { timeout: 300_000, interval: 25 };

describe('the shipped configuration of the RTMP engine', () => {
  test.each([403, 500, 502, 599, undefined])('lets nobody in when the server answers %s', async (status) => {
    answers.publish = status;
    expect((await publishRtmp(`${engine.rtmpUrl}/name`)).accepted).toBe(false);
  });

  test('keeps publishers while the server fails, and ends them when it says no', async () => {
    answers.publish = 200;
    const publisher = await publishRtmp(`${engine.rtmpUrl}/name?key=a`);
    expect(publisher.accepted).toBe(true);
    let isCut = false;
    void publisher.closed.then(() => {
      isCut = true;
    });
    for (const status of [599, 500, 401, undefined]) {
      answers.update_publish = status;
      const before = updates();
      await expect.poll(updates, soon).toBeGreaterThan(before + 1);
      expect(isCut, String(status)).toBe(false);
    }
    answers.update_publish = 403;
    await publisher.closed;
  });

  test('says with each hook which process of the engine tells it, and shows the secret', async () => {
    const stat = await asked('/stat', { 'x-live-secret': secret() });
    const boot = /<pid>(\d+)<\/pid>/.exec(stat.text)?.[1];
    expect(told.length).toBeGreaterThan(0);
    for (const hook of told) expect(hook).toMatchObject({ boot, secret: secret() });
  });
});

describe('what a publisher sends before the server has said yes', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'millpond-videos-'));
    await Promise.all([makeVideo(video('red'), 'red', 3), makeVideo(video('blue'), 'blue', 3)]);
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const video = (colour: string) => path.join(folder, `${colour}.flv`);
  const playlist = (name: string) =>
    readFile(path.join(engine.hls, name, 'index.m3u8'), 'utf8').catch(() => '');
  const segments = async (name: string) => (await playlist(name)).match(/^\d+\.ts$/gm) ?? [];
  /** A real publisher, until the test is over. */
  const publishing = (name: string): ChildProcess => {
    const source = ['-re', '-stream_loop', '-1', '-i', video('blue'), '-c', 'copy', '-f', 'flv'];
    const child = spawn('ffmpeg', ['-v', 'error', '-nostdin', ...source, `${engine.rtmpUrl}/${name}`], {
      stdio: 'ignore',
    });
    onTestFinished(async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    });
    return child;
  };
  /** Nobody but the engine's own push plays. */
  const playing = ({ address }: HookCall) => (address.includes('/') ? 200 : 403);

  test('is in no playlist, recording or folder, neither while it is asked nor when the answer is no', async () => {
    const answer = Promise.withResolvers<number>();
    const isAsked = Promise.withResolvers<void>();
    answers.play = playing;
    answers.publish = ({ key }) => {
      if (key === 'right') return 200;
      isAsked.resolve();
      return answer.promise;
    };
    publishing('right?key=right');
    await expect.poll(() => segments('right'), soon).not.toEqual([]);
    const recorded = await readdir(engine.records);
    const early = await framesOf(video('red'));
    const names = ['right', 'right?key=wrong', 'nobody', 'a/b', '?key=wrong'];
    const intruders = names.map((name) => publishRtmp(`${engine.rtmpUrl}/${name}`, { early }));
    await isAsked.promise;
    // Two segments later: whatever the engine does with the frames, it has done it.
    const newest = Number.parseInt((await segments('right')).at(-1) ?? '', 10) + 2;
    await expect.poll(() => segments('right'), soon).toContain(`${newest}.ts`);
    expect(await readdir(engine.hls)).toEqual(['right']);
    answer.resolve(403);
    for (const { accepted } of await Promise.all(intruders)) expect(accepted).toBe(false);
    await expect.poll(() => segments('right'), soon).toContain(`${newest + 1}.ts`);
    expect(await readdir(engine.hls)).toEqual(['right']);
    expect(await readdir(engine.records)).toEqual(recorded);
    for (const segment of await segments('right'))
      expect([...(await coloursOf(path.join(engine.hls, 'right', segment)))], segment).toEqual(['blue']);
    for (const file of recorded.filter((each) => each.startsWith('right-')))
      expect([...(await coloursOf(path.join(engine.records, file)))], file).toEqual(['blue']);
  });

  test('can not be sent to where the HLS is made, or be played from there', async () => {
    answers.play = 403;
    const early = await framesOf(video('red'));
    const before = told.length;
    for (const application of ['live', 'hls', 'feed', '', '%7B%7Bfeed%7D%7D'])
      expect((await publishRtmp(`${engine.feedUrl}/${application}/right`, { early })).accepted).toBe(false);
    expect(await playRtmp(`${engine.feedUrl}/live/right`)).toEqual([]);
    expect(await readdir(engine.hls)).not.toContain('live');
    expect(told.slice(before).filter(({ call }) => call === 'publish')).toEqual([]);
  }, 60_000);

  test('says nothing about who publishes to somebody who wants to play it', async () => {
    answers.publish = 200;
    answers.play = playing;
    const publisher = await publishRtmp(`${engine.rtmpUrl}/private`);
    onTestFinished(() => publisher.close());
    expect(publisher.accepted).toBe(true);
    expect(await playRtmp(`${engine.rtmpUrl}/private`)).toEqual([]);
    expect(await playRtmp(`${engine.rtmpUrl}/nobody`)).toEqual([]);
  }, 60_000);
});

describe('whoever reaches the HTTP address of the engine without its secret', () => {
  const site = 'https://page.example';
  const askers: [string, Record<string, string>][] = [
    ['a program', {}],
    ['one with another secret', { 'x-live-secret': 'wrong' }],
    ['a page of another site', { origin: site, 'sec-fetch-site': 'cross-site' }],
    ['an image in such a page', { referer: `${site}/` }],
    ['a page whose name leads here', { host: 'page.example', origin: site }],
  ];

  test.each(askers)('learns no stream, plays none and ends none: %s', async (_, headers) => {
    answers.publish = 200;
    const publisher = await publishRtmp(`${engine.rtmpUrl}/wanted`);
    onTestFinished(() => publisher.close());
    expect(publisher.accepted).toBe(true);
    await mkdir(path.join(engine.hls, 'wanted'), { recursive: true });
    await writeFile(path.join(engine.hls, 'wanted/index.m3u8'), '#EXTM3U');
    const drop = '/control/drop/publisher?app=live&name=wanted';
    for (const target of ['/stat', '/hls/wanted/index.m3u8', drop]) {
      const { status, text } = await asked(target, headers);
      expect(status, target).toBe(403);
      expect(text).not.toMatch(/wanted|EXTM3U|<application>/);
    }
    // The publisher is still there: the server finds and ends it.
    const shown = { 'x-live-secret': secret() };
    expect((await asked('/stat', shown)).text).toContain('<name>wanted</name>');
    expect((await asked('/hls/wanted/index.m3u8', shown)).text).toBe('#EXTM3U');
    expect(await asked(drop, shown)).toEqual({ status: 200, text: '1' });
    await publisher.closed;
  });

  test.each(askers)('can not speak for it to the server: %s', async (_, headers) => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const target of ['/hook', '/update', '/live/hook', '//hook', '/stat/../hook']) {
      const form = 'call=record_done&clientid=1&name=forged&recorder=auto&path=/x/none.flv&addr=1';
      expect((await asked(target, { ...headers, ...type }, form)).status, target).toBe(404);
    }
    expect(told.filter(({ name }) => name === 'forged')).toEqual([]);
  });
});
