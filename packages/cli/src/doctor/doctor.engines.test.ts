// @module-tag sandbox
/** `millpond doctor` finds each thing that it promises to find, by a real cause, and says what to do. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Diagnosis } from '@millpond/server';
import {
  type Certificate,
  createDeployment,
  type Deployment,
  finishCommand,
  freePort,
  makeCertificate,
  type SecureServer,
  startSecure,
} from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exitCodes } from '../exit.ts';

const COMMAND = path.join(import.meta.dirname, '../../bin/millpond.js');

let deployment: Deployment;
let certificate: Certificate;
let server: SecureServer;

beforeAll(async () => {
  [deployment, certificate] = await Promise.all([createDeployment({ store: 'disk' }), makeCertificate()]);
  await deployment.createAccount();
  server = await startSecure(deployment, certificate, {
    MILLPOND_TRUSTED_PROXIES: '127.0.0.1',
  });
});
afterAll(async () => {
  await deployment?.destroy();
  await certificate?.remove();
});

async function doctor(settings: Readonly<Record<string, string>>, ...args: string[]) {
  const trusted = { NODE_EXTRA_CA_CERTS: certificate.settings.MILLPOND_TLS_CERT ?? '' };
  const { code, stdout, stderr } = await finishCommand(
    { ...deployment.environment, ...trusted, ...settings },
    ['doctor', '--json', ...args],
  );
  expect(stderr).toBe('');
  return { code, found: readDiagnoses(stdout) };
}

function readDiagnoses(stdout: string): Diagnosis[] {
  const lines = stdout.trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Diagnosis);
}

/** What is wrong, without the sandbox: machines of developers may lack it. */
function wrong(found: readonly Diagnosis[]): Diagnosis[] {
  return found.filter(({ state, check }) => (state === 'bad' || state === 'off') && check !== 'sandbox');
}

