/**
 * A PostgreSQL owned by this process: reached through a socket in a folder closed to others, so it needs neither a port
 * nor a password.
 */

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseUser } from './account.ts';
import type { PostgresPrograms } from './programs.ts';

export interface Postgres {
  /** For a database on it. */
  url(database: string): string;
  /** Resolves when it ends by itself, with the last part of its output. */
  readonly ended: Promise<string>;
  /** clean: writes out what is in memory. fast: for data that nobody will read again. */
  stop(how: 'clean' | 'fast'): Promise<void>;
  /** At once, without waiting: for a process that is about to exit. */
  kill(): void;
}

export interface PostgresFolders {
  readonly data: string;
  /** For its socket: short, because socket paths are limited to 100 bytes. */
  readonly sockets: string;
  readonly log: string;
  /** Whether committed data must survive a power cut. */
  readonly durable: boolean;
}

const READY_TIMEOUT_MS = 30_000;
const CHECK_INTERVAL_MS = 10;
const SAID_BYTES = 2000;

/** Small: a developer's machine needs its memory for other things. */
const CONFIGURATION = {
  listen_addresses: "''",
  max_connections: '40',
  shared_buffers: '8MB',
  bgwriter_lru_maxpages: '0',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  huge_pages: 'off',
  io_method: 'sync',
  wal_level: 'minimal',
  max_wal_senders: '0',
  wal_buffers: '1MB',
  min_wal_size: '4MB',
  max_wal_size: '64MB',
  max_worker_processes: '2',
  max_logical_replication_workers: '0',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  autovacuum_max_workers: '1',
  jit: 'off',
  timezone: "'UTC'",
  log_timezone: "'UTC'",
};

export async function initialise(programs: PostgresPrograms, data: string): Promise<void> {
  const child = start(programs.initdb, [
    '--pgdata',
    data,
    '--username=millpond',
    '--auth=trust',
    '--encoding=UTF8',
    '--wal-segsize=1',
    // Its built-in locale, so that the data does not depend on the machine's.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-sync',
    '--no-instructions',
    '--no-data-checksums',
  ]);
  const [said, [code]] = await Promise.all([child.stderr ? readAll(child.stderr) : '', once(child, 'close')]);
  if (code !== 0) throw new Error(`initdb exited with ${code}: ${said.slice(-SAID_BYTES)}`);
}

export async function startPostgres(programs: PostgresPrograms, folders: PostgresFolders): Promise<Postgres> {
  writeConfiguration(folders);
  const log = openSync(folders.log, 'a', 0o600);
  const child = start(programs.postgres, ['-D', folders.data, '-k', folders.sockets], {
    stdio: ['ignore', log, log],
    // Ctrl-C goes to all processes of a terminal; this one ends only after the server has let go of it.
    detached: true,
  });
  let stopping = false;
  const exited = once(child, 'exit');
  const ended = new Promise<string>((resolve) => {
    child.once('exit', () => {
      if (!stopping) resolve(saidIn(folders.log));
    });
  });
  await untilReady(folders, child);
  return {
    url: (database) => `postgres://millpond@${encodeURIComponent(folders.sockets)}/${database}`,
    ended,
    async stop(how) {
      stopping = true;
      child.kill(how === 'clean' ? 'SIGINT' : 'SIGQUIT');
      await exited;
    },
    kill() {
      stopping = true;
      child.kill('SIGQUIT');
    },
  };
}

function writeConfiguration({ data, durable }: PostgresFolders): void {
  const safety = durable ? 'on' : 'off';
  const settings = {
    ...CONFIGURATION,
    fsync: safety,
    synchronous_commit: safety,
    full_page_writes: safety,
    // For `millpond doctor`: commits that are not flushed are no fault of what is deleted anyway.
    'millpond.is_discarded': durable ? 'off' : 'on',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(path.join(data, 'postgresql.conf'), `${lines.join('\n')}\n`, { mode: 0o644 });
}

function start(program: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  return spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...options,
    ...databaseUser(),
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
  });
}

/** The eighth line of its PID file says so. */
async function untilReady({ data, log }: PostgresFolders, child: ChildProcess): Promise<void> {
  const end = performance.now() + READY_TIMEOUT_MS;
  while (performance.now() < end) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`PostgreSQL exited: ${saidIn(log)}`);
    if (stateLine(data) === 'ready') return;
    await sleep(CHECK_INTERVAL_MS);
  }
  child.kill('SIGQUIT');
  throw new Error(`PostgreSQL was not ready within ${READY_TIMEOUT_MS / 1000} s`);
}

function saidIn(log: string): string {
  try {
    return readFileSync(log, 'utf8').slice(-SAID_BYTES);
  } catch {
    return 'its folder is gone';
  }
}

function stateLine(data: string): string | undefined {
  try {
    return readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[7]?.trim();
  } catch {
    return undefined;
  }
}
