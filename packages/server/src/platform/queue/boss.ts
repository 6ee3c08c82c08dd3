/**
 * The only place that sets pg-boss up. `migrateQueue` belongs to the deploy step and may change pg-boss's schema;
 * a running process only checks that the schema is the one it knows.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import type { Log } from '../log.ts';
import { bossOn, type SqlClient } from './statements.ts';

/** pg-boss's own schema; our tables beside it are in `queue` (migrations/region). */
export const BOSS_SCHEMA = 'pgboss';

/** Dead letters of all queues; each row knows the queue it came from and why. */
export const DEAD_LETTER = 'dead-letter';

/** pg-boss deletes waiting jobs by age. A job that waits is work still owed, so the age is set out of reach (60 years). */
export const KEEP_FOREVER_SECONDS = 60 * 365 * 86_400;

const BOSS_OPTIONS = {
  schema: BOSS_SCHEMA,
  // Supervision is one of our periodic jobs: every process doing it would cost statements per process and queue.
  supervise: false,
  schedule: false,
  // Below the 2 s of our supervision, else a pass that comes a millisecond early skips its turn.
  monitorIntervalSeconds: 1,
  // The default of a day would keep a day of finished jobs, whatever their deleteAfterSeconds say.
  maintenanceIntervalSeconds: 60,
  // A backlog is read from stats(); the default warns every 2 s from 10,000 jobs on.
  warningQueueSize: 2_147_483_647,
};

/** Creates or upgrades pg-boss's schema. Safe to run again, and by several deployers at once. */
export async function migrateQueue(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 2, application_name: 'millpond migrate' });
  const boss = new PgBoss({ ...BOSS_OPTIONS, db: bossOn(pool), migrate: true, bamIntervalSeconds: 10 });
  // A pool that was ended lets go of connections that are still closing; a database that stops then is no fault of ours.
  pool.on('error', () => undefined);
  const failures: Error[] = [];
  boss.on('error', (error) => failures.push(error));
  try {
    await boss.start();
    await indexesBuilt(boss, failures);
    if ((await boss.getQueue(DEAD_LETTER)) === null) {
      await boss.createQueue(DEAD_LETTER, { retentionSeconds: KEEP_FOREVER_SECONDS, retryLimit: 0 });
    }
  } finally {
    await boss.stop({ graceful: false, close: false });
    await pool.end();
  }
}

/** An upgrade may build indexes in the background, and only a migrating instance builds them: wait here. */
async function indexesBuilt(boss: PgBoss, failures: Error[]): Promise<void> {
  for (;;) {
    const [failure] = failures;
    if (failure !== undefined)
      throw new Error(`queue migration failed: ${failure.message}`, { cause: failure });
    const states = new Set((await boss.getBamStatus()).map((summary) => summary.status));
    if (states.has('failed')) throw new Error('queue migration failed: an index could not be built');
    if (!states.has('pending') && !states.has('in_progress')) return;
    await sleep(1000);
  }
}

export async function startBoss(client: SqlClient, log: Log): Promise<PgBoss> {
  const boss = new PgBoss({ ...BOSS_OPTIONS, db: bossOn(client), migrate: false });
  boss.on('error', (error) => log.error({ error: error.message }, 'queue upkeep failed'));
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'queue upkeep warns'));
  await boss.start();
  return boss;
}
