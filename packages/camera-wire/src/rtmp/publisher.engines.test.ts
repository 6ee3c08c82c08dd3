// @module-tag nginx
/** Our publisher and a real engine. */
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createRtmpEngine, freePort, type RtmpEngine } from '@millpond/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FlvReader, type FlvTag } from './flv-reader.ts';
import { publishRtmp } from './publisher.ts';

const never = new AbortController().signal;
let engine: RtmpEngine;
let server: Server;
let video: FlvTag[];
/** What the engine's hooks tell, and whether publishers are let in. */
const told: URLSearchParams[] = [];
let status = 200;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      told.push(new URLSearchParams(body));
      response.writeHead(status).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  engine = await createRtmpEngine({ serverPort: (server.address() as AddressInfo).port });
  await engine.start();
  const args = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=size=640x480:rate=10', '-t', '3', '-g', '10'];
  const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-f', 'flv', 'pipe:1'];
  video = new FlvReader().add(execFileSync('/usr/bin/ffmpeg', [...args, ...codec], { maxBuffer: 2 ** 26 }));
});
afterAll(async () => {
  await engine?.destroy();
  server?.close();
});
beforeEach(() => {
  told.length = 0;
  status = 200;
});

const calls = () => told.map((hook) => hook.get('call'));

/** Those that the engine has written of a stream so far. */
function framesRecorded(name: string): number {
  const file = readdirSync(engine.records).find((each) => each.startsWith(name));
  if (file === undefined) return 0;
  const fields = ['-count_frames', '-show_entries', 'stream=nb_read_frames', '-of', 'csv=p=0'];
  const probe = ['-v', 'quiet', ...fields, path.join(engine.records, file)];
  const { stdout } = spawnSync('/usr/bin/ffprobe', probe);
  return Number(String(stdout).trim());
}

describe('a publisher', () => {
  test.each([
    ['from the beginning', 0],
    // After 4 hours and 40 minutes a time needs a place of its own.
    ['after hours', 0xffffff - 1500],
    ['after days', 3 * 86_400_000],
  ])('sends a video %s, and the engine has all of it', async (what, begin) => {
    const name = what.replaceAll(' ', '-');
    const publisher = await publishRtmp(`${engine.rtmpUrl}/${name}?key=k%26l`, never);
    for (const tag of video) await publisher.send({ ...tag, time: tag.time + begin });
    expect(told[0]?.get('key')).toBe('k&l');
    // It is closed without a word: until then the engine must have all of it.
    await expect.poll(() => framesRecorded(name)).toBe(30);
    publisher.close();
    await publisher.closed;
    await expect.poll(calls).toContain('record_done');
    expect(framesRecorded(name)).toBe(30);
  });

  test('that is refused, or has nobody to talk to, says so without its key', async () => {
    status = 403;
    const refused = publishRtmp(`${engine.rtmpUrl}/refused?key=secret`, never);
    await expect(refused).rejects.toThrow(/^the engine (?:closed the connection|refused the stream)$/);
    const away = publishRtmp(`rtmp://127.0.0.1:${await freePort()}/live/x?key=secret`, never);
    await expect(away).rejects.toThrow('the engine is unavailable');
    await expect(publishRtmp(`${engine.rtmpUrl}/x`, AbortSignal.abort())).rejects.toThrow();
  });

  test('of a stream that is published already is told that', async () => {
    const first = await publishRtmp(`${engine.rtmpUrl}/twice`, never);
    await expect(publishRtmp(`${engine.rtmpUrl}/twice`, never)).rejects.toThrow('already being published');
    first.close();
  });

  test('whose engine ends hears of it', async () => {
    const publisher = await publishRtmp(`${engine.rtmpUrl}/ends`, never);
    await engine.kill();
    await publisher.closed;
    await expect(publisher.send({ type: 9, time: 0, payload: Buffer.alloc(9) })).rejects.toThrow(
      'the engine',
    );
  });
});
