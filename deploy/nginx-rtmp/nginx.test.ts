import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createRtmpEngine, publishRtmp, type RtmpEngine } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** In place of the server: what it is told, and what it answers to each call; undefined breaks the connection off. */
const told: { readonly call: string; readonly secret: string; readonly boot: string }[] = [];
const answers: Record<string, number | undefined> = {};
let server: Server;
let engine: RtmpEngine;

beforeAll(async () => {
  server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const call = new URLSearchParams(body.toString()).get('call') ?? '';
      const { 'x-live-secret': secret, 'x-live-boot': boot } = request.headers;
      told.push({ call, secret: String(secret), boot: String(boot) });
      const status = call in answers ? answers[call] : 200;
      if (status === undefined) response.destroy();
      else response.writeHead(status).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  engine = await createRtmpEngine({ serverPort: port, updateInterval: '1s' });
  await engine.start();
}, 60_000);
afterAll(async () => {
  await engine.destroy();
  server.close();
  server.closeAllConnections();
});

const updates = () => told.filter(({ call }) => call === 'update_publish').length;
const soon = { timeout: 30_000, interval: 25 };

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
    const stat = await (await fetch(`${engine.httpUrl}/stat`)).text();
    const boot = /<pid>(\d+)<\/pid>/.exec(stat)?.[1];
    const secret = engine.settings.MILLPOND_LIVE_HOOK_SECRET;
    expect(told.length).toBeGreaterThan(0);
    for (const hook of told) expect(hook).toMatchObject({ boot, secret });
  });
});
