// A separate PostgreSQL next to the shared one, in a temporary folder: its owner may crash it.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverEnvironment } from './environment.ts';
import { EngineFault } from './fault.ts';
import { postgresDown, postgresKill, postgresStart, postgresUp } from './postgres.ts';
import { readPostgresRecord } from './record.ts';

export type SparePostgres = {
  // Of a database there; its user may create others.
  url: string;
  // kill -9 of the postmaster. Resolves when all its processes have ended.
  kill(): Promise<void>;
  // Resolves when it has recovered and accepts connections.
  start(): Promise<void>;
  // Stops it, in whatever state it is, and removes its folder.
  destroy(): Promise<void>;
};

const quietly = () => undefined;

export async function startSparePostgres(port: number): Promise<SparePostgres> {
  const parent = mkdtempSync(join(tmpdir(), 'millpond-pg-'));
  // PostgreSQL's own user must be able to pass; the contents are closed to everybody else.
  chmodSync(parent, 0o711);
  const folder = join(parent, 'pg');
  const destroy = async () => {
    await postgresDown(folder);
    rmSync(parent, { recursive: true, force: true });
  };
  try {
    await postgresUp(folder, { port }, quietly);
    const url = serverEnvironment(readPostgresRecord(folder), undefined).MILLPOND_CONTROL_DB;
    if (url === undefined) throw new EngineFault('PostgreSQL left no record');
    return { url, kill: () => postgresKill(folder), start: () => postgresStart(folder, quietly), destroy };
  } catch (error) {
    await destroy();
    throw error;
  }
}
