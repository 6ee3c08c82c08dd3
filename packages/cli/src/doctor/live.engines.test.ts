// @module-tag nginx
/** What `millpond doctor` says of the engines of live streams. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Diagnosis } from '@millpond/server';
import {
  createDeployment,
  createRtmpEngine,
  type Deployment,
  finishCommand,
  type RtmpEngine,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodes } from '../exit.ts';

let deployment: Deployment;
let engine: RtmpEngine;
beforeAll(async () => {
  [deployment, engine] = await Promise.all([createDeployment({ store: 'disk' }), createRtmpEngine()]);
});
afterAll(async () => {
  await engine?.destroy();
  await deployment?.destroy();
});

async function doctor(settings = {}): Promise<{ code: number | null; found: Diagnosis | undefined }> {
  const { code, stdout } = await finishCommand(
    { ...deployment.environment, ...engine.settings, ...settings },
    ['doctor', '--json'],
  );
  const all = stdout.trim().split('\n');
  const found = all.map((line) => JSON.parse(line) as Diagnosis);
  return { code, found: found.find(({ check }) => check === 'live engine main') };
}

test('an engine that does not answer, one with another secret, one with an old configuration, and one that is as it should be', async () => {
  const silent = await doctor();
  expect(silent.code).toBe(exitCodes.partial);
  expect(silent.found).toMatchObject({ state: 'bad', said: expect.stringContaining(engine.httpUrl) });
  await engine.start();
  expect((await doctor()).found).toEqual({
    check: 'live engine main',
    state: 'good',
    said: 'answers, 0 publishing',
  });
  expect((await doctor({ MILLPOND_LIVE_HOOK_SECRET: 'another' })).found).toMatchObject({
    state: 'bad',
    said: expect.stringContaining('a different secret than MILLPOND_LIVE_HOOK_SECRET'),
  });
  await engine.kill();
  const file = path.join(engine.hls, '../nginx.conf');
  await writeFile(file, (await readFile(file, 'utf8')).replace(/.*\/revision.*/, ''));
  await engine.start();
  const old = await doctor();
  expect(old.code).toBe(exitCodes.partial);
  expect(old.found).toMatchObject({
    state: 'bad',
    said: expect.stringContaining('put video of their own into any stream'),
    remedy: expect.stringContaining('deploy/nginx-rtmp/nginx.conf'),
  });
});
