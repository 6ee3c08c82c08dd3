// @module-tag ceph
/** The operator's guide, run on the real engines, with databases and a bucket of its own. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, readlink, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { readEnginesEnv } from '@millpond/engines';
import {
  createDatabase,
  freePort,
  type PackedPackages,
  packPackages,
  type TestDatabase,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runGuide } from './run.ts';

// A dozen commands, three servers and two dumps, on a machine that may have much else to do.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

const ROOT = path.join(import.meta.dirname, '../..');
const NAMES = ['millpond_control', 'millpond_region', 'restored_control', 'restored_region'];

let packed: PackedPackages;
let folder: string;
let databases: TestDatabase[];
let servers: number[] = [];
beforeAll(async () => {
  packed = await packPackages();
  folder = await packed.emptyFolder();
  for (const name of ['bin', 'log', 'backups']) await mkdir(path.join(folder, name));
  await symlink(process.execPath, path.join(folder, 'bin/node'));
  databases = await Promise.all(NAMES.map(() => createDatabase('guide')));
});
afterAll(async () => {
  for (const pid of servers) process.kill(pid, 'SIGTERM');
  await vi.waitUntil(() => servers.every(hasEnded), { timeout: 300_000 });
  await Promise.all(databases.map((database) => database.drop()));
  await packed.remove();
});

test('production.md', async () => {
  const engines = readEnginesEnv();
  const replace: Record<string, string> = {
    'http://127.0.0.1:7480': engines.MILLPOND_S3_ENDPOINT ?? '',
    'engine-access-key': engines.MILLPOND_S3_ACCESS_KEY ?? '',
    'engine-secret-key': engines.MILLPOND_S3_SECRET_KEY ?? '',
    'S3_BUCKET=millpond\n': `S3_BUCKET=guide-${randomBytes(4).toString('hex')}\n`,
    // No such user where tests run.
    '-o root -g millpond': `-o ${process.getuid?.()} -g ${process.getgid?.()}`,
    '/opt/millpond': path.join(folder, 'opt'),
    '/usr/local/bin': path.join(folder, 'bin'),
    '/etc/millpond': path.join(folder, 'etc'),
    '/etc/prometheus': path.join(folder, 'prometheus'),
    '/etc/systemd/system': path.join(folder, 'units'),
    '/var/log': path.join(folder, 'log'),
    '/var/backups': path.join(folder, 'backups'),
  };
  for (const [index, name] of NAMES.entries()) {
    const url = databases[index]?.url ?? '';
    replace[`postgres://millpond:secret@127.0.0.1:5432/${name}`] = url;
    replace[`host=127.0.0.1\nport=5432\ndbname=${name}\nuser=millpond\npassword=secret`] = serviceOf(url);
  }
  for (const port of [8100, 8190, 8110, 8195]) replace[`127.0.0.1:${port}`] = `127.0.0.1:${await freePort()}`;
  const commands = await runGuide(
    'production.md',
    await readFile(path.join(ROOT, 'docs/production.md'), 'utf8'),
    {
      folder,
      environment: {
        ...packed.environment,
        PATH: `${path.join(folder, 'bin')}:${packed.environment.PATH}`,
      },
      replace,
      instead: {
        'systemctl daemon-reload': 'true',
        'systemctl restart millpond-worker': 'true',
        'systemctl restart millpond-gateway': 'true',
      },
      onOutput: (output) => {
        // Servers that it started in the background say how to stop them.
        servers = [...output.matchAll(/stop it with: kill (\d+)/g)].map((match) => Number(match[1]));
      },
      withinMs: 800_000,
    },
  );
  expect(commands).toBeGreaterThan(20);
  // The units' user reads them by its group, also after the key was changed in a shell with the usual umask.
  const modes = ['etc', 'etc/millpond.env', 'etc/master-key'].map(async (name) =>
    ((await stat(path.join(folder, name))).mode & 0o777).toString(8),
  );
  expect(await Promise.all(modes)).toEqual(['750', '640', '640']);
  // Passwords, and the secrets of all accounts.
  for (const secret of ['etc/pg_service.conf', 'backups/region.dump', 'backups/control.dump'])
    expect(((await stat(path.join(folder, secret))).mode & 0o777).toString(8)).toBe('600');
  for (const name of ['millpond-alerts.yaml', 'prometheus.yml', 'blackbox.yml'])
    expect((await stat(path.join(folder, 'prometheus', name))).size).toBeGreaterThan(0);
  // The version in use is a link, which the steps back set too.
  expect(await readlink(path.join(folder, 'opt'))).toMatch(/\/opt-\d+\.\d+\.\d+(-\w+)?$/);
});

/** The same database in the words of a service file. */
function serviceOf(url: string): string {
  const { hostname, port, username, password, pathname } = new URL(url);
  const lines = [`host=${hostname}`, `port=${port}`, `dbname=${pathname.slice(1)}`, `user=${username}`];
  return [...lines, ...(password === '' ? [] : [`password=${decodeURIComponent(password)}`])].join('\n');
}

function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
