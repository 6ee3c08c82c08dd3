// Our own PostgreSQL cluster: made, started, stopped, killed. It never runs as root (PostgreSQL refuses to), and
// Debian's own cluster is left alone.

import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Daemon, gone, lastLines, running, start, stop } from './daemon.ts';
import { EngineFault } from './fault.ts';
import { childrenOf, memoryMiB, signal } from './identity.ts';
import { requireFreePort } from './ports.ts';
import { postgresPrograms } from './postgres-programs.ts';
import { say } from './progress.ts';
import { type PostgresRecord, readPostgresRecord, writeRecord } from './record.ts';
import { type Account, attempt, run } from './run.ts';
import type { PostgresSettings } from './settings.ts';
import { fillTemplate } from './template.ts';

const secondsToStart = 60;

export type PostgresState = {
  state: 'absent' | 'down' | 'up';
  healthy: boolean;
  port?: number;
  pid?: number;
  memoryMiB?: number;
};

export async function postgresUp(folder: string, settings: PostgresSettings, tell = say): Promise<void> {
  if (!readPostgresRecord(folder)) await create(folder, settings, tell);
  else await postgresStart(folder, tell);
}

export async function postgresStart(folder: string, tell = say): Promise<void> {
  const { settings } = requireRecord(folder);
  const daemon = startable(folder);
  if (!running(daemon)) await requireFreePort(settings.port, 'MILLPOND_ENGINES_PG_PORT');
  const started = start(daemon);
  await untilReady(daemon, settings.port);
  tell(`pg: ${started ? 'started' : 'is already running'} on 127.0.0.1:${settings.port}`);
}

export async function postgresDown(folder: string): Promise<void> {
  // SIGINT is PostgreSQL's fast shutdown: open transactions are rolled back, a checkpoint is written.
  await stop(postmaster(folder), 'SIGINT', 60);
}

// kill -9, as in a crash. The backends notice that the postmaster is gone and exit by themselves; a new one can't start
// before that.
export async function postgresKill(folder: string): Promise<void> {
  const identity = running(postmaster(folder));
  if (!identity) throw new EngineFault('PostgreSQL is not running');
  const children = childrenOf(identity);
  signal(identity, 'SIGKILL');
  for (const child of children) {
    if (!(await gone(child, 5))) signal(child, 'SIGKILL');
  }
  for (const each of [identity, ...children]) {
    if (!(await gone(each, 5))) throw new EngineFault(`process ${each.pid} of PostgreSQL does not exit`);
  }
}

// All its processes stand still, as on a machine that hangs: connections stay open, and nothing answers.
export function postgresSignal(folder: string, name: 'SIGSTOP' | 'SIGCONT'): void {
  const identity = running(postmaster(folder));
  if (!identity) throw new EngineFault('PostgreSQL is not running');
  for (const each of [identity, ...childrenOf(identity)]) signal(each, name);
}

// Makes a standby the primary.
export async function postgresPromote(folder: string): Promise<void> {
  const data = join(folder, 'data');
  const command = join(postgresPrograms(data), 'pg_ctl');
  await run(command, ['promote', '--wait', '--pgdata', data], { cwd: folder, account: serverAccount() });
}

export async function postgresState(folder: string): Promise<PostgresState> {
  const record = readPostgresRecord(folder);
  if (!record) return { state: 'absent', healthy: false };
  const { port } = record.settings;
  const identity = running(postmaster(folder));
  if (!identity) return { state: 'down', healthy: false, port };
  return {
    state: 'up',
    healthy: await isReady(port),
    port,
    pid: identity.pid,
    memoryMiB: memoryMiB(identity),
  };
}

