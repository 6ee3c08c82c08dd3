/** Migrates both databases to this version. This is the deploy step; it is safe to repeat and to run concurrently. */
import type { Config } from './config/config.ts';
import { openInfra } from './infra/infra.ts';
import { type AppliedMigration, migrate } from './platform/db/migrate.ts';

export async function migrateAll(config: Config): Promise<AppliedMigration[]> {
  const applied = [
    ...(await migrate(config.controlDb, 'control')),
    ...(await migrate(config.regionDb, 'region')),
  ];
  const infra = openInfra({ ...config, dbConnections: 2, logLevel: 'warn' });
  try {
    await infra.blobs.ensureReady();
  } finally {
    await infra.close();
  }
  return applied;
}
