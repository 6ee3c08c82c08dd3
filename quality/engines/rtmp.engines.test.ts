// @module-tag nginx
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rtmpDown, rtmpState, rtmpUp } from './src/rtmp.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millpond-engines-rtmp-'));
});
afterEach(async () => {
  await rtmpDown(folder);
  rmSync(folder, { recursive: true, force: true });
});

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });

test('an engine that an older version made gets the configuration of this one, and keeps its secret', async () => {
  const settings = { port: await freePort(), httpPort: await freePort(), serverPort: 8100 };
  await rtmpUp(folder, settings);
  const first = await rtmpState(folder);
  await rtmpUp(folder, settings);
  expect((await rtmpState(folder)).pid).toBe(first.pid);
  const file = join(folder, 'nginx.conf');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/.*\/revision.*/, ''));
  await rtmpUp(folder, settings);
  expect(readFileSync(file, 'utf8')).toBe(text);
  const state = await rtmpState(folder);
  expect(state).toMatchObject({ state: 'up', healthy: true });
  expect(state.pid).not.toBe(first.pid);
});
