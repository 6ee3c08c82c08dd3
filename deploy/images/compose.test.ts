/**
 * The compose file, started by podman-compose with what its first lines say. Where no registry is reached, PostgreSQL's image is made of
 * Debian's packages. Needs the port 8100 of this machine.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { ROOT } from './containerfile.ts';
import { containerOf, inspect, podman } from './containers.ts';
import { USER } from './image-deployment.ts';

const run = promisify(execFile);
const POSTGRES = 'docker.io/library/postgres:18';
/** Not that of an operator who started the file here. */
const PROJECT = 'millpond-test';
const NETWORK = `${PROJECT}_default`;
const nameOf = (service: string) => `${PROJECT}_${service}_1`;
const GATEWAY = 'http://127.0.0.1:8100';
/** As a proxy in front of it asks. */
const PROXIED = { 'x-forwarded-proto': 'https' };

let secrets: string;
let hasStandIn = false;
const compose = (...args: readonly string[]) =>
  run(
    'podman-compose',
    [
      '-p',
      PROJECT,
      '--podman-args=--runtime runc',
      // Limits that are lower than the machine's own, which may not be raised everywhere.
      '--podman-run-args=--ulimit nofile=20000:20000 --ulimit nproc=32000:32000',
      '-f',
      path.join(ROOT, 'deploy/container/compose.yaml'),
      ...args,
    ],
    { maxBuffer: 2 ** 26, env: { ...process.env, MILLPOND_SECRETS: secrets } },
  );
const millpond = async (env: Readonly<Record<string, string>>, ...args: readonly string[]) => {
  const flags = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  return (await podman('exec', ...flags, nameOf('gateway'), 'millpond', ...args)).stdout.trim();
};

beforeAll(async () => {
  await ensurePostgres();
  secrets = await makeSecrets();
  await compose('down', '-v');
  await podman('network', 'rm', '--force', NETWORK);
  await ensureNetwork();
  await compose('up', '-d');
  const { stdout: version } = await run('podman-compose', ['--version']);
  const used = await podman('exec', nameOf('postgres'), 'postgres', '--version');
  console.log(
    `${version.trim().replaceAll('\n', ', ')}; ${used.stdout.trim()}${hasStandIn ? ', of Debian' : ''}`,
  );
});
afterAll(async () => {
  await compose('down', '-v');
  await podman('network', 'rm', '--force', NETWORK);
  // Under its name nobody may find another image later.
  if (hasStandIn) await podman('rmi', POSTGRES);
  await rm(secrets, { recursive: true });
});

