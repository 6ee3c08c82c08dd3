// @module-tag debian
/** Files of a deployment name settings that exist, commands that exist, and files that are there. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { ConfigError, readConfig } from '@millpond/server';
import { finishCommand } from '@millpond/testing';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, null>>;
  readonly networks: { readonly default: { readonly ipam: { readonly config: readonly Subnet[] } } };
}

interface Subnet {
  readonly subnet: string;
  readonly gateway: string;
}

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, '..');
const read = (file: string) => readFile(path.join(import.meta.dirname, file), 'utf8');

function faultsOf(settings: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(settings);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

test('the first configuration for systemd can be read', async () => {
  const settings = parseEnv(await read('systemd/millpond.env')) as Record<string, string>;
  const key = `k:${Buffer.alloc(32, 1).toString('base64')}`;
  const { MILLPOND_MASTER_KEY_FILE: file, ...rest } = settings;
  expect(file).toBe('/etc/millpond/master-key');
  expect(faultsOf({ ...rest, MILLPOND_MASTER_KEY: key })).toEqual([]);
});

test('the compose file: commands, settings, secrets and volumes fit together', async () => {
  const compose = parse(await read('container/compose.yaml'), { merge: true }) as Compose;
  expect(Object.keys(compose.services)).toEqual(['postgres', 'migrate', 'gateway', 'worker']);
  for (const [name, service] of Object.entries(compose.services)) {
    for (const secret of service.secrets) expect(compose.secrets).toHaveProperty(secret);
    for (const file of Object.values(service.environment).filter((value) =>
      value.startsWith('/run/secrets/'),
    ))
      expect(service.secrets).toContain(path.basename(file));
    for (const volume of service.volumes ?? [])
      expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
    for (const other of Object.keys(service.depends_on ?? {})) expect(compose.services).toHaveProperty(other);
    if (name === 'postgres') continue;
    const { code } = await finishCommand({}, [...(service.command ?? []), '--help']);
    expect({ name, code }).toEqual({ name, code: 0 });
    const own = await read('container/Containerfile').then(environmentOf);
    const secrets = {
      MILLPOND_CONTROL_DB: 'postgres://postgres/millpond',
      MILLPOND_REGION_DB: 'postgres://postgres/millpond',
      MILLPOND_MASTER_KEY: `k:${Buffer.alloc(32, 1).toString('base64')}`,
    };
    const given = Object.entries(service.environment).filter(([setting]) => !setting.endsWith('_FILE'));
    for (const [setting] of Object.entries(service.environment).filter(([each]) => each.endsWith('_FILE')))
      expect(secrets).toHaveProperty(setting.replace(/_FILE$/, ''));
    expect(faultsOf({ ...own, ...Object.fromEntries(given), ...secrets })).toEqual([]);
  }
});

test('the compose file believes one proxy: what comes through the published port', async () => {
  const compose = parse(await read('container/compose.yaml'), { merge: true }) as Compose;
  const [network] = compose.networks.default.ipam.config;
  for (const name of ['gateway', 'worker', 'migrate']) {
    const proxies = compose.services[name]?.environment.MILLPOND_TRUSTED_PROXIES;
    expect([name, proxies]).toEqual([name, network?.gateway]);
  }
  expect(isIP(network?.gateway ?? '')).toBe(4);
});

test('the steps of the compose file make its secrets, outside of the checkout', async () => {
  const text = await read('container/compose.yaml');
  const [, after = ''] = text.split('# Before the first start');
  // Where the steps that a test may run end: those behind it install and start everything.
  expect(after).toContain('# Then make');
  const steps = [...(after.split('# Then make')[0] ?? '').matchAll(/^# {3}(.*)$/gm)].map(([, step]) => step);
  expect(steps[0]).toBe('export MILLPOND_SECRETS=/etc/millpond/secrets');
  const folder = await mkdtemp(path.join(tmpdir(), 'mp-secrets-'));
  try {
    const script = steps
      .join('\n')
      .replaceAll('/etc/millpond/secrets', path.join(folder, 'secrets'))
      // No such user where tests run without root.
      .replaceAll('10001', String(process.getuid?.()));
    await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: ROOT });
    const { secrets } = parse(text) as Compose;
    const modes: Record<string, string> = {};
    for (const [name, { file }] of Object.entries(secrets)) {
      expect(file).toBe(`\${MILLPOND_SECRETS:-/etc/millpond/secrets}/${name}`);
      modes[name] = ((await stat(path.join(folder, 'secrets', name))).mode & 0o777).toString(8);
    }
    expect(modes).toEqual({ 'postgres-password': '644', 'database-url': '644', 'master-key': '600' });
    expect(((await stat(path.join(folder, 'secrets'))).mode & 0o777).toString(8)).toBe('700');
    const key = await readFile(path.join(folder, 'secrets/master-key'), 'utf8');
    const database = await readFile(path.join(folder, 'secrets/database-url'), 'utf8');
    expect(
      faultsOf({
        MILLPOND_MASTER_KEY: key.trim(),
        MILLPOND_CONTROL_DB: database.trim(),
        MILLPOND_REGION_DB: database.trim(),
        MILLPOND_BLOBS: 'disk',
        MILLPOND_DISK_ROOT: folder,
      }),
    ).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a container image sees nothing of the checkout but the packages, the versions of what they need, and its tools', async () => {
  const rules = (await readFile(path.join(ROOT, '.dockerignore'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(rules[0]).toBe('*');
  expect(rules.filter((rule) => rule.startsWith('!'))).toEqual([
    '!dist/*.tgz',
    '!package-lock.json',
    '!deploy/container/tools/*.js',
  ]);
  const copied = [...(await read('container/Containerfile')).matchAll(/^(?:COPY|ADD) (.*)$/gm)];
  expect(copied.map(([, what]) => what).filter((what) => !what?.startsWith('--from='))).toEqual([
    'package-lock.json /lock/',
    'dist/*.tgz /packages/',
    'deploy/container/tools /tools',
  ]);
});

test('the folder that once held the secrets is unknown to git and to builds', async () => {
  const ignored = run('git', ['check-ignore', 'deploy/container/secrets/master-key'], { cwd: ROOT });
  expect((await ignored).stdout).toBe('deploy/container/secrets/master-key\n');
  const rules = (await readFile(path.join(ROOT, '.dockerignore'), 'utf8')).split('\n');
  expect(rules.lastIndexOf('deploy/container/secrets')).toBeGreaterThan(rules.lastIndexOf('!dist/*.tgz'));
});

test('the Containerfile has the Node that is tested, and ends as an ordinary user', async () => {
  const text = await read('container/Containerfile');
  const { devDependencies } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as {
    devDependencies: { node: string };
  };
  expect(text).toContain(`\nARG NODE_VERSION=${devDependencies.node}\n`);
  const stages = text
    .replace(/\\\n/g, ' ')
    .split(/^FROM /m)
    .slice(1);
  for (const target of ['millpond', 'media', 'nginx-rtmp']) {
    const files = stages.find((stage) => new RegExp(`^\\S+ AS ${target}-files\\n`).test(stage)) ?? '';
    expect([...files.matchAll(/^USER (.*)$/gm)].at(-1)?.[1]).toBe('millpond');
    // That, and a list of it.
    expect(stages).toContainEqual(
      expect.stringMatching(new RegExp(`^${target}-files AS ${target}\\nCOPY [^\\n]*\\n*$`)),
    );
  }
});

test('the compose file gives a gateway the time that it takes to end', async () => {
  const { services } = parse(await read('container/compose.yaml'), { merge: true }) as Compose;
  for (const name of ['gateway', 'worker']) {
    const { environment = {}, stop_grace_period: grace = '' } = services[name] ?? {};
    const config = readConfig({
      ...Object.fromEntries(Object.entries(environment).filter(([each]) => !each.endsWith('_FILE'))),
      MILLPOND_CONTROL_DB: 'postgres://postgres/millpond',
      MILLPOND_REGION_DB: 'postgres://postgres/millpond',
      MILLPOND_MASTER_KEY: `k:${Buffer.alloc(32, 1).toString('base64')}`,
      MILLPOND_DISK_ROOT: '/var/lib/millpond/blobs',
    });
    expect(config.drainDelay).toBeGreaterThanOrEqual(1000);
    expect(grace).toMatch(/^\d+s$/);
    expect(Number.parseInt(grace, 10) * 1000).toBeGreaterThan(config.drainDelay + config.drainTimeout);
  }
});

/** The settings that the container image brings along. */
function environmentOf(containerfile: string): Record<string, string> {
  const lines = containerfile.replace(/\\\n/g, ' ').split('\n');
  const words = lines
    .filter((line) => line.startsWith('ENV '))
    .flatMap((line) => line.slice(4).trim().split(/\s+/));
  return Object.fromEntries(words.map((word) => word.split('=') as [string, string]));
}