// A standby of the cluster in another folder, which must be running. It follows as long as it can reach it.
export async function createStandby(folder: string, of: string, settings: PostgresSettings): Promise<void> {
  const record = requireRecord(of);
  const account = serverAccount();
  mkdirSync(folder, { mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  const { port } = record.settings;
  const address = `host=127.0.0.1 port=${port} user=postgres password=${record.superuserPassword} application_name=standby`;
  const programs = postgresPrograms(join(of, 'data'));
  const copy = ['--pgdata', data, '--write-recovery-conf', '--checkpoint=fast', '--dbname', address];
  await run(join(programs, 'pg_basebackup'), copy, { cwd: folder, account });
  privateFile(join(data, 'postgresql.conf'), configuration(settings), account);
  writeRecord(folder, { ...record, settings });
  await postgresStart(folder, () => undefined);
}

async function create(folder: string, settings: PostgresSettings, tell: typeof say): Promise<void> {
  const account = serverAccount();
  await postgresDown(folder);
  rmSync(folder, { recursive: true, force: true });
  await requireFreePort(settings.port, 'MILLPOND_ENGINES_PG_PORT');

  mkdirSync(folder, { mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
  const record: PostgresRecord = {
    settings,
    superuserPassword: randomBytes(24).toString('hex'),
    password: randomBytes(24).toString('hex'),
    masterKey: `dev-${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64')}`,
  };
  const data = join(folder, 'data');
  const programs = postgresPrograms();
  const passwordFile = join(folder, 'password');
  privateFile(passwordFile, `${record.superuserPassword}\n`, account);
  await run(
    `${programs}/initdb`,
    [
      ...['--pgdata', data, '--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
      ...['--data-checksums', '--encoding=UTF8', '--locale=C.UTF-8'],
    ],
    { cwd: folder, account },
  );
  rmSync(passwordFile);
  privateFile(join(data, 'postgresql.conf'), configuration(settings), account);
  tell('pg: cluster created');

  const daemon = startable(folder);
  start(daemon);
  await untilReady(daemon, settings.port);
  const statements = [
    `CREATE ROLE millpond LOGIN CREATEDB PASSWORD '${record.password}';`,
    'CREATE DATABASE millpond_control OWNER millpond;',
    'CREATE DATABASE millpond_region OWNER millpond;',
  ];
  await run(
    `${programs}/psql`,
    ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-h', '127.0.0.1', '-p', String(settings.port), '-U', 'postgres'],
    { input: statements.join('\n'), env: { PGPASSWORD: record.superuserPassword } },
  );
  writeRecord(folder, record);
  tell(`pg: started on 127.0.0.1:${settings.port}, databases millpond_control and millpond_region created`);
}

function postmaster(folder: string): Daemon {
  return {
    name: 'PostgreSQL',
    command: 'postgres',
    args: ['-D', join(folder, 'data')],
    folder,
    pidFile: join(folder, 'postmaster.identity'),
    logFile: join(folder, 'postgres.log'),
    account: serverAccount(),
  };
}

// The version is looked for only here: a cluster can be stopped after its packages were removed.
function startable(folder: string): Daemon {
  return { ...postmaster(folder), command: join(postgresPrograms(join(folder, 'data')), 'postgres') };
}

function configuration(settings: PostgresSettings): string {
  return fillTemplate(join(import.meta.dirname, '..', 'postgres', 'postgresql.conf'), settings);
}

// Debian's package creates the system user `postgres`. Anyone but root runs the server as themselves.
function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) return undefined;
  return { uid: Number(uid), gid: Number(gid) };
}

function privateFile(path: string, text: string, account: Account | undefined): void {
  writeFileSync(path, text, { mode: 0o600 });
  chmodSync(path, 0o600);
  if (account) chownSync(path, account.uid, account.gid);
}

async function untilReady(daemon: Daemon, port: number): Promise<void> {
  const end = performance.now() + secondsToStart * 1000;
  while (!(await isReady(port))) {
    if (!running(daemon)) throw new EngineFault(`PostgreSQL exited:\n${lastLines(daemon)}`);
    if (performance.now() > end) throw new EngineFault(`PostgreSQL is not ready after ${secondsToStart} s`);
    await sleep(50);
  }
}

async function isReady(port: number): Promise<boolean> {
  return (
    (await attempt(join(postgresPrograms(), 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]))
      .code === 0
  );
}

function requireRecord(folder: string): PostgresRecord {
  const record = readPostgresRecord(folder);
  if (!record) throw new EngineFault('there is no PostgreSQL here: run `npm run engines -- up` first');
  return record;
}