test('what it starts takes an upload, gives it back smaller, keeps it over a restart, and believes its proxy', async () => {
  onTestFailed(sayLogs);
  const ask = (target: string, init?: RequestInit) => fetch(`${GATEWAY}${target}`, init);
  await expect
    .poll(() =>
      ask('/').then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(405);
  await expectStarted();
  const account = await millpond(
    {},
    'account',
    'create',
    'you@example.com',
    '--bucket',
    'photos',
    '--export',
  );
  const keys = parseEnv(account.replaceAll('export ', '')) as Record<string, string>;
  const token = await millpond(keys, 'token', 'make', 'photos');
  const form = new FormData();
  const file = path.join(secrets, 'picture.png');
  await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=size=640x360', '-frames:v', '1', file]);
  const picture = await readFile(file);
  form.set('token', token);
  form.set('key', 'picture.png');
  form.set('file', new Blob([new Uint8Array(picture)]), 'picture.png');
  expect((await ask('/', { method: 'POST', body: form })).status).toBe(200);
  const smaller = await ask('/photos/picture.png?imageView2/2/w/100');
  // Where a PNG has its width.
  expect(new DataView(await smaller.arrayBuffer()).getUint32(16)).toBe(100);

  // Over HTTPS only: the proxy's word for it counts, because it comes from the address that the file names.
  const task = (headers: Record<string, string>) => ask('/pfop/', { method: 'POST', body: '', headers });
  expect((await task({})).status).toBe(400);
  expect((await task(PROXIED)).status).toBe(401);

  await compose('down');
  await ensureNetwork();
  await compose('up', '-d');
  await expect
    .poll(() =>
      ask('/photos/picture.png').then(
        async (answer) => Buffer.compare(Buffer.from(await answer.arrayBuffer()), picture),
        () => undefined,
      ),
    )
    .toBe(0);
});

/** The deploy step ended well, nothing served before it was done, both are healthy by the check that the image brings, and confined as the file says. */
async function expectStarted(): Promise<void> {
  // Once the tables are there it still looks at the blob store.
  await expect
    .poll(() => inspect(nameOf('migrate'), '{{.State.Status}} {{.State.ExitCode}}'))
    .toBe('exited 0');
  const migratedAt = await lastMigration();
  for (const name of [nameOf('gateway'), nameOf('worker')]) {
    // The podman-compose of Debian 12 starts all at once, whatever the file says of their order: what comes too early ends, and is started again.
    await expect.poll(() => startOf(name)).toBeGreaterThanOrEqual(migratedAt);
    const container = containerOf(name);
    await expect.poll(container.health).toBe('healthy');
    expect(await container.refusal('touch', '/opt/here')).toContain('Read-only file system');
    expect(await container.exec({}, 'id', '-u')).toBe(`${USER}\n`);
    expect(await container.exec({}, 'cat', '/proc/1/status')).toMatch(/^CapEff:\t0{16}$/m);
  }
}

async function sayLogs(): Promise<void> {
  console.log((await podman('ps', '--all', '--format', '{{.Names}} {{.Status}}')).stdout);
  for (const name of ['migrate', 'gateway', 'worker'].map(nameOf))
    console.log(`${name}:\n${await containerOf(name).logs()}`);
}

/** In milliseconds. */
async function lastMigration(): Promise<number> {
  const query = 'SELECT max(extract(epoch FROM applied_at)) * 1000 FROM region.migrations';
  const psql = ['psql', '-U', 'millpond', '-d', 'millpond', '-A', '-t', '-c', query];
  return Number((await podman('exec', nameOf('postgres'), ...psql)).stdout);
}

/** When it said for the first time that it takes requests or jobs; not a number until it has. */
async function startOf(name: string): Promise<number> {
  const { stdout } = await podman('logs', name);
  const line = stdout.split('\n').find((each) => each.includes('"msg":"started"')) ?? '{}';
  return Date.parse(String((JSON.parse(line) as { time?: string }).time));
}

const has = (...args: readonly string[]) =>
  podman(...args).then(
    () => true,
    () => false,
  );

/** Older versions of podman-compose take a network that exists, give one that they make no addresses, and leave it. */
async function ensureNetwork(): Promise<void> {
  if (await has('network', 'exists', NETWORK)) return;
  await podman('network', 'create', '--subnet', '10.89.81.0/24', '--gateway', '10.89.81.1', NETWORK);
}

async function ensurePostgres(): Promise<void> {
  if ((await has('image', 'exists', POSTGRES)) || (await has('pull', '--quiet', POSTGRES))) return;
  await run('buildah', [
    'bud',
    '--quiet',
    '--isolation',
    'chroot',
    '--network',
    'host',
    '--pull-never',
    '--tag',
    POSTGRES,
    path.join(import.meta.dirname, 'postgres'),
  ]);
  hasStandIn = true;
}

/** As the first lines of the file have it. */
async function makeSecrets(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mp-secrets-'));
  await chmod(folder, 0o700);
  const password = randomBytes(24).toString('hex');
  const files = {
    'postgres-password': `${password}\n`,
    'database-url': `postgres://millpond:${password}@postgres/millpond\n`,
    'master-key': `2026:${randomBytes(32).toString('base64')}\n`,
  };
  for (const [name, text] of Object.entries(files))
    await writeFile(path.join(folder, name), text, { mode: 0o644 });
  await chmod(path.join(folder, 'master-key'), 0o600);
  await chown(path.join(folder, 'master-key'), USER, USER);
  return folder;
}
