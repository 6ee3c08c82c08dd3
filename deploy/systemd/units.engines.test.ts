// @module-tag debian
/** The units as systemd reads them, and their commands as they stand: in a view of the system where all is installed. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createDeployment, type Deployment, freePort } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseUnit, type UnitFile } from '../unit-file.ts';

const COMMAND = path.join(import.meta.dirname, '../../packages/cli/bin/millpond.js');
const UNITS = ['millpond-gateway', 'millpond-worker', 'millpond-migrate'];
/** From /etc, what a program needs that looks up names and users. */
const SYSTEM_FILES = ['passwd', 'group', 'hosts', 'resolv.conf', 'nsswitch.conf', 'ld.so.cache', 'ssl'];

const run = promisify(execFile);
const read = (name: string) => readFile(path.join(import.meta.dirname, name), 'utf8');

let deployment: Deployment;
let folder: string;
let adminPort: number;
beforeAll(async () => {
  deployment = await createDeployment({ store: 'disk' });
  folder = await mkdtemp(path.join(tmpdir(), 'mp-units-'));
  await chmod(folder, 0o755);
  adminPort = await freePort();
  const settings = {
    ...deployment.environment,
    MILLPOND_LISTEN: `http://127.0.0.1:${await freePort()}`,
    MILLPOND_ADMIN_LISTEN: `http://127.0.0.1:${adminPort}`,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}="${value}"`);
  await writeFile(path.join(folder, 'millpond.env'), lines.join('\n'));
});
afterAll(async () => {
  await deployment?.destroy();
  await rm(folder, { recursive: true, force: true });
});

/** What the unit starts, where /usr/local/bin has Node and the command, and /etc the configuration. */
function start(unit: UnitFile): ChildProcess {
  const [command = ''] = unit.values('ExecStart');
  const environment = unit.values('Environment').flatMap((line) => {
    const [name = '', ...value] = line.split('=');
    return ['--setenv', name, value.join('=')];
  });
  const etc = SYSTEM_FILES.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]);
  const args = [
    '--unshare-user',
    '--bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--die-with-parent',
    '--tmpfs',
    '/etc',
    ...etc,
    '--ro-bind',
    path.join(folder, 'millpond.env'),
    '/etc/millpond/millpond.env',
    '--tmpfs',
    '/usr/local/bin',
    '--symlink',
    process.execPath,
    '/usr/local/bin/node',
    '--symlink',
    COMMAND,
    '/usr/local/bin/millpond',
    '--clearenv',
    '--setenv',
    'PATH',
    '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin',
    ...environment,
  ];
  return spawn('bwrap', [...args, '--', ...command.split(' ')], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The server itself: the program that is started first stays to clean up. */
async function childOf(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return Number(children.trim().split(' ')[0]);
}

test('systemd reads them without a complaint', async () => {
  // Its own look at the commands needs them installed: a copy names a program that every system has.
  const copies = path.join(folder, 'units');
  await mkdir(copies);
  for (const unit of UNITS) {
    const text = await read(`${unit}.service`);
    expect(parseUnit(text).values('ExecStart')).toEqual([
      expect.stringMatching(/^\/usr\/local\/bin\/millpond \w+/),
    ]);
    await writeFile(
      path.join(copies, `${unit}.service`),
      text.replace('/usr/local/bin/millpond', '/bin/true'),
    );
  }
  const files = (await readdir(copies)).map((name) => path.join(copies, name));
  const said = await run('systemd-analyze', ['verify', '--man=no', ...files]).then(
    ({ stderr }) => stderr,
    (error: NodeJS.ErrnoException & { stderr?: string }) => {
      // A machine without systemd has nothing to say about units.
      if (error.code === 'ENOENT') return '';
      return error.stderr ?? error.message;
    },
  );
  expect(said.split('\n').filter((line) => line.includes(copies) || line.includes('millpond-'))).toEqual([]);
});

/** What was seen with systemd to turn off the sandbox, and with it images and processing. `npm run servers:test` runs the units there. */
test.each([
  'ProtectHostname',
  'RestrictSUIDSGID',
  'RestrictNamespaces',
  'ProtectKernelTunables',
  'ProtectKernelLogs',
  'ProtectControlGroups',
  'ProtectProc',
])('none has %s', async (name) => {
  for (const unit of ['millpond-gateway', 'millpond-worker'])
    expect(parseUnit(await read(`${unit}.service`)).values(name)).toEqual([]);
});

test.each(['millpond-gateway', 'millpond-worker'])(
  '%s is started again however often it fails',
  async (name) => {
    const [, unit = ''] = /^\[Unit\]\n([^[]*)/m.exec(await read(`${name}.service`)) ?? [];
    expect(parseUnit(unit).values('StartLimitIntervalSec')).toEqual(['0']);
  },
);

test.each(['millpond-gateway', 'millpond-worker'])(
  '%s goes on when the kernel ends one of its sandboxed programs for want of memory',
  async (name) => {
    expect(parseUnit(await read(`${name}.service`)).values('OOMPolicy')).toEqual(['continue']);
  },
);

describe('their commands', () => {
  test('migrate ends well', async () => {
    const child = start(parseUnit(await read('millpond-migrate.service')));
    expect((await once(child, 'exit'))[0]).toBe(0);
  });

  test.each([
    ['millpond-gateway.service', () => adminPort],
    ['millpond-worker.service', () => 8191],
  ])('%s becomes ready, and ends in order when it is told to', async (name, port) => {
    const child = start(parseUnit(await read(name)));
    const exited = once(child, 'exit');
    await vi.waitFor(
      async () => expect((await fetch(`http://127.0.0.1:${port()}/readyz`)).status).toBe(200),
      { timeout: 300_000, interval: 100 },
    );
    process.kill(await childOf(child.pid ?? 0), 'SIGTERM');
    expect((await exited)[0]).toBe(0);
  });
});
