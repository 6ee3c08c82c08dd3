/**
 * A data directory with all tables, made once and copied for every start, because making one takes seconds. It is named
 * after what it was made with.
 */
import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { createDatabase, migrateAll, readConfig, schemaVersion } from '@millpond/server';
import { databaseUser, makeDatabaseFolder } from './account.ts';
import { adopt, cacheFolder, makeTempSibling } from './cache.ts';
import { initialise, startPostgres } from './postgres.ts';
import type { PostgresPrograms } from './programs.ts';
import { newMasterKey } from './settings.ts';

/** The one database: accounts and objects are two schemas in it. */
export const DATABASE = 'millpond';

const run = promisify(execFile);

/** Puts a copy at `data`, which must not exist yet. `sockets` belongs to this run: cleaning up after the run looks there. */
export async function copyPrepared(programs: PostgresPrograms, data: string, sockets: string): Promise<void> {
  const name = `data-${programs.version}-${await schemaVersion()}`;
  const prepared = path.join(cacheFolder(), name);
  if (!existsSync(prepared)) await prepare(programs, prepared, sockets);
  // With the system's own program, which is fast, and as the user who owns the files.
  await run('cp', ['-Rp', path.join(prepared, 'data'), data], { ...databaseUser(), cwd: '/' });
}

async function prepare(programs: PostgresPrograms, prepared: string, sockets: string): Promise<void> {
  const made = makeTempSibling(prepared);
  try {
    makeDatabaseFolder(made);
    const data = path.join(made, 'data');
    await initialise(programs, data);
    const log = path.join(made, 'postgres.log');
    const postgres = await startPostgres(programs, { data, sockets, log, durable: false });
    try {
      await createDatabase(postgres.url('postgres'), DATABASE);
      await migrate(postgres.url(DATABASE), path.join(made, 'blobs'));
    } finally {
      await postgres.stop('clean');
    }
    adopt(made, prepared);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

async function migrate(url: string, blobs: string): Promise<void> {
  const settings = {
    MILLPOND_CONTROL_DB: url,
    MILLPOND_REGION_DB: url,
    MILLPOND_MASTER_KEY: newMasterKey(),
    MILLPOND_BLOBS: 'disk',
    MILLPOND_DISK_ROOT: blobs,
  };
  await migrateAll(readConfig(settings));
}