test('a sound deployment: nothing is found, from the databases to the public address', async () => {
  const receiver = { MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32' };
  // Its own listeners are never called; the admin listener is not one that users reach.
  const { found } = await doctor(receiver, '--url', server.secureUrl, '--egress', server.adminUrl);
  expect(wrong(found)).toEqual([]);
  const checks = found.filter(({ state }) => state === 'good').map(({ check }) => check);
  expect(checks).toEqual(
    expect.arrayContaining([
      'configuration',
      'database control',
      'clock of database region',
      'master key',
      'disk for bytes',
      'ffmpeg',
      `way to ${new URL(server.adminUrl).host}`,
      `address ${server.secureUrl}`,
      `clock of address ${server.secureUrl}`,
    ]),
  );
});

test('clock skew, against the database and against the public address', async () => {
  const late = `data:text/javascript,${encodeURIComponent('const now = Date.now; Date.now = () => now() - 60_000')}`;
  const { code, found } = await doctor({ NODE_OPTIONS: `--import=${late}` }, '--url', server.secureUrl);
  expect(code).toBe(exitCodes.partial);
  const skewed = wrong(found).filter(({ check }) => check.startsWith('clock of '));
  expect(skewed.map(({ check }) => check)).toEqual([
    'clock of database control',
    'clock of database region',
    `clock of address ${server.secureUrl}`,
  ]);
  for (const { said, remedy } of skewed) {
    expect(said).toMatch(/^(59|60|61)\.\d s ahead of this machine's$/);
    expect(remedy).toContain('NTP');
  }
});

describe('a proxy in front', () => {
  const proxies: Server[] = [];
  afterAll(() => {
    for (const proxy of proxies) proxy.close();
  });

  /** Over TLS to us, by plain HTTP to the server. */
  async function proxyThat(change: {
    path?: (path: string) => string;
    status?: (status: number) => number;
    headers?: Record<string, string>;
  }): Promise<string> {
    const options = {
      cert: certificate.text,
      key: await readFile(certificate.settings.MILLPOND_TLS_KEY ?? ''),
    };
    const proxy = createServer(options, (incoming, answer) => {
      const headers = { ...incoming.headers, ...(change.headers ?? { 'x-forwarded-proto': 'https' }) };
      const url = `${server.url}${(change.path ?? String)(incoming.url ?? '/')}`;
      request(url, { method: incoming.method, headers, agent: false }, (from) => {
        answer.writeHead((change.status ?? Number)(from.statusCode ?? 0), from.headers);
        from.pipe(answer);
      }).end();
    });
    proxies.push(proxy);
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    return `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  }

  test('that rewrites 612, one that rewrites //, one that is not trusted, and one that passes all on', async () => {
    const urls = {
      statuses: await proxyThat({ status: (status) => (status > 599 ? 502 : status) }),
      slashes: await proxyThat({ path: (given) => given.replace(/\/\/+/g, '/') }),
      untrusted: await proxyThat({ headers: {} }),
      good: await proxyThat({}),
    };
    const { code, found } = await doctor({}, ...Object.values(urls).flatMap((url) => ['--url', url]));
    expect(code).toBe(exitCodes.partial);
    const at = (url: string) => wrong(found).filter(({ check }) => check === `address ${url}`);
    expect(at(urls.statuses)).toEqual([
      expect.objectContaining({
        said: expect.stringContaining('answers 502 where the server sends 612') as string,
        remedy: expect.stringContaining('proxy_intercept_errors off') as string,
      }),
    ]);
    expect(at(urls.slashes)).toEqual([
      expect.objectContaining({
        said: expect.stringContaining('rewrites paths with //') as string,
        remedy: expect.stringContaining('merge_slashes off') as string,
      }),
    ]);
    expect(at(urls.untrusted)).toEqual([
      expect.objectContaining({
        said: 'the server takes HTTPS requests for plain HTTP',
        remedy: expect.stringContaining('MILLPOND_TRUSTED_PROXIES') as string,
      }),
    ]);
    expect(at(urls.good)).toEqual([]);
  });

  test('that is not there', async () => {
    const url = `https://127.0.0.1:${await freePort()}`;
    const { found } = await doctor({}, '--url', url);
    expect(wrong(found)).toEqual([
      expect.objectContaining({
        check: `address ${url}`,
        said: expect.stringContaining('ECONNREFUSED') as string,
      }),
    ]);
  });
});

test('closed egress: nobody answers, and an address that is refused', async () => {
  const port = await freePort();
  const closed = `http://127.0.0.1:${port}/`;
  const open = await doctor({ MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32' }, '--egress', closed);
  expect(wrong(open.found)).toEqual([
    {
      check: `way to 127.0.0.1:${port}`,
      state: 'bad',
      said: expect.stringContaining('the connection was refused') as string,
      remedy: expect.stringContaining('firewall') as string,
    },
  ]);
  const refused = await doctor({}, '--egress', closed);
  expect(wrong(refused.found)).toEqual([
    expect.objectContaining({ remedy: expect.stringContaining('MILLPOND_OUTBOUND_ALLOW') as string }),
  ]);
});

test('missing ffmpeg and ffprobe', async () => {
  const { code, found } = await doctor({
    MILLPOND_FFMPEG: '/none/ffmpeg',
    MILLPOND_FFPROBE: '/none/ffprobe',
  });
  expect(code).toBe(exitCodes.partial);
  expect(wrong(found).map(({ check, remedy }) => [check, remedy])).toEqual([
    ['ffmpeg', expect.stringContaining('apt-get install ffmpeg')],
    ['ffprobe', expect.stringContaining('apt-get install ffmpeg')],
  ]);
});

test('missing bwrap', async () => {
  // In a view of the system of its own, where the program is covered by what is none.
  const cover = 'test ! -e /usr/bin/bwrap || mount --bind /dev/null /usr/bin/bwrap; exec "$@"';
  const args = ['-Urm', 'sh', '-c', cover, 'sh', process.execPath, COMMAND, 'doctor', '--json'];
  const env = { PATH: process.env.PATH, MILLPOND_CONFIG: '/dev/null', ...deployment.environment };
  const failed: unknown = await promisify(execFile)('unshare', args, { env }).catch(
    (error: unknown) => error,
  );
  const { code, stdout } = failed as { code: number; stdout: string };
  expect(code).toBe(exitCodes.partial);
  expect(readDiagnoses(stdout)).toContainEqual({
    check: 'sandbox',
    state: 'off',
    said: expect.stringContaining('/usr/bin/bwrap is missing') as string,
    remedy: 'apt-get install bubblewrap',
  });
});

test('unreachable engines: the database, and the store for bytes', async () => {
  const nowhere = `127.0.0.1:${await freePort()}`;
  const { code, found } = await doctor({
    MILLPOND_REGION_DB: `postgres://millpond:secret@${nowhere}/x`,
    MILLPOND_BLOBS: 's3',
    MILLPOND_S3_ENDPOINT: `http://${nowhere}`,
    MILLPOND_S3_ACCESS_KEY: 'a',
    MILLPOND_S3_SECRET_KEY: 'hidden',
  });
  expect(code).toBe(exitCodes.partial);
  expect(wrong(found)).toEqual([
    {
      check: 'database region',
      state: 'bad',
      said: expect.stringContaining('ECONNREFUSED') as string,
      remedy: expect.stringContaining('MILLPOND_REGION_DB') as string,
    },
    {
      check: 'engine for bytes',
      state: 'bad',
      said: expect.stringContaining('does not answer') as string,
      remedy: expect.stringContaining('MILLPOND_S3_ENDPOINT') as string,
    },
  ]);
  expect(JSON.stringify(found)).not.toMatch(/secret@|hidden/);
});

test('a missing master key, and one that is not the one in use', async () => {
  const without = await doctor({ MILLPOND_MASTER_KEY: '' });
  expect(without.code).toBe(exitCodes.partial);
  expect(without.found).toEqual([
    {
      check: 'master key',
      state: 'bad',
      said: expect.stringContaining('MILLPOND_MASTER_KEY is required') as string,
      remedy: expect.stringContaining('openssl rand -base64 32') as string,
    },
  ]);
  const other = await doctor({ MILLPOND_MASTER_KEY: `other:${Buffer.alloc(32, 7).toString('base64')}` });
  expect(wrong(other.found)).toEqual([
    {
      check: 'master key',
      state: 'bad',
      said: expect.stringMatching(/^not configured, but in use: ".+" \(1 access keys\)$/) as string,
      remedy: expect.stringContaining('backup') as string,
    },
  ]);
});

test('a server does not start with a master key of other bytes than those that sealed', async () => {
  const [id] = (deployment.environment.MILLPOND_MASTER_KEY ?? '').split(':');
  const changed = { MILLPOND_MASTER_KEY: `${id}:${Buffer.alloc(32, 7).toString('base64')}` };
  const said = `configured with different bytes than those that sealed "${id}" (1 access keys)`;
  expect(wrong((await doctor(changed)).found)).toMatchObject([{ check: 'master key', said }]);
  const started = await finishCommand({ ...deployment.environment, ...changed }, ['serve']);
  expect(started).toMatchObject({ code: exitCodes.fatal, stderr: expect.stringContaining(said) as string });
});

test('a master key that others can read: found, and no server starts with it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mp-doctor-'));
  const file = path.join(folder, 'master-key');
  await writeFile(file, deployment.environment.MILLPOND_MASTER_KEY ?? '');
  const settings = { MILLPOND_MASTER_KEY: '', MILLPOND_MASTER_KEY_FILE: file };
  await chmod(file, 0o644);
  const open = await doctor(settings);
  expect(open.code).toBe(exitCodes.partial);
  expect(open.found).toEqual([
    {
      check: 'master key',
      state: 'bad',
      said: expect.stringContaining(`${file} has mode 644`) as string,
      remedy: expect.stringContaining('chmod 640') as string,
    },
  ]);
  const started = await finishCommand({ ...deployment.environment, ...settings }, ['serve']);
  expect(started.code).not.toBe(exitCodes.done);
  expect(started.stderr).toContain(`chmod 640 ${file}`);
  await chmod(file, 0o640);
  expect(wrong((await doctor(settings)).found)).toEqual([]);
  await rm(folder, { recursive: true });
});

test('people get lines, with what to do below them', async () => {
  const { code, stdout } = await finishCommand({}, ['doctor']);
  expect(code).toBe(exitCodes.partial);
  expect(stdout).toMatch(
    /^BAD {3}master key: MILLPOND_MASTER_KEY is required: .+\n {6}→ a new deployment: /m,
  );
});
