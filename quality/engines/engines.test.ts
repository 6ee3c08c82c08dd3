import { type ChildProcess, spawn } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parseRelease } from './release/release.ts';
import { ensureCertificate } from './src/certificate.ts';
import { destroy, down } from './src/commands.ts';
import { type Daemon, running, start, stop } from './src/daemon.ts';
import { readEnvironment, serverEnvironment, writeEnvironment } from './src/environment.ts';
import { UsageError } from './src/fault.ts';
import { findPlaces } from './src/places.ts';
import { missingPostgres, postgresPrograms } from './src/postgres-programs.ts';
import {
  formatIdentity,
  type Identity,
  identify,
  isAlive,
  parseIdentity,
  signal,
} from './src/processes/identity.ts';
import { linuxProcesses, otherProcesses } from './src/processes/table.ts';
import { cephDefaults, checkPorts, chooseSettings, parseSettings, postgresDefaults } from './src/settings.ts';
import { fillTemplate } from './src/template.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millpond-engines-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('settings', () => {
  test('nothing set leaves every default in place and names both engines', () => {
    const settings = parseSettings({ MILLPOND_ENGINES_PG_PORT: '' });
    expect(chooseSettings(settings.pg, undefined, postgresDefaults)).toEqual({ port: 15432 });
    expect(chooseSettings(settings.ceph, undefined, cephDefaults)).toEqual({
      monPort: 13300,
      s3Port: 18480,
      osdGiB: 8,
    });
    expect([...settings.only]).toEqual(['pg', 'ceph', 'rtmp']);
  });

  test('what is set is taken', () => {
    const settings = parseSettings({
      MILLPOND_ENGINES_PG_PORT: '6000',
      MILLPOND_ENGINES_CEPH_MON_PORT: '7000',
      MILLPOND_ENGINES_S3_PORT: '8000',
      MILLPOND_ENGINES_OSD_SIZE: '16G',
      MILLPOND_ENGINES_RTMP_PORT: '9000',
      MILLPOND_ENGINES_ONLY: 'ceph',
    });
    expect(settings).toEqual({
      only: new Set(['ceph']),
      small: false,
      pg: { port: 6000 },
      ceph: { monPort: 7000, s3Port: 8000, osdGiB: 16 },
      rtmp: { port: 9000 },
    });
  });

  test('small engines are PostgreSQL alone, and name no others', () => {
    const settings = parseSettings({ MILLPOND_ENGINES_PG_PORT: '6000' }, true);
    expect(settings).toMatchObject({ only: new Set(['pg']), small: true, pg: { port: 6000 } });
    expect(() => parseSettings({ MILLPOND_ENGINES_ONLY: 'pg' }, true)).toThrow(UsageError);
  });

  test('all faults are reported at once', () => {
    const broken = {
      MILLPOND_ENGINES_PG_PORT: '80',
      MILLPOND_ENGINES_OSD_SIZE: '1G',
      MILLPOND_ENGINES_ONLY: 'pg,x',
    };
    expect(() => parseSettings(broken)).toThrow(UsageError);
    for (const name of Object.keys(broken)) expect(() => parseSettings(broken)).toThrow(name);
  });

  test.each([
    ['MILLPOND_ENGINES_PG_PORT', ['0', '70000', '15432x', '-1', '1e4', ' 15432']],
    ['MILLPOND_ENGINES_CEPH_MON_PORT', ['65500', '13300.0']],
    ['MILLPOND_ENGINES_OSD_SIZE', ['8', '8GB', '0G', '9999G', '8g']],
    ['MILLPOND_ENGINES_ONLY', [',', 'pg,', 'all']],
  ])('%s refuses %j', (name, values) => {
    for (const value of values) expect(() => parseSettings({ [name]: value })).toThrow(UsageError);
  });

  test('an engine keeps what it was made with, and a contradiction is said', () => {
    const made = { monPort: 7000, s3Port: 8000, osdGiB: 6 };
    expect(chooseSettings({}, made, cephDefaults)).toEqual(made);
    expect(chooseSettings({ osdGiB: 6 }, made, cephDefaults)).toEqual(made);
    expect(() => chooseSettings({ osdGiB: 8 }, made, cephDefaults)).toThrow('MILLPOND_ENGINES_OSD_SIZE');
  });

  test('engines may not share ports', () => {
    expect(() => checkPorts(postgresDefaults, cephDefaults)).not.toThrow();
    expect(() => checkPorts({ port: cephDefaults.s3Port }, cephDefaults)).toThrow(UsageError);
    expect(() => checkPorts({ port: cephDefaults.monPort + 90 }, cephDefaults)).toThrow(UsageError);
    expect(() => checkPorts(postgresDefaults, { ...cephDefaults, s3Port: cephDefaults.monPort + 1 })).toThrow(
      UsageError,
    );
  });
});

