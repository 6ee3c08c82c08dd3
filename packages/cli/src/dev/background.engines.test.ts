/** `millpond dev --background` as a script and its developer see it: how to end it, and what its log says. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { finishCommand, freePort, freePorts, uploadForm, uploadToken } from '@millpond/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '../exit.ts';
import { PORTS } from './ports.ts';
import { createDevFixture, type DevFixture } from './testing.ts';

interface Ready {
  readonly stop: string;
  readonly log: string;
  readonly ports: { readonly http: number };
  readonly env: Readonly<Record<string, string>>;
}

let place: DevFixture;
let dev: Ready;
let isStopped = false;
beforeAll(async () => {
  place = createDevFixture();
  const log = path.join(place.folder, 'dev.log');
  // As npx starts it, which has ended before anything is asked of it.
  const settings = { ...place.settings, npm_command: 'exec' };
  const port = String(await freePorts(PORTS));
  const args = ['dev', '--background', '--port', port, '--json', '--log', log];
  const started = await finishCommand(settings, args);
  dev = JSON.parse(started.stdout) as Ready;
});
afterAll(async () => {
  if (!isStopped && dev !== undefined) await place.command('dev', 'stop', '--port', `${dev.ports.http}`);
  await place?.remove();
});

const url = () => `http://127.0.0.1:${dev.ports.http}`;

async function upload(token: string): Promise<Response> {
  return uploadForm(url(), 'content', { token, key: 'a.txt' });
}

/** The lines of its log about the request that was answered so. */
async function logged(answer: Response): Promise<Record<string, unknown>[]> {
  const reqid = answer.headers.get('x-reqid') ?? '';
  return vi.waitUntil(
    () => {
      const lines = readFileSync(dev.log, 'utf8').split('\n');
      const found = lines.filter((line) => line.includes(`"reqid":"${reqid}"`));
      return found.length > 0 && found.map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    { timeout: 300_000 },
  );
}

test('the log shows requests that were refused, with the reason, and no others', async () => {
  const keys = { accessKey: dev.env.MILLPOND_ACCESS_KEY ?? '', secretKey: dev.env.MILLPOND_SECRET_KEY ?? '' };
  const stored = await upload(uploadToken(keys, { scope: 'photos' }));
  expect(stored.status).toBe(200);

  const expired = await upload(uploadToken(keys, { scope: 'photos', deadline: 1 }));
  expect(expired.status).toBe(401);
  expect(await logged(expired)).toMatchObject([
    { level: 'warn', msg: 'request refused', method: 'POST', path: '/', status: 401, error: 'expired token' },
  ]);
  const missing = await fetch(`${url()}/photos/none?token=secret`);
  expect(await logged(missing)).toMatchObject([{ status: 404, path: '/photos/none', error: 'not found' }]);

  // The object is stored, and the application was not told: nothing else says so on this side.
  const nobody = `127.0.0.1:${await freePort()}`;
  const callback = { callbackUrl: `http://${nobody}/done?token=secret`, callbackBody: 'key=$(key)' };
  const untold = await upload(uploadToken(keys, { scope: 'photos', ...callback }));
  expect(untold.status).toBe(579);
  expect(await logged(untold)).toMatchObject([
    { status: 579, detail: expect.stringContaining(`its callback to ${nobody} failed: `) },
  ]);

  const log = readFileSync(dev.log, 'utf8');
  expect(log).not.toContain(stored.headers.get('x-reqid'));
  expect(log).not.toContain('token=secret');
});

test('it says how to end it, and ends so from any folder', async () => {
  expect(dev.stop).toBe(`npx millpond dev stop --port ${dev.ports.http}`);
  const { code, stdout } = await finishCommand(place.settings, dev.stop.split(' ').slice(2));
  expect({ code, stdout }).toEqual({ code: exitCodes.done, stdout: expect.stringMatching(/^stopped /) });
  isStopped = true;
});

/** A start that fails, in the folder of one that was there before: its words and its exit code. */
async function failing(...args: string[]) {
  const log = path.join(place.folder, 'failing.log');
  writeFileSync(log, 'millpond: of an earlier run\n');
  const { code, stdout, stderr } = await finishCommand(place.settings, [
    'dev',
    '--background',
    '--log',
    log,
    ...args,
  ]);
  return { code, stdout, stderr };
}

test('a fault in the seed file is told as the command itself would, and nothing is started', async () => {
  const seed = path.join(place.folder, 'seed.json');
  writeFileSync(
    seed,
    '{ "accounts": [{ "email": 5, "buckets": [{ "name": "photos", "objects": [{ "key": "a", "file": "none.jpg" }] }] }] }',
  );
  const words = `the seed file has 2 faults:
  - accounts[0].email must be an e-mail address
  - accounts[0].buckets[0].objects[0].file names ${path.join(place.folder, 'none.jpg')}, which does not exist`;
  const told = await failing('--seed', seed);
  expect(told).toEqual({ code: exitCodes.usage, stdout: '', stderr: `millpond: ${words}\n` });
  const { stdout } = await failing('--seed', seed, '--json');
  expect(JSON.parse(stdout)).toEqual({
    status: 'failed',
    error: { status: 0, message: words, code: 'usage' },
  });
});

test('what keeps it from starting later is told once, in its own words, and not in those of earlier runs', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const told = await failing('--port', String(port));
  expect(told).toEqual({
    code: exitCodes.usage,
    stdout: '',
    stderr: expect.stringMatching(new RegExp(`^millpond: .*\\b${port}\\b.*\\n$`)),
  });
  const { stdout } = await failing('--port', String(port), '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining(String(port)), code: 'usage' },
  });
  taken.close();
});
