/** `millpond dev --background` as a script and its developer see it: how to end it, and what its log says. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { finishCommand, freePort, freePorts, uploadForm, uploadToken } from '@millpond/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '../exit.ts';
import { PORTS } from './ports.ts';
import { type DevPlace, devPlace } from './testing.ts';

interface Ready {
  readonly stop: string;
  readonly log: string;
  readonly ports: { readonly http: number };
  readonly env: Readonly<Record<string, string>>;
}

let place: DevPlace;
let dev: Ready;
let isStopped = false;
beforeAll(async () => {
  place = devPlace();
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