describe('environment file', () => {
  const hex = fc.stringMatching(/^[0-9a-f]{48}$/);
  const s3Secret = fc.stringMatching(/^[A-Za-z0-9+/]{40}$/);
  const masterKey = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => {
    return `dev-0a1b2c3d:${Buffer.from(bytes).toString('base64')}`;
  });

  test('is read back as it was written, whatever the secrets', () => {
    fc.assert(
      fc.property(hex, s3Secret, masterKey, (password, secretKey, key) => {
        const path = join(folder, 'millpond.env');
        const postgres = {
          settings: postgresDefaults,
          superuserPassword: 'unused',
          password,
          masterKey: key,
        };
        const ceph = { settings: cephDefaults, accessKey: 'AKIDEXAMPLE', secretKey };
        const environment = serverEnvironment(postgres, ceph);
        writeEnvironment(path, environment);
        expect(readEnvironment(path)).toEqual(environment);
        expect(environment.MILLPOND_REGION_DB).toBe(
          `postgres://millpond:${password}@127.0.0.1:15432/millpond_region`,
        );
        expect(environment.MILLPOND_S3_SECRET_KEY).toBe(secretKey);
        expect(environment.MILLPOND_MASTER_KEY).toBe(key);
      }),
      { numRuns: 50 },
    );
  });

  test('is readable by its owner only, and left alone when nothing changed', () => {
    const path = join(folder, 'millpond.env');
    writeEnvironment(path, { MILLPOND_BLOBS: 's3' });
    const first = statSync(path);
    expect(first.mode & 0o777).toBe(0o600);
    writeEnvironment(path, { MILLPOND_BLOBS: 's3' });
    expect(statSync(path).ino).toBe(first.ino);
    writeEnvironment(path, { MILLPOND_BLOBS: 'disk' });
    expect(readEnvironment(path)).toEqual({ MILLPOND_BLOBS: 'disk' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('says nothing about an engine that was not made', () => {
    const ceph = { settings: cephDefaults, accessKey: 'a', secretKey: 'b' };
    expect(Object.keys(serverEnvironment(undefined, ceph)).some((name) => name.endsWith('_DB'))).toBe(false);
    expect(serverEnvironment(undefined, undefined, undefined, undefined, '/blobs')).toEqual({
      MILLPOND_BLOBS: 'disk',
      MILLPOND_DISK_ROOT: '/blobs',
    });
    expect(serverEnvironment(undefined, undefined)).toEqual({});
  });
});

describe('certificate', () => {
  test('is for this machine, and kept until it is near its end', () => {
    const tls = join(folder, 'tls');
    const files = ensureCertificate(tls);
    const made = new X509Certificate(readFileSync(files.certificate));
    expect([made.checkIP('127.0.0.1'), made.checkIP('::1'), made.checkHost('localhost')]).toEqual([
      '127.0.0.1',
      '::1',
      'localhost',
    ]);
    expect(made.checkPrivateKey(createPrivateKey(readFileSync(files.key)))).toBe(true);
    expect(statSync(files.key).mode & 0o077).toBe(0);
    ensureCertificate(tls);
    const kept = new X509Certificate(readFileSync(files.certificate));
    expect(kept.fingerprint256).toBe(made.fingerprint256);
    writeFileSync(files.certificate, 'torn');
    ensureCertificate(tls);
    const renewed = new X509Certificate(readFileSync(files.certificate));
    expect(renewed.fingerprint256).not.toBe(made.fingerprint256);
  });

  test('makes a server answer over HTTPS too', () => {
    const files = ensureCertificate(join(folder, 'tls'));
    expect(serverEnvironment(undefined, undefined, undefined, files)).toEqual({
      MILLPOND_LISTEN: 'http://127.0.0.1:8100,https://127.0.0.1:8101',
      MILLPOND_TLS_CERT: files.certificate,
      MILLPOND_TLS_KEY: files.key,
    });
  });
});

describe('identity', () => {
  let child: ChildProcess;
  let identity: Identity;
  beforeEach(async () => {
    child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    const found = identify(child.pid ?? 0);
    if (!found) throw new Error('the process was not found');
    identity = found;
  });
  afterEach(() => child.kill('SIGKILL'));

  test('the process that was identified gets the signal', async () => {
    expect(signal(identity, 'SIGTERM')).toBe(true);
    const [, by] = await once(child, 'exit');
    expect(by).toBe('SIGTERM');
    expect(isAlive(identity)).toBe(false);
    expect(signal(identity, 'SIGTERM')).toBe(false);
  });

  test.each([{ started: '1' }, { boot: '00000000-0000-0000-0000-000000000000' }])(
    'a process that only has the same pid is never signalled: %j',
    async (difference) => {
      const earlier = { ...identity, ...difference };
      expect(isAlive(earlier)).toBe(false);
      expect(signal(earlier, 'SIGKILL')).toBe(false);

      const daemon = daemonIn(folder);
      writeFileSync(daemon.pidFile, formatIdentity(earlier));
      expect(running(daemon)).toBeUndefined();
      await stop(daemon, 'SIGKILL', 1);

      expect(isAlive(identity)).toBe(true);
      expect(child.exitCode ?? child.signalCode).toBeNull();
    },
  );

  test('a record that is damaged names no process', () => {
    expect(parseIdentity(formatIdentity(identity))).toEqual(identity);
    for (const text of [
      '',
      '\n',
      `${identity.pid}\n`,
      '0 1 boot\n',
      '-1 1 boot\n',
      `${identity.pid} x boot\n`,
    ]) {
      expect(parseIdentity(text)).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        const parsed = parseIdentity(text);
        expect(parsed === undefined || parsed.pid > 0).toBe(true);
      }),
    );
  });
});

describe('processes', () => {
  test.runIf(existsSync('/proc/self/stat') && existsSync('/bin/ps'))(
    '`ps` knows of them what /proc knows',
    async () => {
      const child = spawn('sleep', ['60']);
      await once(child, 'spawn');
      const pid = child.pid ?? 0;
      for (const table of [linuxProcesses, otherProcesses]) {
        expect(table.read(pid)).toMatchObject({ parent: process.pid, state: expect.stringMatching(/[RS]/) });
        expect(table.read(pid)?.started).toMatch(/^\d+$/);
        expect(table.childrenOf(process.pid)).toContain(pid);
        expect(table.memoryKiB(process.pid)).toBeGreaterThan(1000);
      }
      child.kill('SIGKILL');
      await once(child, 'exit');
      for (const table of [linuxProcesses, otherProcesses]) expect(table.read(pid)).toBeUndefined();
    },
  );
});

describe('daemon', () => {
  test('is started once, found again, and stopped', async () => {
    const daemon = daemonIn(folder);
    expect(start(daemon)).toBe(true);
    const first = running(daemon);
    expect(first).toBeDefined();
    expect(start(daemon)).toBe(false);
    expect(running(daemon)).toEqual(first);
    await stop(daemon, 'SIGTERM', 5);
    expect(running(daemon)).toBeUndefined();
  });

  test('is killed when it ignores the request, even while paused', async () => {
    const daemon = {
      ...daemonIn(folder),
      command: 'sh',
      args: ['-c', 'trap "" TERM; echo on; while :; do sleep 0.1; done'],
    };
    start(daemon);
    while (!readFileSync(daemon.logFile, 'utf8').includes('on'))
      await new Promise((next) => setTimeout(next, 20));
    const identity = running(daemon);
    if (!identity) throw new Error('it does not run');
    signal(identity, 'SIGSTOP');
    await stop(daemon, 'SIGTERM', 0.3);
    expect(isAlive(identity)).toBe(false);
  });

  test('that does not exist is reported', () => {
    expect(() => start({ ...daemonIn(folder), command: '/does/not/exist' })).toThrow('did not start');
  });
});

describe('places', () => {
  test('a long path keeps the environment file but moves the data to a short one', () => {
    const root = join(folder, 'x'.repeat(80));
    const places = findPlaces(root);
    expect(places.environmentFile).toBe(join(root, '.engines', 'millpond.env'));
    expect(places.data).toMatch(/^\/var\/tmp\/millpond-[0-9a-f]{12}$/);
    expect(places.elsewhere).toContain('too long');
    expect(findPlaces(root).data).toBe(places.data);
    expect(findPlaces(join(root, 'y')).data).not.toBe(places.data);
  });
});

describe('destroy and down', () => {
  const settings = parseSettings({});

  test('of nothing say so, and are done', async () => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => said.mockRestore());
    await destroy(findPlaces(folder), settings);
    await down(findPlaces(folder), settings);
    expect(said.mock.calls.map(([text]) => text)).toEqual([
      expect.stringMatching(/nothing is up\n$/),
      expect.stringMatching(/nothing is up\n$/),
    ]);
    expect(existsSync(join(folder, '.engines'))).toBe(false);
  });

  test('of what another command destroys meanwhile are done too', async () => {
    const { home, lockFile } = findPlaces(folder);
    mkdirSync(home);
    // As a destroy that is at work: it has the lock, and takes the folder with it while another waits for the lock.
    const script = `
      new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec('BEGIN EXCLUSIVE');
      console.log('held');
      setTimeout(() => require('node:fs').rmSync(process.argv[2], { recursive: true }), 500)`;
    const other = spawn(process.execPath, ['-e', script, lockFile, home], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(other.stdout, 'data');
    await destroy(findPlaces(folder), settings);
    expect(existsSync(home)).toBe(false);
  });
});

