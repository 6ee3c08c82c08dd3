// A separate PostgreSQL next to the shared one, in a temporary folder: its owner may crash it.

import { appendFileSync, chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverEnvironment } from './environment.ts';
import { EngineError } from './fault.ts';
import {
  createStandby,
  postgresDown,
  postgresKill,
  postgresPromote,
  postgresSignal,
  postgresStart,
  postgresUp,
} from './postgres.ts';
import { readPostgresRecord } from './record.ts';

export type SparePostgres = {
  // URL of a database there; its user may create others.
  url: string;
  // kill -9 of the postmaster. Resolves when all its processes have ended.
  kill(): Promise<void>;
  // Resolves when it has recovered and accepts connections.
  start(): Promise<void>;
  // A standby of it, on another port. With the primary gone it stays one until it is promoted.
  standby(port: number): Promise<SparePostgres>;
  promote(): Promise<void>;
  // It hangs, with open connections, and goes on.
  pause(): void;
  resume(): void;
  // Adds to postgresql.conf and restarts.
  configure(lines: string): Promise<void>;
  readonly folder: string;
  // Stops it, in whatever state it is, and removes its folder.
  destroy(): Promise<void>;
};

const quietly = () => undefined;

export function startSparePostgres(port: number, within = tmpdir()): Promise<SparePostgres> {
  return startIn((folder) => postgresUp(folder, { port }, { tell: quietly }), within);
}

async function startIn(create: (folder: string) => Promise<void>, within = tmpdir()): Promise<SparePostgres> {
  const parent = mkdtempSync(join(within, 'millpond-pg-'));
  // PostgreSQL's own user must be able to pass; the contents are closed to everybody else.
  chmodSync(parent, 0o711);
  const folder = join(parent, 'pg');
  const destroy = async () => {
    await postgresDown(folder);
    rmSync(parent, { recursive: true, force: true });
  };
  const start = () => postgresStart(folder, quietly);
  try {
    await create(folder);
    const url = serverEnvironment(readPostgresRecord(folder), undefined).MILLPOND_CONTROL_DB;
    if (url === undefined) throw new EngineError('PostgreSQL left no record');
    return {
      url,
      folder,
      kill: () => postgresKill(folder),
      start,
      standby: (port) => startIn((place) => createStandby(place, folder, { port })),
      promote: () => postgresPromote(folder),
      pause: () => postgresSignal(folder, 'SIGSTOP'),
      resume: () => postgresSignal(folder, 'SIGCONT'),
      async configure(lines) {
        appendFileSync(join(folder, 'data', 'postgresql.conf'), `${lines}\n`);
        await postgresDown(folder);
        await start();
      },
      destroy,
    };
  } catch (error) {
    await destroy();
    throw error;
  }
}
