/** Our publisher and a real engine. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRtmpEngine, freePort, type RtmpEngine } from '@millpond/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FlvReader, type FlvTag } from './flv-reader.ts';
import { publishRtmp } from './publisher.ts';

const never = new AbortController().signal;
let engine: RtmpEngine;
let server: Server;
let film: FlvTag[];
/** What the engine's hooks tell, and whether publishers are let in. */
const told: URLSearchParams[] = [];
let status = 200;

beforeAll(async () => {
  const serverPort = await freePort();
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      told.push(new URLSearchParams(body));
      response.writeHead(status).end();
    });
  }).listen(serverPort, '127.0.0.1');
  await once(server, 'listening');
  engine = await createRtmpEngine({ serverPort });
  await engine.start();
  const args = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=size=640x480:rate=10', '-t', '3', '-g', '10'];
  const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-f', 'flv', 'pipe:1'];
  film = new FlvReader().add(execFileSync('/usr/bin/ffmpeg', [...args, ...codec], { maxBuffer: 2 ** 26 }));
}, 60_000);
afterAll(async () => {
  await engine?.destroy();
  server?.close();
});
beforeEach(() => {
  told.length = 0;
  status = 200;
});

const calls = () => told.map((hook) => hook.get('call'));

describe('a publisher', () => {
  test.each([
    ['from the beginning', 0],
    // After 4 hours and 40 minutes a time needs a place of its own.
    ['after hours', 0xffffff - 1500],
    ['after days', 3 * 86_400_000],
  ])('sends a film %s, and the engine has all of it', async (what, begin) => {
    const name = what.replaceAll(' ', '-');
    const publisher = await publishRtmp(`${engine.rtmpUrl}/${name}?key=k%26l`, never);
    for (const tag of film) await publisher.send({ ...tag, time: tag.time + begin });
    await sleep(200);
    publisher.close();
    await publisher.closed;
    await expect.poll(calls, { timeout: 20_000 }).toContain('record_done');
    expect(told[0]?.get('key')).toBe('k&l');
    const file = readdirSync(engine.records).find((each) => each.startsWith(name)) ?? '';
    const probe = [
      '-v',
      'error',
      '-count_frames',
      '-show_entries',
      'stream=nb_read_frames',
      '-of',
      'csv=p=0',
    ];
    const frames = execFileSync('/usr/bin/ffprobe', [...probe, path.join(engine.records, file)]);
    expect(Number(String(frames).trim())).toBe(30);
  });

  test('that is refused, or has nobody to talk to, says so without its key', async () => {
    status = 403;
    const refused = publishRtmp(`${engine.rtmpUrl}/refused?key=secret`, never);
    await expect(refused).rejects.toThrow(/^the engine (?:closed the connection|does not let it in)$/);
    const away = publishRtmp(`rtmp://127.0.0.1:${await freePort()}/live/x?key=secret`, never);
    await expect(away).rejects.toThrow('the engine is away');
    await expect(publishRtmp(`${engine.rtmpUrl}/x`, AbortSignal.abort())).rejects.toThrow();
  });

  test('of a stream that is published already is told that', async () => {
    const first = await publishRtmp(`${engine.rtmpUrl}/twice`, never);
    await expect(publishRtmp(`${engine.rtmpUrl}/twice`, never)).rejects.toThrow('published already');
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