describe('template', () => {
  test('fills every name, and refuses one without a value', () => {
    const path = join(folder, 'template');
    writeFileSync(path, 'port = {{port}}\nhost = $name {{port}}\n');
    expect(fillTemplate(path, { port: 1 })).toBe('port = 1\nhost = $name 1\n');
    expect(() => fillTemplate(path, {})).toThrow('port');
  });
});

function daemonIn(place: string): Daemon {
  return {
    name: 'test',
    command: 'sleep',
    args: ['60'],
    folder: place,
    pidFile: join(place, 'test.identity'),
    logFile: join(place, 'test.out'),
  };
}

describe('the version of PostgreSQL', () => {
  const install = (...versions: string[]) => {
    for (const version of versions) {
      mkdirSync(join(folder, version, 'bin'), { recursive: true });
      writeFileSync(join(folder, version, 'bin', 'postgres'), '');
    }
  };
  const data = (version: string) => {
    mkdirSync(join(folder, 'data'), { recursive: true });
    writeFileSync(join(folder, 'data', 'PG_VERSION'), `${version}\n`);
    return join(folder, 'data');
  };

  test('is the newest for a new cluster, and that which made it for another', () => {
    install('9.6', '14', '15', '17');
    mkdirSync(join(folder, '18'));
    expect(postgresPrograms(undefined, folder)).toBe(join(folder, '17', 'bin'));
    expect(postgresPrograms(data('15'), folder)).toBe(join(folder, '15', 'bin'));
    expect(() => postgresPrograms(data('16'), folder)).toThrow('apt-get install postgresql-16');
  });

  test('is installed only where there is none that will do', () => {
    install('14');
    expect(missingPostgres(folder, 'trixie')).toEqual(['postgresql-17']);
    expect(missingPostgres(folder, 'bookworm')).toEqual(['postgresql-15']);
    expect(() => postgresPrograms(undefined, folder)).toThrow('PostgreSQL 15 or newer is not installed');
    install('16');
    expect(missingPostgres(folder, 'trixie')).toEqual([]);
  });
});

describe('another release of Debian', () => {
  test('one that is not known is named, with those that are', () => {
    expect(parseRelease('sid')).toBe('sid');
    expect(() => parseRelease('woody')).toThrow(new UsageError('--release woody: one of trixie, sid'));
  });
});
