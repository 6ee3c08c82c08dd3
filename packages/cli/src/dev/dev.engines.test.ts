/** `millpond dev` as its users see it: one command, a clean machine afterwards. */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import {
  finishCommand,
  makeCertificate,
  signedFetch,
  signIn,
  stat,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { exitCodes } from '../exit.ts';
import { createDevFixture, type DevFixture, type DevProcess } from './testing.ts';

const COMMAND = path.join(import.meta.dirname, '../../bin/millpond.js');

let place: DevFixture;
beforeAll(() => {
  place = createDevFixture();
});
afterAll(() => place?.remove());

const keysOf = ({ env }: DevProcess) => ({
  accessKey: env.MILLPOND_ACCESS_KEY ?? '',
  secretKey: env.MILLPOND_SECRET_KEY ?? '',
});

async function upload(dev: DevProcess, key: string, policy: Record<string, unknown> = {}): Promise<Response> {
  const token = uploadToken(keysOf(dev), { scope: 'photos', ...policy });
  return uploadForm(dev.url, `content of ${key}`, { token, key });
}

/** The status over TLS, for a client that trusts the printed certificate. */
function secureStatus(dev: DevProcess): Promise<number | undefined> {
  const ca = readFileSync(dev.env.NODE_EXTRA_CA_CERTS ?? '');
  return new Promise((resolve, reject) => {
    const sent = request(`${dev.secureUrl}/status/get/prefop?id=z0.${'0'.repeat(40)}`, { ca, agent: false });
    sent.once('response', (answer) => resolve(answer.resume().statusCode)).once('error', reject);
    sent.end();
  });
}

describe('without --data', () => {
  let dev: DevProcess;
  beforeAll(async () => {
    dev = await place.start();
  });

  test('doctor finds nothing wrong with its own database', async () => {
    const { stdout } = await place.command('doctor', '--config', dev.env.MILLPOND_CONFIG ?? '');
    expect(stdout).not.toMatch(/^BAD +.*database/m);
    for (const name of ['control', 'region']) {
      expect(stdout).toContain(`good  database ${name}: reached, up to date`);
      expect(stdout).toContain(`good  commits of database ${name}: need not last`);
    }
  });

  test('a file goes in and out, over TLS too, and health says so [dev-01]', async () => {
    expect((await upload(dev, 'a.txt')).status).toBe(200);
    expect(await (await fetch(`${dev.url}/photos/a.txt`)).text()).toBe('content of a.txt');
    expect(await secureStatus(dev)).toBe(612);
    const health = await fetch(`${dev.controlUrl}/healthz`);
    expect(health.status).toBe(200);
    expect(await health.json()).toMatchObject({ state: 'ready', pid: dev.pid });
  });

  test('calls that need TLS elsewhere are judged without it too [dev-02]', async () => {
    const asked = await fetch(`${dev.url}/status/get/prefop?id=z0.${'0'.repeat(40)}`);
    expect(asked.status).toBe(612);
    const unnamed = await fetch(`${dev.url}/v1/user/info`, { method: 'POST' });
    expect(unnamed.status).toBe(401);
  });

  test('the same objects are there by S3, plain and over TLS', async () => {
    await upload(dev, 'by-form.txt');
    const unsigned = await fetch(`${dev.env.MILLPOND_URL_S3}/photos/by-form.txt`);
    // The seeded bucket is public, as new ones of our own protocol are.
    expect([unsigned.status, await unsigned.text()]).toEqual([200, 'content of by-form.txt']);
    const refused = await fetch(`${dev.env.MILLPOND_URL_S3}/`);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([403, 'application/xml']);
  });

  test('the console is there, for an operator', async () => {
    const { state } = await signIn(dev.console, dev.console);
    expect(state).toMatchObject({ email: 'dev@example.com', operator: true, hosts: { io: dev.url } });
    expect((await fetch(dev.console.url)).headers.get('x-frame-options')).toBe('DENY');
    const other = await fetch(`${dev.url}/session`);
    expect(other.headers.get('content-security-policy')).toBeNull();
  });

  test('a wrong signature is told what should have been signed', async () => {
    const token = uploadToken({ ...keysOf(dev), secretKey: 'wrong' }, { scope: 'photos' });
    const refused = await uploadForm(dev.url, 'x', { token, key: 'x' });
    expect([refused.status, await refused.json()]).toEqual([
      401,
      { error: 'bad token', hint: `wrong signature; the text to sign: ${token.split(':')[2]}` },
    ]);
  });

  test('callbacks reach this machine', async () => {
    const bodies: string[] = [];
    const receiver = createServer((incoming, answer) => {
      incoming.on('data', (piece: Buffer) => bodies.push(piece.toString()));
      incoming.on('end', () => answer.setHeader('content-type', 'application/json').end('{"seen":1}'));
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    const callback = { callbackUrl: `http://127.0.0.1:${port}/`, callbackBody: 'key=$(key)' };
    expect(await (await upload(dev, 'called.txt', callback)).json()).toEqual({ seen: 1 });
    expect(bodies.join('')).toBe('key=called.txt');
    receiver.close();
  });

  test('a shell that has its environment can run operators’ commands and servers: none of it is a wrong setting', async () => {
    const { code, stderr } = await finishCommand({ ...place.settings, ...dev.env }, ['account', 'list']);
    expect({ code, stderr }).toEqual({ code: exitCodes.done, stderr: '' });
  });

  test('env, and operators’ commands with what it says', async () => {
    const shown = await place.command('dev', 'env', '--port', new URL(dev.url).port);
    expect(shown.stdout).toContain(`export MILLPOND_URL='${dev.url}'\n`);
    expect(shown.stdout).toContain(`export MILLPOND_ACCESS_KEY='${dev.env.MILLPOND_ACCESS_KEY}'\n`);
    const listed = await place.command('account', 'list', '--config', dev.env.MILLPOND_CONFIG ?? '');
    expect(listed.stdout).toContain('dev@example.com');
    expect((await place.command('dev', 'env', '--port', '1')).code).toBe(exitCodes.usage);
  });

  test('env adds its certificate to those that the shell trusts already', async () => {
    const theirs = path.join(place.folder, 'theirs.pem');
    const another = await makeCertificate('another authority');
    writeFileSync(theirs, another.text);
    await another.remove();
    const settings = {
      ...place.settings,
      XDG_CACHE_HOME: path.join(place.folder, 'cache'),
      NODE_EXTRA_CA_CERTS: theirs,
    };
    const { stdout } = await finishCommand(settings, ['dev', 'env', '--json']);
    const { NODE_EXTRA_CA_CERTS: file = '' } = JSON.parse(stdout) as Record<string, string>;
    const trusted = readFileSync(file, 'utf8');
    expect(trusted).toContain(another.text);
    expect(trusted).toContain(readFileSync(dev.env.NODE_EXTRA_CA_CERTS ?? '', 'utf8'));
  });

  test('transfer commands with what it says, those that need TLS too', async () => {
    const listed = await finishCommand(dev.env, ['ls', ':', '--quiet']);
    expect(listed.stdout).toContain('photos');
    const refused = await finishCommand(dev.env, ['pfop', ':photos/none', '--fops', 'qhash/md5']);
    expect(refused.code).toBe(exitCodes.notFound);
  });

  test('usage and live with what it says, of its own account and as an operator', async () => {
    const own = await finishCommand(dev.env, ['usage', '--json']);
    expect(own).toMatchObject({ code: exitCodes.done, stderr: '' });
    expect(JSON.parse(own.stdout)).toMatchObject({ buckets: [{ bucket: 'photos' }] });
    const named = await finishCommand(dev.env, ['usage', 'dev@example.com', '--json']);
    expect(JSON.parse(named.stdout)).toMatchObject({ buckets: [{ bucket: 'photos' }] });
    expect(await finishCommand(dev.env, ['live', 'namespaces', '--json'])).toEqual({
      code: exitCodes.done,
      stdout: '',
      stderr: '',
    });
    expect(
      await finishCommand(dev.env, ['live', 'namespaces', '--account', 'none@example.com']),
    ).toMatchObject({ code: exitCodes.notFound });
  });

  test('a reset brings back the first state, and a page in a browser can not ask for one', async () => {
    await upload(dev, 'gone.txt');
    const asked = await fetch(`${dev.controlUrl}/reset`, {
      method: 'POST',
      headers: { origin: 'https://x.y' },
    });
    expect(asked.status).toBe(403);
    expect((await stat(dev.url, keysOf(dev), 'photos', 'gone.txt')).status).toBe(200);

    expect((await fetch(`${dev.controlUrl}/reset`, { method: 'POST' })).status).toBe(200);
    expect((await stat(dev.url, keysOf(dev), 'photos', 'gone.txt')).status).toBe(612);
    expect((await upload(dev, 'again.txt')).status).toBe(200);
  });

  test('a page in a browser reads what is public only where the bucket’s CORS rules let it', async () => {
    expect((await upload(dev, 'public.txt')).status).toBe(200);
    const asPage = () => fetch(`${dev.url}/photos/public.txt`, { headers: { origin: 'https://x.y' } });
    const allowed = (answer: Response) => answer.headers.get('access-control-allow-origin');
    const unasked = await asPage();
    expect([unasked.status, allowed(unasked)]).toEqual([200, null]);
    const preflight = { origin: 'https://x.y', 'access-control-request-method': 'GET' };
    const asked = await fetch(`${dev.url}/photos/public.txt`, { method: 'OPTIONS', headers: preflight });
    expect([asked.status, allowed(asked)]).toEqual([403, null]);
    const body = JSON.stringify([{ allowed_origin: ['https://x.y'], allowed_method: ['GET'] }]);
    const set = await signedFetch(dev.url, keysOf(dev), '/corsRules/set/photos', { body });
    expect(set.status).toBe(200);
    await expect.poll(async () => allowed(await asPage())).toBe('https://x.y');
  });

  test('Ctrl-C leaves nothing: no folder, no PostgreSQL, no RTMP engine', async () => {
    const folder = path.dirname(dev.env.MILLPOND_CONFIG ?? '');
    expect(existsSync(path.join(folder, 'postgres'))).toBe(true);
    expect(processesWith(path.join(folder, 'postgres'))).not.toEqual([]);
    expect(processesWith(path.join(folder, 'rtmp'))).not.toEqual([]);
    expect(await dev.kill('SIGINT')).toBe(exitCodes.done);
    expect(place.leftovers()).toEqual([]);
    expect(processesWith(folder)).toEqual([]);
  });
});

describe('with --data and a seed file', () => {
  const seedFile = () => path.join(place.folder, 'seed.json');
  const keys = { accessKey: 'a'.repeat(40), secretKey: 's'.repeat(40) };

  test('what was seeded is there, and stays with what came later; a killed run is cleaned up after', async () => {
    writeFileSync(path.join(place.folder, 'cat.txt'), 'a cat');
    const objects = [
      { key: 'cat.txt', file: 'cat.txt', metadata: { owner: 'me' } },
      { key: 'old.txt', text: 'frozen', class: 2 },
    ];
    const buckets = [
      { name: 'photos', objects },
      { name: 'secret', private: true },
    ];
    const templates = { small: 'imageView2/1/w/100' };
    const seed = { accounts: [{ email: 'app@example.com', ...keys, buckets, templates }] };
    writeFileSync(seedFile(), JSON.stringify(seed));
    const data = path.join(place.folder, 'data');

    const first = await place.start('--data', data, '--seed', seedFile(), '--time-factor', '600');
    expect(keysOf(first)).toEqual(keys);
    expect(await (await fetch(`${first.url}/photos/cat.txt`)).text()).toBe('a cat');
    expect(await (await stat(first.url, keys, 'photos', 'old.txt')).json()).toMatchObject({ type: 2 });
    expect((await fetch(`${first.url}/secret/x`)).status).toBe(401);
    const restored = await signedFetch(
      first.url,
      keys,
      `/restoreAr/${Buffer.from('photos:old.txt').toString('base64url')}/freezeAfterDays/7`,
    );
    expect(restored.status).toBe(200);
    // A minute, 600 times faster.
    await vi.waitFor(async () => expect((await fetch(`${first.url}/photos/old.txt`)).status).toBe(200), {
      timeout: 300_000,
      interval: 100,
    });
    expect((await upload(first, 'later.txt')).status).toBe(200);

    // Only one may use a folder at a time.
    const second = await place.command('dev', '--port', '0', '--data', data);
    expect(second.code).toBe(exitCodes.usage);
    expect(second.stderr).toContain(`is in use by \`millpond dev\` with pid ${first.pid}`);

    await first.kill('SIGKILL');
    const left = place.leftovers();
    expect(left).toHaveLength(1);
    const again = await place.start('--data', data);
    expect(place.leftovers()).not.toContain(left[0]);
    expect(place.leftovers()).toHaveLength(1);
    expect(await (await fetch(`${again.url}/photos/later.txt`)).text()).toBe('content of later.txt');

    const reset = await place.command('dev', 'reset');
    expect(reset.stdout).toBe('reset\n');
    expect((await fetch(`${again.url}/photos/later.txt`)).status).toBe(404);
    expect(await (await fetch(`${again.url}/photos/cat.txt`)).text()).toBe('a cat');

    // Somebody in another folder may mean a run of their own.
    const elsewhere = {
      cwd: place.folder,
      env: { PATH: process.env.PATH, ...place.settings },
      encoding: 'utf8',
    } as const;
    const refused = spawnSync(process.execPath, [COMMAND, 'dev', 'stop'], elsewhere);
    expect([refused.status, refused.stderr]).toEqual([
      exitCodes.usage,
      expect.stringMatching(/started in .+; give --port \d+ if you mean that one/),
    ]);
    expect((await place.command('dev', 'stop')).stdout).toBe(
      `stopped the one at port ${new URL(again.url).port}, started in ${process.cwd()}\n`,
    );
    expect(place.leftovers()).toEqual([]);
    expect(existsSync(path.join(data, 'database'))).toBe(true);
  });

  test('faults of a seed file are told with their places', async () => {
    writeFileSync(seedFile(), '{"accounts": [{"email": "x"}]}');
    const { code, stderr } = await place.command('dev', '--seed', seedFile());
    expect({ code, stderr }).toEqual({
      code: exitCodes.usage,
      stderr: 'millpond: the seed file has 1 fault:\n  - accounts[0].email must be an e-mail address\n',
    });
    const missing = await place.command('dev', '--seed', path.join(place.folder, 'none.json'));
    expect(missing.code).toBe(exitCodes.usage);
    expect(missing.stderr).toContain("can't be read");
  });
});

test('a folder of somebody else’s is refused, and left as it is', async () => {
  const folder = path.join(place.folder, 'theirs');
  mkdirSync(path.join(folder, 'blobs'), { recursive: true });
  writeFileSync(path.join(folder, 'blobs/precious'), 'theirs');
  const { code, stderr } = await place.command('dev', '--port', '0', '--data', folder);
  expect(code).toBe(exitCodes.usage);
  expect(stderr).toContain('is not empty and was not created by `millpond dev`');
  expect(readFileSync(path.join(folder, 'blobs/precious'), 'utf8')).toBe('theirs');
});

test('what is missing is named, with what is off and how to get it', async () => {
  const { missing } = await place.startWith({ MILLPOND_FFMPEG: '/none/ffmpeg' });
  expect(missing).toContainEqual({
    program: 'ffmpeg',
    off: expect.stringMatching(/^processing of sound and video, .*avinfo$/),
    reason: '/none/ffmpeg is missing',
    remedy: 'apt-get install ffmpeg',
  });
});

test('a port that is taken is named', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { code, stderr } = await place.command('dev', '--port', String(Math.min(port, 65_520)));
  expect(code).toBe(exitCodes.usage);
  expect(stderr).toMatch(/^millpond: port \d+ is in use: give another --port/);
  server.close();
});

test('an older Node says in one line what is needed', () => {
  const older = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"22.11.0"})';
  const { status, stderr } = spawnSync(process.execPath, ['--import', older, COMMAND, 'dev'], {
    encoding: 'utf8',
  });
  expect(status).toBe(exitCodes.usage);
  expect(stderr).toBe('millpond needs Node 24 or newer; this is 22.11.0. `npm i node@26` installs one.\n');
});

/** Processes that were started with this folder among their arguments. */
function processesWith(folder: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });
}
