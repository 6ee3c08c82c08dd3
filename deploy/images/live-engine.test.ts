/** The engine of live streams, started as the chart starts it: with a read-only root, its configuration and what it writes on volumes. */
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { rtmpConfiguration } from '@millpond/server/rtmp-engine';
import { freePorts, publishRtmp } from '@millpond/testing';
import { expect, onTestFinished, test } from 'vitest';
import { imageNames, ROOT } from './containerfile.ts';
import { startAs } from './containers.ts';
import { USER } from './image-deployment.ts';

/** What the server is asked; it lets nobody in but `good`. */
async function startHooks(): Promise<number> {
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const isGood = new URLSearchParams(body.toString()).get('name') === 'good';
      response.writeHead(isGood ? 200 : 403).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as { port: number }).port;
}

test('lets in whom the server lets in, records, is healthy, and ends in order', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'mp-engine-'));
  onTestFinished(() => rm(home, { recursive: true }));
  const [engine, records] = [path.join(home, 'engine'), path.join(home, 'live')];
  const folders = [engine, path.join(engine, 'hls'), path.join(engine, 'tmp'), records];
  for (const folder of folders) {
    await mkdir(folder);
    await chown(folder, USER, USER);
  }
  const rtmp = await freePorts(3);
  const http = `127.0.0.1:${rtmp + 2}`;
  const template = await readFile(path.join(ROOT, 'deploy/nginx-rtmp/nginx.conf'), 'utf8');
  const configuration = rtmpConfiguration(template, {
    folder: '/engine',
    records: '/var/lib/millpond/live',
    secret: 'secret',
    rtmpListen: `127.0.0.1:${rtmp}`,
    feedListen: `127.0.0.1:${rtmp + 1}`,
    httpListen: http,
    hooks: `http://127.0.0.1:${await startHooks()}/v1/hooks/main`,
    recordInterval: '10m',
    updateInterval: '10s',
  });
  await writeFile(path.join(engine, 'nginx.conf'), configuration.replace('user root;', ''));
  const container = await startAs([
    '--read-only',
    '--cap-drop',
    'ALL',
    '--security-opt',
    'no-new-privileges',
    '--tmpfs',
    '/tmp',
    '--volume',
    `${engine}:/engine`,
    '--volume',
    `${records}:/var/lib/millpond/live`,
    '--env',
    `NGINX_RTMP_HTTP=${http}`,
    (await imageNames())['nginx-rtmp'],
    '-c',
    '/engine/nginx.conf',
  ]);
  onTestFinished(() => container.remove());
  await expect.poll(container.health).toBe('healthy');
  expect(await container.refusal('touch', '/etc/nginx/here')).toContain('Read-only file system');
  expect(await container.exec({}, 'id', '-u')).toBe(`${USER}\n`);

  const refused = await publishRtmp(`rtmp://127.0.0.1:${rtmp}/live/bad`);
  expect(refused.accepted).toBe(false);
  const publisher = await publishRtmp(`rtmp://127.0.0.1:${rtmp}/live/good`);
  expect(publisher.accepted).toBe(true);
  await expect.poll(() => readdir(records)).toEqual([expect.stringMatching(/^good-.*\.flv$/)]);

  // A publisher that stays holds nothing up.
  const { code, seconds } = await container.stop();
  publisher.close();
  expect(code).toBe(0);
  expect(seconds).toBeLessThan(10);
});

test('is not healthy where nothing answers', async () => {
  const container = await startAs([
    '--env',
    `NGINX_RTMP_HTTP=127.0.0.1:${await freePorts(1)}`,
    '--entrypoint',
    'sleep',
    (await imageNames())['nginx-rtmp'],
    'infinity',
  ]);
  onTestFinished(() => container.remove());
  // Three times, after which it is no longer only starting.
  await expect.poll(container.health).toBe('unhealthy');
});
