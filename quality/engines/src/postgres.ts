// Our own PostgreSQL cluster: made, started, stopped, killed. It never runs as root (PostgreSQL refuses to), and
// Debian's own cluster is left alone.

import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Daemon, gone, lastLines, running, start, stop } from './daemon.ts';
import { EngineError } from './fault.ts';
import { requireFreePort } from './ports.ts';
import { embeddedPrograms, postgresPrograms } from './postgres-programs.ts';
import { childrenOf, memoryMiB, signal } from './processes/identity.ts';
import { say } from './progress.ts';
import { type PostgresRecord, readPostgresRecord, writeRecord } from './record.ts';
import { type Account, run } from './run.ts';
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

export type PostgresOptions = { embedded?: boolean; tell?: typeof say };

export async function postgresUp(
  folder: string,
  settings: PostgresSettings,
  { embedded = false, tell = say }: PostgresOptions = {},
): Promise<void> {
  if (!readPostgresRecord(folder)) await create(folder, settings, embedded, tell);
  else await postgresStart(folder, tell);
}

export async function postgresStart(folder: string, tell = say): Promise<void> {
  const record = requireRecord(folder);
  const { settings } = record;
  const daemon = await startable(folder, record);
  if (!running(daemon)) await requireFreePort(settings.port, 'MILLPOND_ENGINES_PG_PORT');
  const started = start(daemon);
  await untilReady(daemon, record);
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
  if (!identity) throw new EngineError('PostgreSQL is not running');
  const children = childrenOf(identity);
  signal(identity, 'SIGKILL');
  for (const child of children) {
    if (!(await gone(child, 5))) signal(child, 'SIGKILL');
  }
  for (const each of [identity, ...children]) {
    if (!(await gone(each, 5))) throw new EngineError(`process ${each.pid} of PostgreSQL does not exit`);
  }
}

// All its processes stand still, as on a machine that hangs: connections stay open, and nothing answers.
export function postgresSignal(folder: string, name: 'SIGSTOP' | 'SIGCONT'): void {
  const identity = running(postmaster(folder));
  if (!identity) throw new EngineError('PostgreSQL is not running');
  for (const each of [identity, ...childrenOf(identity)]) signal(each, name);
}

// Makes a standby the primary.
export async function postgresPromote(folder: string): Promise<void> {
  const data = join(folder, 'data');
  const record = requireRecord(folder);
  const command = join(await programsOf(folder, record), 'pg_ctl');
  const account = await serverAccount(record);
  await run(command, ['promote', '--wait', '--pgdata', data], { cwd: folder, account });
}

export async function postgresState(folder: string): Promise<PostgresState> {
  const record = readPostgresRecord(folder);
  if (!record) return { state: 'absent', healthy: false };
  const { port } = record.settings;
  const identity = running(postmaster(folder));
  if (!identity) return { state: 'down', healthy: false, port };
  return {
    state: 'up',
    healthy: await isReady(record),
    port,
    pid: identity.pid,
    memoryMiB: memoryMiB(identity),
  };
}

// A standby of the cluster in another folder, which must be running. It follows as long as it can reach it.
export async function createStandby(folder: string, of: string, settings: PostgresSettings): Promise<void> {
  const record = requireRecord(of);
  const account = await serverAccount(record);
  mkdirSync(folder, { mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  const { port } = record.settings;
  const address = `host=127.0.0.1 port=${port} user=postgres password=${record.superuserPassword} application_name=standby`;
  const programs = await programsOf(of, record);
  const copy = ['--pgdata', data, '--write-recovery-conf', '--checkpoint=fast', '--dbname', address];
  await run(join(programs, 'pg_basebackup'), copy, { cwd: folder, account });
  privateFile(join(data, 'postgresql.conf'), configuration(settings, record), account);
  writeRecord(folder, { ...record, settings });
  await postgresStart(folder, () => undefined);
}

async function create(
  folder: string,
  settings: PostgresSettings,
  embedded: boolean,
  tell: typeof say,
): Promise<void> {
  await postgresDown(folder);
  rmSync(folder, { recursive: true, force: true });
  await requireFreePort(settings.port, 'MILLPOND_ENGINES_PG_PORT');

  const record: PostgresRecord = {
    settings,
    superuserPassword: randomBytes(24).toString('hex'),
    password: randomBytes(24).toString('hex'),
    masterKey: `dev-${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64')}`,
    ...(embedded && { embedded }),
  };
  const account = await serverAccount(record);
  mkdirSync(folder, { mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  privateFile(passwordFile, `${record.superuserPassword}\n`, account);
  await run(
    join(await programsOf(folder, record), 'initdb'),
    [
      '--pgdata',
      data,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--data-checksums',
      '--encoding=UTF8',
      ...localeOf(record),
    ],
    { cwd: folder, account },
  );
  rmSync(passwordFile);
  privateFile(join(data, 'postgresql.conf'), configuration(settings, record), account);
  tell('pg: cluster created');

  const daemon = await startable(folder, record);
  start(daemon);
  await untilReady(daemon, record);
  await asSuperuser(record, [
    `CREATE ROLE millpond LOGIN CREATEDB PASSWORD '${record.password}'`,
    'CREATE DATABASE millpond_control OWNER millpond',
    'CREATE DATABASE millpond_region OWNER millpond',
  ]);
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
  };
}

// The version is looked for only here: a cluster can be stopped after its packages were removed.
async function startable(folder: string, record: PostgresRecord): Promise<Daemon> {
  return {
    ...postmaster(folder),
    command: join(await programsOf(folder, record), 'postgres'),
    account: await serverAccount(record),
  };
}

async function programsOf(folder: string, { embedded }: PostgresRecord): Promise<string> {
  return embedded === true ? embeddedPrograms() : postgresPrograms(join(folder, 'data'));
}

function configuration(settings: PostgresSettings, { embedded }: PostgresRecord): string {
  const name = embedded === true ? 'small.conf' : 'postgresql.conf';
  return fillTemplate(join(import.meta.dirname, '..', 'postgres', name), settings);
}

// Both sort by code points. Only newer versions have a locale of their own, and only Linux has C.UTF-8.
function localeOf({ embedded }: PostgresRecord): string[] {
  return embedded === true
    ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    : ['--locale=C.UTF-8'];
}

// Debian's package creates the system user `postgres`. Anyone but root runs the server as themselves.
async function serverAccount({ embedded }: PostgresRecord): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  if (embedded === true) return (await import('millpond/dev/postgres')).databaseUser();
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

async function untilReady(daemon: Daemon, record: PostgresRecord): Promise<void> {
  const end = performance.now() + secondsToStart * 1000;
  while (!(await isReady(record))) {
    if (!running(daemon)) throw new EngineError(`PostgreSQL exited:\n${lastLines(daemon)}`);
    if (performance.now() > end) throw new EngineError(`PostgreSQL is not ready after ${secondsToStart} s`);
    await sleep(50);
  }
}

async function isReady(record: PostgresRecord): Promise<boolean> {
  return asSuperuser(record, []).then(
    () => true,
    () => false,
  );
}

// With nothing but Node: the PostgreSQL that npm installs has no psql.
async function asSuperuser(
  { settings, superuserPassword }: PostgresRecord,
  statements: readonly string[],
): Promise<void> {
  const client = new pg.Client({
    connectionString: `postgres://postgres:${superuserPassword}@127.0.0.1:${settings.port}/postgres`,
    connectionTimeoutMillis: 3000,
  });
  // A connection that breaks fails what waits for it, too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function requireRecord(folder: string): PostgresRecord {
  const record = readPostgresRecord(folder);
  if (!record) throw new EngineError('there is no PostgreSQL here: run `npm run engines -- up` first');
  return record;
}
